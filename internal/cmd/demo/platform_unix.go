//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// ownProcessGroup keeps the terminal's Ctrl-C from a command. The demo interrupts the command once itself: at a
// second signal, the CLI would stop without cleaning up.
func ownProcessGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
