//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// ownProcessGroup keeps the terminal's Ctrl-C from a command, which the demo interrupts once by itself: at
// a second signal the CLI gives up at once.
func ownProcessGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
