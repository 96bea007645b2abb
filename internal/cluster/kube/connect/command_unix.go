//go:build unix

package connect

import (
	"os"
	"syscall"
)

// killTree kills a process and the others of its group.
func killTree(process *os.Process) error { return syscall.Kill(-process.Pid, syscall.SIGKILL) }
