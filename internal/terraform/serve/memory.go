package serve

import (
	"os"
	"runtime/debug"
)

const (
	// gcPercent lets the heap grow to three times what is in use, instead of twice: only 10 MB are in use, and most of
	// what a call allocates is garbage as it ends. It saves a tenth of the CPU time.
	gcPercent = 200
	// memoryLimit is the memory, in bytes, from which on the collector runs more often again. Only very large objects
	// get there.
	memoryLimit = 256 << 20
)

// tuneGC tunes the garbage collector where the environment does not.
func tuneGC() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
}
