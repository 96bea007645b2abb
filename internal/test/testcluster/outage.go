package testcluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"k8s.io/client-go/kubernetes"
)

// shutdownGrace is how long a shutdown may take: kube-apiserver waits for clients that keep connections open,
// so real operators, too, kill it after a while.
const shutdownGrace = 5 * time.Second

// Ending is how a server goes down.
type Ending syscall.Signal

// The endings.
const (
	// Shutdown lets requests that are under way finish.
	Shutdown = Ending(syscall.SIGTERM)
	// Crash lets nothing finish.
	Crash = Ending(syscall.SIGKILL)
)

const (
	apiServerName = "kube-apiserver"
	etcdName      = "etcd"
)

// ListenAgain returns a listener on an address, "127.0.0.1:20001" for instance, where one of this process has just been
// closed: a child that is being started has a copy of that one until it executes its program.
func ListenAgain(address string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	for tries := 0; errors.Is(err, syscall.EADDRINUSE) && tries < 50; tries++ {
		time.Sleep(100 * time.Millisecond)
		listener, err = net.Listen("tcp", address)
	}
	return listener, err
}

// RestartAPIServer ends kube-apiserver, keeps it down for a while, and starts it again at the same address
// with the same data and users. It returns when the server is ready. Not for concurrent use.
func (c *ControlPlane) RestartAPIServer(ctx context.Context, ending Ending, down time.Duration) error {
	process, args, err := c.watchdog.running(apiServerName)
	if err != nil {
		return err
	}
	if err := process.Signal(syscall.Signal(ending)); err != nil {
		return fmt.Errorf("end kube-apiserver: %w", err)
	}
	for asked := time.Now(); !c.apiServerEnded(); time.Sleep(readyPoll) {
		if time.Since(asked) > shutdownGrace {
			_ = process.Kill()
		}
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(down):
	}
	if err := c.startAPIServerAgain(args); err != nil {
		return err
	}
	return c.awaitReadiness(ctx)
}

// startAPIServerAgain starts kube-apiserver as a child of this process instead of the one that ended.
func (c *ControlPlane) startAPIServerAgain(args []string) error {
	log, err := os.OpenFile(c.logPath(apiServerName), os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open the log of kube-apiserver: %w", err)
	}
	cmd := exec.Command(filepath.Join(c.dir, "run", apiServerName), args...)
	cmd.Stdout, cmd.Stderr = log, log
	ownProcessGroup(cmd)
	started, err := startChild(apiServerName, cmd, c.watchdog)
	if err := errors.Join(err, log.Close()); err != nil {
		return fmt.Errorf("start kube-apiserver again: %w", err)
	}
	c.children = append(slices.DeleteFunc(c.children, func(s *child) bool { return s.name == apiServerName }), started)
	return nil
}

// awaitReadiness waits until kube-apiserver reports that it is ready.
func (c *ControlPlane) awaitReadiness(ctx context.Context) error {
	client, err := kubernetes.NewForConfig(c.RESTConfig())
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		_, err := client.Discovery().RESTClient().Get().AbsPath("/readyz").DoRaw(ctx)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return errors.Join(fmt.Errorf("kube-apiserver is not ready again: %w", err), c.logTail(apiServerName))
		}
		time.Sleep(readyPoll)
	}
}

// apiServerEnded reports whether the current kube-apiserver process has ended: the one of envtest, or a child.
func (c *ControlPlane) apiServerEnded() bool {
	for _, started := range c.children {
		if started.name == apiServerName {
			select {
			case <-started.ended:
				return true
			default:
				return false
			}
		}
	}
	process, _, err := c.watchdog.running(apiServerName)
	return err != nil || process.Signal(syscall.Signal(0)) != nil
}

// PauseEtcd stops etcd until the returned function is called. Until then the API server accepts requests, but
// does not answer those that need data.
func (c *ControlPlane) PauseEtcd() (resumed func() error, err error) {
	process, _, err := c.watchdog.running(etcdName)
	if err != nil {
		return nil, err
	}
	if err := pause(process); err != nil {
		return nil, fmt.Errorf("pause etcd: %w", err)
	}
	return func() error { return resume(process) }, nil
}
