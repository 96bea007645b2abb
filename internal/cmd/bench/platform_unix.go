//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakMemory returns the largest resident set of a process that has ended, in bytes.
func peakMemory(state *os.ProcessState) int64 {
	resources, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(resources.Maxrss) //nolint:unconvert // of 32 bits on 32-bit machines
	}
	return int64(resources.Maxrss) << 10 //nolint:unconvert // KiB, of 32 bits on 32-bit machines
}
