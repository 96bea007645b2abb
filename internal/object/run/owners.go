package run

import (
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// Owners are the objects of a run that the garbage collector deletes with others of it, by their uids. It is safe for
// concurrent use, and the zero value is empty.
type Owners struct {
	mu sync.Mutex
	// of are the uids in the owner references of an object, as the refresh has read them.
	of map[string][]string
	// stay are the objects that the plan keeps, and end those that it deletes or replaces.
	stay, end map[string]manifest.Identity
}

// Orphan is an object that a plan keeps, and that the garbage collector deletes with its last owner.
type Orphan struct{ Object, Owner manifest.Identity }

// NoteRefreshed holds an object for the plan of one resource, and notes its owners.
func (r *Run) NoteRefreshed(observed record.Observed) {
	r.Refreshed.Hold(observed)
	references := (&unstructured.Unstructured{Object: observed.Live}).GetOwnerReferences()
	if len(references) == 0 {
		return
	}
	r.Owners.mu.Lock()
	defer r.Owners.mu.Unlock()
	if r.Owners.of == nil {
		r.Owners.of = map[string][]string{}
	}
	var uids []string
	for _, owner := range references {
		uids = append(uids, string(owner.UID))
	}
	r.Owners.of[observed.UID] = uids
}

// NoteStay notes that a plan keeps an object. It returns the object if all its owners were planned to be deleted.
func (o *Owners) NoteStay(id manifest.Identity, uid string) []Orphan {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.of[uid]) == 0 {
		return nil
	}
	if o.stay == nil {
		o.stay = map[string]manifest.Identity{}
	}
	o.stay[uid] = id
	return o.orphaned(uid)
}

// NoteEnd notes that a plan deletes or replaces an object. It returns the objects that were planned to stay and have no
// owner but this one and others that are deleted.
func (o *Owners) NoteEnd(id manifest.Identity, uid string) []Orphan {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.end == nil {
		o.end = map[string]manifest.Identity{}
	}
	o.end[uid] = id
	var orphans []Orphan
	for other := range o.stay {
		if slices.Contains(o.of[other], uid) {
			orphans = append(orphans, o.orphaned(other)...)
		}
	}
	return orphans
}

// orphaned returns the object with this uid if all its owners end.
func (o *Owners) orphaned(uid string) []Orphan {
	for _, owner := range o.of[uid] {
		if _, ends := o.end[owner]; !ends {
			return nil
		}
	}
	return []Orphan{{o.stay[uid], o.end[o.of[uid][0]]}}
}
