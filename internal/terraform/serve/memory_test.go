package serve

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
)

func percent() int {
	now := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(now)
	return int(now[0].Value.Uint64())
}

// The collector is tuned to what is in use, unless the environment says how.
func TestTuneGC(t *testing.T) {
	was := debug.SetGCPercent(100)
	t.Cleanup(func() { debug.SetGCPercent(was) })
	t.Setenv("GOGC", "100")
	if tuneGC(); percent() != 100 {
		t.Errorf("GOGC is overruled: %d", percent())
	}
	t.Setenv("GOGC", "")
	if tuneGC(); percent() != gcPercent {
		t.Errorf("the collector is not tuned: %d", percent())
	}
	large := make([]byte, 200<<20)
	for percent() != leastPercent {
		runtime.GC()
	}
	runtime.KeepAlive(large)
	for percent() != gcPercent {
		runtime.GC()
	}
}

func TestPercentFor(t *testing.T) {
	t.Parallel()
	for inUse, want := range map[uint64]int{0: gcPercent, 10 << 20: gcPercent, 24 << 20: 200, 48 << 20: 100, 64 << 20: 75, 96 << 20: 50, 1 << 40: 50} {
		if got := percentFor(inUse); got != want {
			t.Errorf("%d MB: %d, want %d", inUse>>20, got, want)
		}
	}
}
