//go:build unix

package testcluster

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// lockFile takes an exclusive lock on a file, which it creates, and waits for it as long as ctx lets it.
// onWait is called once, before the first wait. The lock ends with unlock or with the process.
func lockFile(ctx context.Context, path string, onWait func()) (unlock func(), err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for attempt := 0; ; attempt++ {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { _ = file.Close() }, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			_ = file.Close()
			return nil, err
		}
		if attempt == 0 {
			onWait()
		}
		select {
		case <-ctx.Done():
			_ = file.Close()
			return nil, ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// ownProcessGroup keeps the terminal's signals from a command, so that only its starter stops it.
func ownProcessGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// pause stops a process without ending it, until resume.
func pause(process *os.Process) error { return process.Signal(syscall.SIGSTOP) }

func resume(process *os.Process) error { return process.Signal(syscall.SIGCONT) }
