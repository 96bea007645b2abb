//go:build unix && !linux

package connect

import "syscall"

// ownGroup makes a command the first of a process group.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
