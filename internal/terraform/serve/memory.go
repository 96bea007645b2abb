package serve

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// gcPercent lets the heap grow to three times the memory in use, instead of twice: only 10 MB are in use, and most
	// of the memory of a call is garbage when it ends. It saves a tenth of the CPU time.
	gcPercent = 200
	// mostGarbage is the garbage in bytes that large sets and very large objects may leave between two collections; at
	// least leastPercent of the memory in use is always allowed. A memory limit would make the collector run all the
	// time as soon as the memory in use reaches it.
	mostGarbage  = 48 << 20
	leastPercent = 50
)

// tuneGC tunes the garbage collector where the environment does not.
func tuneGC() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
		tuneAgain(&cycle{percent: gcPercent})
	}
}

// cycle is garbage in each cycle of the collector.
type cycle struct {
	percent int
	// The runtime allocates smaller values together with others, which may be in use for longer.
	_ [2]uint64
}

// tuneAgain tunes the collector to the memory in use after each cycle.
func tuneAgain(c *cycle) {
	runtime.SetFinalizer(c, func(c *cycle) {
		inUse := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(inUse)
		if percent := percentFor(inUse[0].Value.Uint64()); percent != c.percent {
			c.percent = percent
			debug.SetGCPercent(percent)
		}
		tuneAgain(c)
	})
}

// percentFor returns how much the heap may grow while this many bytes are in use, in percent of them.
func percentFor(inUse uint64) int {
	return min(gcPercent, max(leastPercent, int(100*mostGarbage/max(inUse, 1)))) //nolint:gosec // A small number.
}
