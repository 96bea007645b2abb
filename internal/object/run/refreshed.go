package run

import (
	"slices"

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
	o.change(At{API: api, Object: prior.Object}, func(known *Object) {
		if known.targets == nil {
			known.targets = map[string]record.Prior{}
		}
		known.targets[fieldManager] = prior
	})
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
	o.change(At{API: api, Object: snapshot.Object}, func(known *Object) {
		if known.parts == nil {
			known.parts = map[string]record.Snapshot{}
		}
		known.parts[fieldManager] = snapshot
	})
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
