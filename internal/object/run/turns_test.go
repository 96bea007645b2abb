package run

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Items that wait hold no place and, if the next stage need not wait for them, no stage back.
func TestWaitsHoldNoPlace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const last = 3 * parallel
		var items []int
		for item := range last + 1 {
			items = append(items, item)
		}
		early := func(item int) int { return item / last }
		created := make(chan struct{})
		InTurns(t.Context(), items, early, true, func(ctx context.Context, item int) {
			if item == last {
				close(created)
				return
			}
			back, has := LeaveTurn(ctx)
			if <-created; !has {
				t.Error("an item has no turn")
			}
			back()
		})
		var next atomic.Bool
		late := func(item int) int { return -early(item) }
		InTurns(t.Context(), items, late, false, func(ctx context.Context, item int) {
			back, _ := LeaveTurn(ctx)
			defer back()
			if item != last {
				next.Store(true)
				return
			}
			if time.Sleep(time.Minute); next.Load() {
				t.Error("the next stage has begun")
			}
		})
	})
}
