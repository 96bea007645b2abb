package run

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// parallel is how many items are worked on at a time. Those that wait do not count.
const parallel = 20

// InTurns calls work for all items, one stage after the other, and in each stage for many items at a time. passing is
// true if a stage need not wait for items of the one before it that wait.
func InTurns[T any, S cmp.Ordered](
	ctx context.Context, items []T, stageOf func(T) S, passing bool, work func(context.Context, T),
) {
	byStage := func(a, b T) int { return cmp.Compare(stageOf(a), stageOf(b)) }
	sorted := slices.SortedStableFunc(slices.Values(items), byStage)
	places, isSettled := make(chan struct{}, parallel), &atomic.Bool{}
	var all sync.WaitGroup
	for len(sorted) > 0 {
		end := slices.IndexFunc(sorted, func(item T) bool { return stageOf(item) != stageOf(sorted[0]) })
		if end < 0 {
			end = len(sorted)
		}
		var stage sync.WaitGroup
		for _, item := range sorted[:end] {
			stage.Add(1)
			all.Go(func() {
				t := turn{places: places, isSettled: isSettled, passes: passing, pass: sync.OnceFunc(stage.Done)}
				defer t.pass()
				t.back()
				defer t.leave()
				work(context.WithValue(ctx, turnKey{}, t), item)
			})
		}
		stage.Wait()
		sorted = sorted[end:]
	}
	all.Wait()
}

// turn is the place of one item among those that are worked on at a time.
type turn struct {
	places chan struct{}
	// isSettled is true if an item has found that nothing else moves in the run.
	isSettled *atomic.Bool
	// passes is true if the next stage need not wait for an item that waits, and pass lets it begin.
	passes bool
	pass   func()
}

func (t turn) back() { t.places <- struct{}{} }

func (t turn) leave() { <-t.places }

type turnKey struct{}

// LeaveTurn is called by the work of [InTurns] when it begins to wait for other items or resources. It gives the place
// of ctx to another item until the work calls back, and reports whether ctx holds a place.
func LeaveTurn(ctx context.Context) (back func(), has bool) {
	t, has := ctx.Value(turnKey{}).(turn)
	if !has {
		return func() {}, false
	}
	if t.leave(); t.passes {
		t.pass()
	}
	return t.back, true
}
