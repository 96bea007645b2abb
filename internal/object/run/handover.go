package run

import (
	"context"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

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
