package clihost

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// The files in the directory of hosts.
const (
	socketFile = "socket"
	cliFile    = "cli"
	logSuffix  = ".log"
)

// envHost makes the CLI a host. Its value is the name of the host.
const envHost = "K8SCONNECT_TEST_CLI_HOST"

// roomForArguments is an argument over which a host writes those of its commands.
var roomForArguments = "-" + strings.Repeat("x", 8<<10)

// Hosts are running hosts of one CLI.
type Hosts struct {
	// Dir is the value of EnvDir for processes that run commands in them.
	Dir      string
	listener *os.File
	cancel   context.CancelFunc
	running  sync.WaitGroup
}

// Start starts n hosts of the CLI at a path, with further environment variables. They end with this process or with
// Stop. Each that ends otherwise is started again.
func Start(cli string, n int, env []string) (*Hosts, error) {
	dir, err := os.MkdirTemp("", "k8sconnect-cli-")
	if err != nil {
		return nil, fmt.Errorf("create the directory of the CLI's hosts: %w", err)
	}
	h := &Hosts{Dir: dir, cancel: func() {}}
	if err := h.start(cli, n, env); err != nil {
		return nil, errors.Join(fmt.Errorf("start the hosts of the CLI: %w", err), h.Stop())
	}
	return h, nil
}

func (h *Hosts) start(cli string, n int, env []string) error {
	if err := os.WriteFile(filepath.Join(h.Dir, cliFile), []byte(cli), 0o600); err != nil {
		return err
	}
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(h.Dir, socketFile), Net: "unix"})
	if err != nil {
		return err
	}
	// The hosts have copies of the listener's file, and the socket stays until Stop removes the directory.
	listener.SetUnlinkOnClose(false)
	h.listener, err = listener.File()
	if err := errors.Join(err, listener.Close()); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	h.cancel = cancel
	for i := range n {
		name := fmt.Sprintf("host-%d", i)
		log, err := os.Create(filepath.Join(h.Dir, name+logSuffix))
		if err != nil {
			return err
		}
		env := slices.Concat(os.Environ(), env, []string{envHost + "=" + name})
		h.running.Go(func() { h.keep(ctx, cli, env, log) })
	}
	return nil
}

// keep runs a host, and starts it again as often as it ends, until ctx ends.
func (h *Hosts) keep(ctx context.Context, cli string, env []string, log *os.File) {
	defer func() { _ = log.Close() }()
	for ctx.Err() == nil {
		host := exec.CommandContext(ctx, cli, roomForArguments)
		host.Env, host.Stderr, host.ExtraFiles = env, log, []*os.File{h.listener}
		tie, err := host.StdinPipe()
		if err == nil {
			err = host.Run()
			_ = tie.Close()
		}
		if err == nil || ctx.Err() != nil {
			continue
		}
		_, _ = fmt.Fprintf(log, "%s ended: %s\n", filepath.Base(log.Name()), err)
		if _, ended := errors.AsType[*exec.ExitError](err); !ended {
			return
		}
	}
}

// Stop ends the hosts and removes their directory.
func (h *Hosts) Stop() error {
	h.cancel()
	h.running.Wait()
	var closed error
	if h.listener != nil {
		closed = h.listener.Close()
	}
	return errors.Join(closed, os.RemoveAll(h.Dir))
}
