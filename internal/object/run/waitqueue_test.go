package run

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// crowd is a CLI that runs operations which wait, slots at a time.
type crowd struct {
	queue WaitQueue
	// gaveWay and timedOut count how waits ended.
	gaveWay, timedOut int
}

// run runs count operations that all wait for what never comes, for timeout at most, and returns how long that took.
func (c *crowd) run(t *testing.T, slots, count int, timeout time.Duration) time.Duration {
	t.Helper()
	start := time.Now()
	ended := make(chan WaitEnd)
	begin := func() {
		end := c.queue.Begin(t.Context())
		go func() {
			ctx, cancel := context.WithTimeout(t.Context(), timeout)
			defer cancel()
			err := AwaitSettled(ctx, &c.queue, func() error { return clustertest.Failing(cluster.ReasonNamespaceNotFound) })
			end()
			var missing *StillMissingError
			if !errors.As(err, &missing) {
				t.Errorf("%v", err)
				missing = &StillMissingError{}
			}
			ended <- missing.End
		}()
	}
	for range min(slots, count) {
		begin()
	}
	for left := count - min(slots, count); c.gaveWay+c.timedOut < count; left-- {
		if <-ended == GaveWay {
			c.gaveWay++
		} else {
			c.timedOut++
		}
		if left > 0 {
			begin()
		}
	}
	return time.Since(start)
}

func TestWaitQueue(t *testing.T) {
	t.Parallel()
	const timeout = 2 * time.Minute
	for name, tt := range map[string]struct {
		slots, count int
		// gaveWay is how many waits at least ended early, within is how long all took at most.
		gaveWay, atMost int
		within          time.Duration
	}{
		"one keeps its timeout":                           {slots: 10, count: 1, within: timeout},
		"fewer than the slots keep their timeouts":        {slots: 10, count: 9, within: timeout},
		"where nothing is queued, one gives way":          {slots: 10, count: 10, gaveWay: 1, atMost: 1, within: timeout},
		"many give way until nothing is queued":           {slots: 10, count: 190, gaveWay: 180, atMost: 190, within: timeout + 30*time.Second},
		"more slots than usual are learned":               {slots: 50, count: 190, gaveWay: 140, atMost: 190, within: timeout + 15*time.Second},
		"fewer slots than usual are learned by a timeout": {slots: 4, count: 100, gaveWay: 90, atMost: 96, within: 2*timeout + 40*time.Second},
		"a single slot is no queue":                       {slots: 1, count: 3, within: 3 * timeout},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var c crowd
				took := c.run(t, tt.slots, tt.count, timeout)
				if c.gaveWay < tt.gaveWay || c.gaveWay > tt.atMost {
					t.Errorf("%d waits gave way, want %d to %d", c.gaveWay, tt.gaveWay, tt.atMost)
				}
				if took > tt.within {
					t.Errorf("took %s, want %s", took, tt.within)
				}
			})
		})
	}
}

// While one operation works, no wait gives way.
func TestWaitQueueWithWork(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var c crowd
		end := c.queue.Begin(t.Context())
		c.run(t, 10, 10, 2*time.Minute)
		end()
		if c.gaveWay != 0 {
			t.Errorf("%d waits gave way beside an operation that works", c.gaveWay)
		}
	})
}

// To the CLI, a set is one operation, however many of its objects are in work.
func TestWaitQueueBesideASet(t *testing.T) {
	t.Parallel()
	inSet := func(t *testing.T) context.Context {
		return context.WithValue(t.Context(), turnKey{}, turn{places: make(chan struct{}, parallel)})
	}
	t.Run("two operations wait", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			var c crowd
			set := inSet(t)
			for range 12 {
				defer c.queue.Begin(set)()
				defer c.queue.leave(c.queue.enter(true), false)
			}
			if took := c.run(t, 10, 1, 2*time.Minute); c.gaveWay != 0 || took < 2*time.Minute {
				t.Errorf("the wait beside that of the set ended after %s", took)
			}
		})
	})
	t.Run("many wait after a large one", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			var c crowd
			set := inSet(t)
			var ends []func()
			for range 30 {
				ends = append(ends, c.queue.Begin(set))
			}
			for _, end := range ends {
				end()
			}
			if took := c.run(t, 10, 190, 2*time.Minute); c.gaveWay < 180 || took > 2*time.Minute+30*time.Second {
				t.Errorf("%d of 190 waits gave way, in %s", c.gaveWay, took)
			}
		})
	})
	t.Run("a set that goes on takes no slot", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			var c crowd
			set := inSet(t)
			defer c.queue.Begin(set)()
			waits := c.queue.enter(true)
			c.run(t, 9, 9, 2*time.Minute)
			c.queue.leave(waits, true)
			defer c.queue.Begin(set)()
			if c.queue.queued {
				t.Error("an object of a set in work counts as an operation in the queue of the CLI")
			}
		})
	})
}
