package connect

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// ownGroup makes a command the first of a process group, which the interrupts of the console do not reach.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// killTree kills a process and its children.
func killTree(process *os.Process) error {
	//nolint:gosec // The only argument that varies is a process ID.
	if err := exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(process.Pid)).Run(); err != nil {
		return process.Kill()
	}
	return nil
}
