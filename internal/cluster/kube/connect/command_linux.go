package connect

import "syscall"

// ownGroup makes a command the first of a process group. The kernel kills it when the thread that started it ends, also
// if the provider is killed.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
