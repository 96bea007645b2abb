//go:build !unix

package testcluster

import (
	"context"
	"errors"
	"os"
	"os/exec"
)

// lockFile reports that the test cluster needs Linux, macOS or another Unix.
func lockFile(context.Context, string, func()) (unlock func(), err error) {
	return nil, errors.ErrUnsupported
}

func ownProcessGroup(*exec.Cmd) {}

func pause(*os.Process) error { return errors.ErrUnsupported }

func resume(*os.Process) error { return errors.ErrUnsupported }
