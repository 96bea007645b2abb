package run

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Share lists the fields that one resource of a run applies to, or removes from, an object to which several resources
// may apply.
type Share struct {
	// FieldManager is "" while it is not known.
	FieldManager string
	// IsPart is true if the resource applies part of an object that it did not create.
	IsPart bool
	// IsPending is true if the apply of the run changes the object.
	IsPending bool
	// Fields are the fields that it applies. If they are not known, because the object does not exist yet, Body is the
	// applied body.
	Fields *paths.Set
	Body   map[string]any
	// Removes covers the fields that it removes.
	Removes paths.Patterns
	// Names prints paths of Fields.
	Names rendering.Formatter
	// State tells the states of resources apart; "" without a state. Replaces is the State of the share that this one
	// replaces: Terraform plans a replacement with the state, and then without.
	State, Replaces string
}

// SharedError reports that two resources of a run apply the same fields to an object, that one removes what the other
// applies, or that both apply under the same field manager.
type SharedError struct {
	Object manifest.Identity
	// This is the resource that was planned last, Other the one before.
	This, Other Share
	// Applied are the paths of the fields that both apply, Removed of those that one applies and the other removes.
	// They are empty if only the names are equal.
	Applied, Removed []string
}

func (e *SharedError) Error() string {
	return e.Object.String() + ": two resources apply " + strings.Join(append(e.Applied, e.Removed...), ", ")
}

// PatchedError reports that a plan replaces or deletes an object of which it also changes parts. Whether the end of the
// object comes first in the apply is a matter of chance, and if it does, the plan of the parts is wrong.
type PatchedError struct {
	Object manifest.Identity
	Parts  []Share
	// IsLeaving is true if the object is deleted for good.
	IsLeaving bool
}

func (e *PatchedError) Error() string { return e.Object.String() + " is patched, too" }

// Share notes what a resource does to an object. It returns a [*SharedError] if two resources meet in a field or share
// a field manager, and at least one of them applies a part, and a [*PatchedError] for a part that changes an object
// which the plan deletes.
func (o *Objects) Share(at At, share Share) (err error) {
	o.change(at.key(), func(known *Object) { err = known.share(at, share) })
	return err
}

func (o *Object) share(at At, share Share) error {
	if share.Replaces != "" {
		o.shares = slices.DeleteFunc(o.shares, func(other Share) bool { return other.State == share.Replaces })
	}
	for _, other := range o.shares {
		if !other.IsPart && !share.IsPart {
			continue
		}
		applied, removed := share.applies(other), append(share.removed(other), other.removed(share)...)
		isSame := share.FieldManager != "" && other.FieldManager == share.FieldManager
		if len(applied)+len(removed) > 0 || isSame {
			return &SharedError{Object: at.Object, This: share, Other: other, Applied: applied, Removed: removed}
		}
	}
	o.shares = append(o.shares, share)
	if share.IsPart && share.IsPending && at.UID != "" && o.Ends() {
		return &PatchedError{Object: at.Object, Parts: []Share{share}, IsLeaving: true}
	}
	return nil
}

// applies returns the fields that both shares apply: those of one that are a field of the other, part of one, or have a
// part there. The keys of a list item only name it. If the fields of one share are not known, they are those of the
// other with a value in its body. It returns nil if both are not known.
func (s Share) applies(other Share) []string {
	switch {
	case s.Fields == nil && other.Fields == nil:
		return nil
	case s.Fields == nil:
		return other.applies(s)
	case other.Fields == nil:
		return s.names(projection.WithValues(other.Body, s.leaves()))
	}
	return s.names(paths.Filter(s.leaves(), func(path paths.Path) bool { return paths.Touches(other.Fields, path) }))
}

// removed returns the fields of the share that the other one removes and does not set, and those with one owner of
// which the other one removes a part.
func (s Share) removed(other Share) []string {
	set, gone := other.Fields, paths.NewSet()
	if set == nil {
		set = projection.WithValues(other.Body, paths.OrEmpty(s.Fields))
	}
	paths.Walk(paths.OrEmpty(s.Fields).Leaves(), func(path paths.Path, _ bool) {
		at := other.Removes.Start()
		for _, element := range path {
			at = at.Element(element)
		}
		if !at.Alive() || paths.Touches(set, path) {
			return
		}
		if paths.IsKeyField(path) {
			path = path[:len(path)-1]
		}
		gone.Insert(path.Copy())
	})
	return s.names(paths.Outermost(gone))
}

// leaves returns the fields that the share applies, without the keys of list items.
func (s Share) leaves() *paths.Set {
	return paths.Filter(paths.OrEmpty(s.Fields).Leaves(), func(path paths.Path) bool { return !paths.IsKeyField(path) })
}

// names prints fields of the share, which knows which of their paths tell a secret.
func (s Share) names(fields *paths.Set) []string {
	var names []string
	paths.Walk(fields, func(path paths.Path, _ bool) { names = append(names, s.Names.Format(path)) })
	return slices.Compact(names)
}

// Unapplied returns those of fields that are not part of what a new resource of the run has applied under this name to
// the object with this uid, nor around it; none if that is not known. It returns false if no resource does.
func Unapplied(o *Objects, uid, fieldManager string, fields *paths.Set) (rest *paths.Set, isApplied bool) {
	rest = paths.NewSet()
	o.change(At{UID: uid}, func(known *Object) {
		isApplied = slices.Contains(known.appliedBy, fieldManager)
		for _, share := range known.shares {
			if !share.IsPart || share.FieldManager != fieldManager || share.Fields == nil && share.Body == nil {
				continue
			}
			applied := share.Fields
			if applied == nil {
				applied = projection.WithValues(share.Body, fields)
			}
			rest = paths.Filter(fields, func(path paths.Path) bool { return !paths.Touches(applied, path) })
		}
	})
	return rest, isApplied
}

// writes are what resources of a run do to one object that several of them apply to.
type writes struct {
	sync.Mutex
	// before are the fields that the managers of resources owned before these wrote.
	before map[string]*paths.Set
}

// Write lets a resource with a field manager write to the object with this uid, while no other resource of the run
// does. owned are the fields that the manager owns before. Those of the managers that have written are passed to do:
// those with a value that no manager owns any more were released, and the plan of that resource has promised that they
// stay.
func (o *Objects) Write(uid, manager string, owned *paths.Set, do func(before map[string]*paths.Set) error) error {
	of := &writes{before: map[string]*paths.Set{}}
	if uid != "" {
		o.change(At{UID: uid}, func(known *Object) {
			known.written = cmp.Or(known.written, of)
			of = known.written
		})
	}
	of.Lock()
	defer of.Unlock()
	before := maps.Clone(of.before)
	delete(before, manager)
	defer func() { of.before[manager] = paths.OrEmpty(of.before[manager]).Union(paths.OrEmpty(owned)) }()
	return do(before)
}

// handover is how an object changes hands in the run.
type handover struct {
	// Giver is the field manager of the resource that gives the object up without deleting it, and adopter that of the
	// one that adopts it, under the name adoptedAs.
	Giver, adopter string
	adoptedAs      manifest.Identity
	// isTaken is true if the adopter has applied to the object.
	isTaken bool
	// appliedBy are the field managers of the parts that the run has applied for the first time.
	appliedBy []string
}

// AwaitHolder waits until the run knows whether a resource has the object with this uid: the refresh of that resource
// may not have begun. If by adopts the object, AwaitHolder waits until the resource that has read it is planned, which
// may give it up. It waits no longer if nothing moves in the run, as for an object of no resource, or for a tainted
// resource, which is not planned with its state. The objects of a set wait once.
func (r *Run) AwaitHolder(ctx context.Context, uid string, by Holder) {
	if by.Adopts {
		r.awaitQuiet(ctx, quietInPlan, func() bool {
			now := r.Objects.Of(uid).role
			return now != read && now != reading
		})
		return
	}
	awaitOnce(ctx, r, func() bool { return r.Objects.Of(uid).role != "" || r.Rounds.Current() == SecondRound })
}

// awaitOnce waits as awaitQuiet does. The objects of a set wait once.
func awaitOnce(ctx context.Context, r *Run, holds func() bool) {
	t, _ := ctx.Value(turnKey{}).(turn)
	r.awaitQuiet(ctx, quietInPlan, func() bool { return holds() || t.isSettled != nil && t.isSettled.Load() })
	if t.isSettled != nil && !holds() {
		t.isSettled.Store(true)
	}
}

// AwaitPart waits until a state of the run has a part of the object with this uid under a field manager, and returns
// whether one has by the time that nothing moves in the run: the resource of the part leaves, has another field manager
// now, or is tainted, which Terraform plans without its state.
func (r *Run) AwaitPart(ctx context.Context, uid, fieldManager string) bool {
	has := func() bool { return slices.Contains(r.Objects.Of(uid).managers, fieldManager) }
	r.awaitQuiet(ctx, quietInPlan, has)
	return has()
}

// AwaitGiver waits until a resource gives up the object with this uid, and returns its field manager. It returns "" if
// none does by the time that nothing moves in the run.
func (r *Run) AwaitGiver(ctx context.Context, uid string) string {
	awaitOnce(ctx, r, func() bool { return r.Objects.Of(uid).Giver != "" })
	return r.Objects.Of(uid).Giver
}

// AwaitLeaving returns whether the plan deletes or replaces an object with one of these uids by a resource of its own.
// It waits until all are planned, but no longer than something moves in the run. isDestroy is true if the plan deletes
// all that it has.
func (r *Run) AwaitLeaving(ctx context.Context, uids []string, isDestroy bool) (leaves func(uid string) bool) {
	defer r.Waits.Begin(ctx)()
	leaves = func(uid string) bool {
		known := r.Objects.Of(uid)
		// A recreated object leaves the state, and is not deleted.
		return known.Recreated == nil && (known.IsLeaving || known.IsReplaced || isDestroy && known.role == kept)
	}
	r.awaitQuiet(ctx, quietInPlan, func() bool {
		return !slices.ContainsFunc(uids, func(uid string) bool { return !leaves(uid) })
	})
	return leaves
}

// NoteTaken notes that a resource has applied to the object with this uid, which it adopts or creates.
func (o *Objects) NoteTaken(uid string) {
	o.change(At{UID: uid}, func(known *Object) { known.isTaken = true })
}

// NoteApplied notes that a new resource has applied a part of the object with this uid.
func NoteApplied(o *Objects, uid, fieldManager string) {
	o.change(At{UID: uid}, func(known *Object) { known.appliedBy = append(known.appliedBy, fieldManager) })
}

// AwaitTakers waits until other resources have taken all objects with these uids, which one resource is about to
// release: an object should not be without an owner in between. It gives up if no operation of the run makes progress:
// perhaps no resource takes them.
func (r *Run) AwaitTakers(ctx context.Context, uids []string) {
	if len(uids) == 0 {
		return
	}
	defer r.Waits.Begin(ctx)()
	r.awaitQuiet(ctx, quietInPlan, func() bool {
		return !slices.ContainsFunc(uids, func(uid string) bool { return !r.Objects.Of(uid).isTaken })
	})
}

// Adopter returns the field manager of the resource of this run that adopts the object; false if none does. The
// resource that had it in its state then does not delete it.
func (o Object) Adopter() (fieldManager string, is bool) { return o.adopter, o.role == adopted }

// Adopt lets a resource without a state adopt the object with this uid as a field manager, in its plan and in its
// apply. If a resource with a state keeps the object, including this one before its replacement, it returns an
// [*AlreadyManagedError]. A resource that has only read it is refused by its own plan, if it has one.
func (o *Objects) Adopt(id manifest.Identity, uid, fieldManager string) (err error) {
	o.change(At{UID: uid}, func(known *Object) {
		if known.role == kept || known.role == replaced {
			err = &AlreadyManagedError{Object: id}
			return
		}
		if uid != "" {
			known.role, known.adopter, known.adoptedAs = adopted, fieldManager, id
		}
	})
	return err
}
