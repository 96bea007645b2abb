package serve

import (
	"runtime/debug"
	"testing"
)

// The collector is tuned unless the environment says how.
func TestTuneGC(t *testing.T) {
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetGCPercent(percent); debug.SetMemoryLimit(limit) })

	t.Setenv("GOGC", "100")
	t.Setenv("GOMEMLIMIT", "1GiB")
	tuneGC()
	if got := debug.SetGCPercent(100); got != 100 || debug.SetMemoryLimit(-1) != limit {
		t.Errorf("GOGC and GOMEMLIMIT are overruled: %d, %d", got, debug.SetMemoryLimit(-1))
	}
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	tuneGC()
	if got := debug.SetGCPercent(100); got != gcPercent || debug.SetMemoryLimit(-1) != memoryLimit {
		t.Errorf("the collector is not tuned: %d, %d", got, debug.SetMemoryLimit(-1))
	}
}
