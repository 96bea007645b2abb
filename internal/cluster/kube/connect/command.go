package connect

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

const (
	// mostOutput is how much a credential plugin may print.
	mostOutput = 1 << 20
	// mostStderr is how much of a credential plugin's standard error is kept.
	mostStderr = 64 << 10
	// afterEnd is how long the output of a command is read after it has ended: its children may hold it open.
	afterEnd = time.Second
)

// errTooMuchOutput is a command that was stopped for its output.
var errTooMuchOutput = errors.New("it printed more than 1 MiB")

type output struct{ stdout, stderr boundedBuffer }

// runCommand runs a command with an environment and no input. When ctx ends, or the command prints too much, the
// command and its children are killed. The output is set in any case.
func runCommand(ctx context.Context, command string, args, environment []string) (*output, error) {
	// The thread that starts the command has to outlive it: see ownGroup.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	said := &output{
		stdout: boundedBuffer{most: mostOutput, overflow: func() { stop(errTooMuchOutput) }},
		stderr: boundedBuffer{most: mostStderr},
	}
	cmd := exec.CommandContext(ctx, command, args...) //nolint:gosec // The configuration names the command.
	cmd.Env, cmd.Stdout, cmd.Stderr = environment, &said.stdout, &said.stderr
	cmd.SysProcAttr = ownGroup()
	cmd.Cancel = func() error { return killTree(cmd.Process) }
	cmd.WaitDelay = afterEnd
	if err := cmd.Start(); err != nil {
		return said, err
	}
	commands.Store(cmd, nil)
	err := cmd.Wait()
	commands.Delete(cmd)
	switch {
	// The error of a killed command has only the signal.
	case context.Cause(ctx) != nil:
		err = context.Cause(ctx)
	// The command itself has succeeded, and a child of it still holds the output open.
	case errors.Is(err, exec.ErrWaitDelay):
		err = nil
	}
	return said, err
}

// commands are the commands that run, by *exec.Cmd.
var commands sync.Map

// StopPlugins kills the credential plugins that run, with their children.
func StopPlugins() {
	commands.Range(func(key, _ any) bool {
		if cmd, is := key.(*exec.Cmd); is {
			_ = killTree(cmd.Process)
		}
		return true
	})
}

// boundedBuffer keeps the beginning of the bytes that are written to it.
type boundedBuffer struct {
	kept bytes.Buffer
	most int
	// dropped is how many bytes were not kept.
	dropped int
	// overflow is called when something is dropped; nil for nothing.
	overflow func()
}

// Write implements io.Writer. It never fails.
func (b *boundedBuffer) Write(text []byte) (int, error) {
	kept := min(len(text), b.most-b.kept.Len())
	b.kept.Write(text[:kept])
	if b.dropped += len(text) - kept; kept < len(text) && b.overflow != nil {
		b.overflow()
	}
	return len(text), nil
}
