package run

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

const (
	// publishing is how long after the apply of a definition a refusal may still be that of the schema before it.
	publishing = 10 * time.Second
	// settling is how long after the apply of a definition requests of the run wait: the API server uses the new schema
	// a moment later, and before that it makes something else of an object.
	settling = time.Second
)

// How long nothing moves in a run before a wait for the plan or the apply of a definition ends: no resource of the run
// has the definition, or it comes after the resource that waits.
const (
	quietInPlan  = 500 * time.Millisecond
	quietInApply = 3 * time.Second
)

// Definition names a CustomResourceDefinition, and the connection. Two connections to one cluster count as two.
type Definition struct {
	Cluster cluster.Interface
	Name    string
}

// Definitions are the CustomResourceDefinitions that resources of a run read, plan and apply. A change of a definition
// may make the API server accept objects of the kind that it refused before. It is safe for concurrent use, and the
// zero value is empty.
type Definitions struct {
	mu    sync.Mutex
	known map[Definition]*redefinition
}

// redefinition records the resources of a run that read or change a definition. They are identified by their field
// managers.
type redefinition struct {
	// read are the resources that have read it and are not planned yet, changes those that will change it, with the
	// object that they apply; nil if that is not known.
	read    map[string]bool
	changes map[string]map[string]any
	// last is the object of the last change. applied is when the change ended well; zero if none has.
	last    map[string]any
	applied time.Time
}

func (d *Definitions) change(of Definition, change func(*redefinition)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.known == nil {
		d.known = map[Definition]*redefinition{}
	}
	if d.known[of] == nil {
		d.known[of] = &redefinition{read: map[string]bool{}, changes: map[string]map[string]any{}}
	}
	change(d.known[of])
}

// NoteRead notes that a resource has read a definition. Its plan follows.
func (d *Definitions) NoteRead(of Definition, fieldManager string) {
	d.change(of, func(known *redefinition) { known.read[fieldManager] = true })
}

// PlanNothing notes that a resource does not change a definition.
func (d *Definitions) PlanNothing(of Definition, fieldManager string) {
	d.change(of, func(known *redefinition) { delete(known.read, fieldManager) })
}

// PlanChange notes that a resource will change a definition. object is the definition that it applies; nil if that is
// not known.
func (d *Definitions) PlanChange(of Definition, fieldManager string, object map[string]any) {
	d.change(of, func(known *redefinition) {
		delete(known.read, fieldManager)
		known.changes[fieldManager], known.last = object, object
	})
}

// EndChange notes that the apply of a resource to a definition has ended.
func (d *Definitions) EndChange(of Definition, fieldManager string, err error) {
	d.change(of, func(known *redefinition) {
		if delete(known.changes, fieldManager); err == nil {
			known.applied = time.Now()
		}
	})
}

// Redefinition is how far the change of a definition is.
type Redefinition string

// The states of a change.
const (
	// NotRedefined: no resource of the run changes the definition, as far as is known by now.
	NotRedefined Redefinition = ""
	// MayBeRedefined: a resource has read the definition, and its plan follows.
	MayBeRedefined Redefinition = "MayBe"
	// ToBeRedefined: a resource will change the definition.
	ToBeRedefined Redefinition = "ToBe"
	// Redefining: a resource has changed the definition, and the API server may not use it yet.
	Redefining Redefinition = "Being"
	// Redefined: a resource has changed the definition, and the API server uses it.
	Redefined Redefinition = "Done"
)

// Of returns how far the change of a definition is.
func (d *Definitions) Of(of Definition) Redefinition {
	d.mu.Lock()
	defer d.mu.Unlock()
	known := d.known[of]
	switch {
	case known == nil:
		return NotRedefined
	case len(known.changes) > 0:
		return ToBeRedefined
	case !known.applied.IsZero() && time.Since(known.applied) < publishing:
		return Redefining
	case !known.applied.IsZero():
		return Redefined
	case len(known.read) > 0:
		return MayBeRedefined
	}
	return NotRedefined
}

// Settle waits until a definition that a resource has just changed is in use, as a rule.
func (d *Definitions) Settle(ctx context.Context, of Definition) {
	d.mu.Lock()
	var rest time.Duration
	if known := d.known[of]; known != nil && !known.applied.IsZero() {
		rest = settling - time.Since(known.applied)
	}
	d.mu.Unlock()
	cluster.Pause(ctx, rest)
}

// IsEmpty reports whether no resource of the run has read or planned a definition, as far as is known by now.
func (d *Definitions) IsEmpty() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.known) == 0
}

// Keeps reports whether a definition will have a string that it has now: a rule, for instance. It returns false if that
// is not known.
func (d *Definitions) Keeps(of Definition, text string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	known := d.known[of]
	return known != nil && contains(known.last, text)
}

// AwaitDefinedKinds returns the kinds of the definitions that resources of the run create or change on a cluster, as
// far as is known when nothing has moved in the run for half a second.
func (r *Run) AwaitDefinedKinds(ctx context.Context, api cluster.Interface) []schema.GroupKind {
	r.awaitQuiet(ctx, quietInPlan, never)
	d := &r.Definitions
	d.mu.Lock()
	defer d.mu.Unlock()
	var kinds []schema.GroupKind
	for of, known := range d.known {
		if of.Cluster != api {
			continue
		}
		group, _, _ := unstructured.NestedString(known.last, "spec", "group")
		kind, _, _ := unstructured.NestedString(known.last, "spec", "names", "kind")
		kinds = append(kinds, schema.GroupKind{Group: group, Kind: kind})
	}
	return kinds
}

// contains reports whether a value, or a part of it, is a string.
func contains(value any, text string) bool {
	switch value := value.(type) {
	case string:
		return value == text
	case []any:
		return slices.ContainsFunc(value, func(item any) bool { return contains(item, text) })
	case map[string]any:
		for _, part := range value {
			if contains(part, text) {
				return true
			}
		}
	}
	return false
}

// AwaitRedefinition waits while a definition is among unsettled, and returns how far its change is then. It waits no
// longer if nothing moves in the run: for half a second in the plan that the CLI shows, and a few seconds otherwise.
func (r *Run) AwaitRedefinition(ctx context.Context, of Definition, unsettled ...Redefinition) Redefinition {
	now := r.Definitions.Of(of)
	if !slices.Contains(unsettled, now) {
		return now
	}
	still := quietInApply
	if r.Rounds.Current() == FirstRound {
		still = quietInPlan
	}
	r.awaitQuiet(ctx, still, func() bool {
		now = r.Definitions.Of(of)
		return !slices.Contains(unsettled, now)
	})
	return now
}

// StillRefusedError is the refusal of an object of a kind whose definition a resource of the same run changes.
type StillRefusedError struct {
	// Definition is the name of the CustomResourceDefinition.
	Definition string
	// IsUnchanged is true if the change was still to come when the wait for it ended.
	IsUnchanged bool
	Err         error
}

func (e *StillRefusedError) Error() string {
	return fmt.Sprintf("%s; this run changes CustomResourceDefinition %s", e.Err, e.Definition)
}

// Unwrap returns the refusal.
func (e *StillRefusedError) Unwrap() error { return e.Err }
