package run

import (
	"context"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// mostRefreshed is the number of objects that are held at once. Terraform plans each object right after it was read,
// and works on ten at a time by default; a refresh without plans leaves the oldest behind.
const mostRefreshed = 256

// HoldLive holds an object that was read for the plan of one resource: several resources may apply to it. The messages
// of the plan take live values from there, without a request. It must not be mutated from then on.
func (o *Objects) HoldLive(uid string, live map[string]any) {
	o.change(At{UID: uid}, func(known *Object) {
		if known.readers == 0 {
			o.held++
			o.refreshed = append(o.refreshed, uid)
		}
		known.readers++
		known.Live = live
		// TakeLive leaves the uids of its objects in the order, so both lengths need a limit.
		for o.held > mostRefreshed || len(o.refreshed) > 2*mostRefreshed {
			o.release(o.at(At{UID: o.refreshed[0]}))
			o.refreshed = o.refreshed[1:]
		}
	})
}

// release ends the hold of an object, if there is one. The caller holds o.mu.
func (o *Objects) release(known *Object) {
	if known.readers > 0 {
		o.held--
	}
	known.readers, known.Live = 0, nil
}

// TakeLive returns the object with this uid as it was read last, and stops holding it for one resource; nil if it was
// not read.
func (o *Objects) TakeLive(uid string) (live map[string]any) {
	o.change(At{UID: uid}, func(known *Object) {
		if live = known.Live; known.readers > 1 {
			known.readers--
		} else {
			o.release(known)
		}
	})
	return live
}

// HoldTarget holds what a plan has read of the object of a part, until its apply. Terraform passes nothing from the
// plan to the apply that creates a resource, and no live object to one that updates it.
func (o *Objects) HoldTarget(api cluster.Interface, fieldManager string, prior record.Prior) {
	o.change(At{API: api, Object: prior.Object}, func(known *Object) { known.targets[fieldManager] = prior })
}

// TakeTarget returns what a plan has read of an object, once. It returns the zero Prior if no plan of this process has
// read it.
func (o *Objects) TakeTarget(api cluster.Interface, fieldManager string, id manifest.Identity) (prior record.Prior) {
	o.change(At{API: api, Object: id}, func(known *Object) {
		prior = known.targets[fieldManager]
		delete(known.targets, fieldManager)
	})
	return prior
}

// NotePart notes what the refresh has read for a part.
func NotePart(o *Objects, api cluster.Interface, fieldManager string, snapshot record.Snapshot) {
	o.change(At{API: api, Object: snapshot.Object}, func(known *Object) { known.parts[fieldManager] = snapshot })
	NoteManager(o, snapshot.UID, fieldManager)
}

// NoteManager notes that a state has a part of the object with this uid under a field manager.
func NoteManager(o *Objects, uid, fieldManager string) {
	o.change(At{UID: uid}, func(known *Object) { known.managers = append(known.managers, fieldManager) })
}

// TakePart returns what the refresh has read for the part of a field manager, once; an empty snapshot without a
// refresh. With orOnly, it may be the part of another one, if the refresh has read one that was not planned since: the
// field manager of a tainted resource may have changed.
func TakePart(o *Objects, at At, fieldManager string, orOnly bool) (snapshot record.Snapshot) {
	o.change(at, func(known *Object) {
		if _, is := known.parts[fieldManager]; !is && orOnly && len(known.parts) == 1 {
			for only := range known.parts {
				fieldManager = only
			}
		}
		snapshot = known.parts[fieldManager]
		delete(known.parts, fieldManager)
	})
	return snapshot
}

// Orphan is an object that a plan keeps, and that the garbage collector deletes with its last owner.
type Orphan struct{ Object, Owner manifest.Identity }

// NoteRefreshed holds an object for the plan of one resource, and notes its owners.
func (o *Objects) NoteRefreshed(observed record.Observed) {
	o.HoldLive(observed.UID, observed.Live)
	references := (&unstructured.Unstructured{Object: observed.Live}).GetOwnerReferences()
	if len(references) == 0 {
		return
	}
	var owners []string
	for _, owner := range references {
		owners = append(owners, string(owner.UID))
	}
	o.change(At{UID: observed.UID}, func(known *Object) {
		if known.owners == nil {
			o.owned = append(o.owned, known)
		}
		known.owners = owners
	})
}

// NoteStay notes that a plan keeps an object. It returns the object if all its owners were planned to be deleted.
func (o *Objects) NoteStay(id manifest.Identity, uid string) (orphans []Orphan) {
	o.change(At{UID: uid}, func(known *Object) {
		if len(known.owners) > 0 {
			known.stays, orphans = &id, o.orphaned(known, id)
		}
	})
	return orphans
}

// NoteEnd notes that a plan deletes or replaces an object. It returns the objects that were planned to stay and have no
// owner but this one and others that are deleted.
func (o *Objects) NoteEnd(id manifest.Identity, uid string) (orphans []Orphan) {
	o.change(At{UID: uid}, func(known *Object) {
		known.ends = &id
		for _, other := range o.owned {
			if other.stays != nil && slices.Contains(other.owners, uid) {
				orphans = append(orphans, o.orphaned(other, *other.stays)...)
			}
		}
	})
	return orphans
}

// orphaned returns an object if all its owners end. The caller holds o.mu.
func (o *Objects) orphaned(known *Object, id manifest.Identity) []Orphan {
	for _, owner := range known.owners {
		if o.at(At{UID: owner}).ends == nil {
			return nil
		}
	}
	return []Orphan{{id, *o.at(At{UID: known.owners[0]}).ends}}
}

// WithoutDryRun are the objects that a run plans without a dry-run, because its user may not write them. It is safe for
// concurrent use, and the zero value is empty.
type WithoutDryRun struct {
	mu      sync.Mutex
	objects map[At]bool
	rights  []*cluster.MissingRightError
	// reported is how many objects were reported; isReporting is true while an operation waits to report more.
	reported    int
	isReporting bool
}

// Note notes an object, and the rights that are missing.
func (w *WithoutDryRun) Note(api cluster.Interface, id manifest.Identity, rights []*cluster.MissingRightError) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.objects == nil {
		w.objects = map[At]bool{}
	}
	w.objects[At{API: api, Object: id}] = true
	for _, right := range rights {
		isSame := func(other *cluster.MissingRightError) bool { return *other == *right }
		if !slices.ContainsFunc(w.rights, isSame) {
			w.rights = append(w.rights, right)
		}
	}
}

// begin reports whether objects are to be reported, and no other operation does that.
func (w *WithoutDryRun) begin() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.isReporting || len(w.objects) == w.reported {
		return false
	}
	w.isReporting = true
	return true
}

// end returns the number of objects so far, and the rights that they lack, in order.
func (w *WithoutDryRun) end() (objects int, rights []*cluster.MissingRightError) {
	w.mu.Lock()
	defer w.mu.Unlock()
	// This report has the objects that were noted during its wait, too.
	w.isReporting, w.reported = false, len(w.objects)
	rights = slices.Clone(w.rights)
	slices.SortFunc(rights, (*cluster.MissingRightError).Compare)
	return w.reported, rights
}

// AwaitWithoutDryRun returns how many objects the run has planned without a dry-run so far, and the rights that are
// missing, in order. So that one operation reports all of them, it waits until nothing moves in the run for half a
// second. It returns 0 if there is nothing to report, or if another operation reports it.
func (r *Run) AwaitWithoutDryRun(ctx context.Context) (objects int, rights []*cluster.MissingRightError) {
	if !r.WithoutDryRun.begin() {
		return 0, nil
	}
	r.awaitQuiet(ctx, quietInPlan, never)
	return r.WithoutDryRun.end()
}

func never() bool { return false }

// awaitQuiet waits until holds returns true. It returns earlier if no operation of the run begins or ends for a time.
func (r *Run) awaitQuiet(ctx context.Context, still time.Duration, holds func() bool) {
	// isQuiet compares operations with waits. Without an entry of its own, this operation would keep the run busy.
	queued := r.Waits.enter(false)
	defer r.Waits.leave(queued, false)
	for !holds() && !r.Waits.isQuiet(still) {
		select {
		case <-ctx.Done():
			return
		case <-queued.giveWay:
			return
		case <-time.After(quietInPlan / 20):
		}
	}
}
