package run

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Run holds the data that the resources of one plan or one apply share. Terraform plans each resource once, in any
// order, so the second of two resources that manage one object is refused. Two resources that both have a state may
// share an object, for example under two field managers.
//
// It is safe for concurrent use, and the zero value is empty.
type Run struct {
	// Objects are the records of all objects in the run.
	Objects Objects
	// Waits are the operations in flight. If all of them wait, the oldest wait ends.
	Waits WaitQueue
	// Rounds shows which of Terraform's two plans the run makes.
	Rounds Rounds
	// Definitions are the CustomResourceDefinitions that resources change.
	Definitions Definitions
	// WithoutDryRun are the objects that are planned without a dry-run, for lack of rights.
	WithoutDryRun WithoutDryRun
}

// BeginApply notes an operation of an apply until the function that it returns is called.
func (r *Run) BeginApply(ctx context.Context) (end func()) {
	r.Rounds.Set(SecondRound)
	return r.Waits.Begin(ctx)
}

// PlanWithState notes that a resource is planned with its state. It returns an [*AlreadyManagedError] if another
// resource is to replace or adopt the object, or to delete it although this run imports it.
func (r *Run) PlanWithState(id manifest.Identity, uid string) error {
	if known := r.Objects.Of(uid); known.isImported && known.IsLeaving {
		return &AlreadyManagedError{Object: id}
	}
	switch r.Objects.keep(uid) {
	case replaced:
		return &AlreadyManagedError{Object: id}
	case adopted:
		err := &AlreadyManagedError{Object: id}
		r.Objects.each(func(at At, known *Object) {
			if at.Object == id && known.creator != nil {
				err.New = known.creator
			}
		})
		return err
	}
	return nil
}

// Round is one of the two plans that the CLI makes of each change. The CLI shows the first plan. The apply makes the
// second plan, in another process. Values that the first plan knows have to be known in the second plan, too.
type Round string

const (
	// UnknownRound means that it is not known which plan it is, so the rules of both plans apply.
	UnknownRound Round = ""
	// FirstRound is the plan that is shown.
	FirstRound Round = "First"
	// SecondRound is the plan that an apply makes.
	SecondRound Round = "Second"
)

// unapplied is the time after which a planned object that was not applied does not belong to an apply: an apply
// continues with its object at once.
const unapplied = 5 * time.Second

// Rounds determines which plan a run of the provider makes. The plugin protocol does not contain that. But only the
// first plan reads objects and plans deletions, and only an apply applies. It is safe for concurrent use, and its zero
// value has noted nothing.
type Rounds struct {
	mu      sync.Mutex
	known   Round
	planned time.Time
	// mayDefer is true if the CLI lets the run defer changes: Terraform lets every apply, and a plan only by an option.
	mayDefer bool
}

// Set notes which plan the run makes. The first call counts, except that SecondRound always counts.
func (r *Rounds) Set(round Round) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known == UnknownRound || round == SecondRound {
		r.known = round
	}
}

// NotePlanned notes a new object that was planned, and that an apply would now create.
func (r *Rounds) NotePlanned() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.planned.IsZero() {
		r.planned = time.Now()
	}
}

// NoteDeferral notes that the CLI lets the run defer changes.
func (r *Rounds) NoteDeferral() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mayDefer = true
}

// Applies reports whether the run seems to belong to an apply. OpenTofu may not show it before the first object is
// applied, and a plan with Terraform's option to defer may look like an apply.
func (r *Rounds) Applies() bool {
	round := r.Current()
	r.mu.Lock()
	defer r.mu.Unlock()
	return round == SecondRound || round == UnknownRound && r.mayDefer
}

// Current returns the plan of the run, as far as is known by now.
func (r *Rounds) Current() Round {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known == UnknownRound && !r.planned.IsZero() && time.Since(r.planned) > unapplied {
		return FirstRound
	}
	return r.known
}

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
