package testcluster

import (
	"os/exec"
	"syscall"
	"time"
)

// child is a server that this process started and waits for.
type child struct {
	name string
	cmd  *exec.Cmd
	// ended is closed when the server has ended, after err has been set.
	ended chan struct{}
	err   error
}

func startChild(name string, cmd *exec.Cmd, guard *watchdog) (*child, error) {
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	started := &child{name: name, cmd: cmd, ended: make(chan struct{})}
	go func() {
		started.err = cmd.Wait()
		guard.forget(name)
		close(started.ended)
	}()
	return started, nil
}

// stopGrace is how long a server may take to end before it is killed. It has nothing to save.
const stopGrace = time.Second

// stop ends the server and waits until it is gone. How it exits does not matter then.
func (s *child) stop() {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(stopGrace):
		_ = s.cmd.Process.Kill()
		<-s.ended
	}
}
