package run

import (
	"context"
	"sync"
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
