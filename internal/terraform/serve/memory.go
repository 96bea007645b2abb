package serve

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// gcPercent lets the heap grow to three times what is in use, instead of twice: only 10 MB are in use, and most of
	// what a call allocates is garbage as it ends. It saves a tenth of the CPU time.
	gcPercent = 200
	// mostGarbage is how much garbage, in bytes, large sets and very large objects may leave between two collections,
	// but for leastPercent of what is in use. A memory limit would make the collector run all the time as soon as that
	// much is in use.
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

// tuneAgain tunes the collector to what is in use after each cycle.
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
