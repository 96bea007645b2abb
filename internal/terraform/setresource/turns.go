package setresource

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/stages"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
)

// parallel is how many objects of a set are worked on at a time. Those that wait do not count.
const parallel = 20

// inOrder calls work for all members, stage by stage, and in each stage for many at a time. A stage begins when each
// member of the one before it is done or waits.
func inOrder(ctx context.Context, members []*member, work func(context.Context, *member)) {
	walk(ctx, members, func(m *member) stages.Stage { return m.stage }, true, work)
}

// inReverse calls work for all members from the last stage to the first. A stage begins when all members of the one
// before it are done.
func inReverse(ctx context.Context, members []*member, work func(context.Context, *member)) {
	walk(ctx, members, func(m *member) stages.Stage { return -m.stage }, false, work)
}

// unordered calls work for all members: for those first that other objects are in or of.
func unordered(ctx context.Context, members []*member, work func(context.Context, *member)) {
	walk(ctx, members, func(m *member) stages.Stage { return min(m.stage, stages.Definitions+1) }, false, work)
}

// walk calls work for all members in the order of their stages. passing is true if a stage need not wait for members
// that wait.
func walk(
	ctx context.Context, members []*member, of func(*member) stages.Stage, passing bool,
	work func(context.Context, *member),
) {
	byStage := func(a, b *member) int { return cmp.Compare(of(a), of(b)) }
	sorted := slices.SortedStableFunc(slices.Values(members), byStage)
	places := make(chan struct{}, parallel)
	var all sync.WaitGroup
	for len(sorted) > 0 {
		end := slices.IndexFunc(sorted, func(m *member) bool { return of(m) != of(sorted[0]) })
		if end < 0 {
			end = len(sorted)
		}
		var stage sync.WaitGroup
		for _, m := range sorted[:end] {
			stage.Add(1)
			all.Go(func() {
				t := turn{places: places, passes: passing, pass: sync.OnceFunc(stage.Done)}
				defer t.pass()
				t.Return()
				defer t.leave()
				work(run.WithTurn(ctx, t), m)
			})
		}
		stage.Wait()
		sorted = sorted[end:]
	}
	all.Wait()
}

// turn is the place of one member; see [run.Turn].
type turn struct {
	places chan struct{}
	// passes is true if the next stage need not wait for a member that waits, and pass lets it begin.
	passes bool
	pass   func()
}

func (t turn) Return() { t.places <- struct{}{} }

func (t turn) leave() { <-t.places }

func (t turn) Leave() {
	if t.leave(); t.passes {
		t.pass()
	}
}
