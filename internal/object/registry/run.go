package registry

import (
	"sync"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Run records which object each resource of one run manages, and prevents two resources from managing the same object.
// A run is one plan or one apply, in which Terraform plans each resource once. Terraform plans resources in any order,
// and Run refuses the second of two. Two resources that both have a state may share an object, for example under two
// field managers.
//
// It also recognizes the object of a tainted resource, which Terraform plans as if it had no state while
// its object still exists: the object was read, and no other resource keeps it.
//
// It is safe for concurrent use, and the zero value is empty.
type Run struct {
	// Waits holds the operations of the run, Rounds the plan that it makes.
	Waits  WaitQueue
	Rounds Rounds
	// Targets are the objects of parts, as the plans of the run have read them.
	Targets Targets

	mu        sync.Mutex
	roles     map[string]plannedRole
	created   map[creationKey]NewResource
	protected map[string]struct{}
	recreated map[string]*RecreatedError
	unread    map[string]struct{}
	shares    map[string][]Share
}

// plannedRole is how a run plans an existing object.
type plannedRole string

const (
	// reading: the object is being read.
	reading plannedRole = "reading"
	// read: the object was read and not planned yet.
	read plannedRole = "read"
	// kept: the object was planned with its state, without a change, as an update or as a deletion.
	kept plannedRole = "kept"
	// replaced: the object was planned without its state.
	replaced plannedRole = "replaced"
	// adopted: a resource that has no state of the object will adopt it.
	adopted plannedRole = "adopted"
)

// creationKey identifies an object that is to be created, and the connection. Two connections to one cluster count as
// two.
type creationKey struct {
	cluster cluster.Interface
	object  manifest.Identity
}

// BeginApply notes an operation of an apply until the function that it returns is called.
func (r *Run) BeginApply() (end func()) {
	r.Rounds.Note(SecondRound)
	return r.Waits.Begin()
}

// Reading notes that the read of a resource's object begins. No resource is planned before its own read has ended, so
// a resource without a state that is planned until then is another one.
func (r *Run) Reading(uid string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.roles[uid]; !known && uid != "" {
		r.set(uid, reading)
	}
}

// Read notes that a resource's object was read.
func (r *Run) Read(uid string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if by, known := r.roles[uid]; uid != "" && (!known || by == reading) {
		r.set(uid, read)
	}
}

// Unread notes that this run's refresh did not reach the object with this uid.
func (r *Run) Unread(uid string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.unread == nil {
		r.unread = map[string]struct{}{}
	}
	r.unread[uid] = struct{}{}
}

// IsUnread reports whether this run's refresh did not reach the object with this uid. An apply refreshes nothing, so
// this also tells the first of Terraform's two plans from the second.
func (r *Run) IsUnread(uid string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, is := r.unread[uid]
	return is
}

// Keep notes that a resource was planned with its state. It returns an *AlreadyManagedError if another
// resource is to replace or adopt the object.
func (r *Run) Keep(id manifest.Identity, uid string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case uid == "":
		// The uid is not known: no plan has read the object.
	case r.roles[uid] == replaced:
		return &AlreadyManagedError{Object: id}
	case r.roles[uid] == adopted:
		return &AlreadyManagedError{Object: id, New: r.creatorOf(id)}
	default:
		r.set(uid, kept)
	}
	return nil
}

// Protect notes that a state protects the object with this uid from deletion.
func (r *Run) Protect(uid string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.protected == nil {
		r.protected = map[string]struct{}{}
	}
	r.protected[uid] = struct{}{}
}

// IsProtected reports whether a state protects the object with this uid from deletion.
func (r *Run) IsProtected(uid string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, is := r.protected[uid]
	return is
}

// Recreate notes an object that is not the one that its resource applied to.
func (r *Run) Recreate(object *RecreatedError) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.recreated == nil {
		r.recreated = map[string]*RecreatedError{}
	}
	r.recreated[object.Is] = object
}

// Recreated returns what Recreate has noted of the object with this uid; nil without such a note.
func (r *Run) Recreated(uid string) *RecreatedError {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.recreated[uid]
}

// Leave notes that a resource's object is to be deleted. Terraform 1.11 plans that before the read, Terraform 1.16 and
// OpenTofu after it. It returns an *AlreadyManagedError if another resource is to replace the object.
func (r *Run) Leave(id manifest.Identity, uid string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case uid == "" || r.roles[uid] == adopted:
		// The uid is not known, or the resource that adopts the object keeps it.
	case r.roles[uid] == replaced:
		return &AlreadyManagedError{Object: id}
	default:
		r.set(uid, kept)
	}
	return nil
}

// IsAdopted reports whether a resource of this run adopts the object with this uid. The resource that had it in its
// state then does not delete it.
func (r *Run) IsAdopted(uid string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return uid != "" && r.roles[uid] == adopted
}

// Stands reports whether a resource has, or had, a state of the object with this uid.
func (r *Run) Stands(uid string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	by, known := r.roles[uid]
	return known && by != adopted
}

// Create notes that a resource is to create an object. It returns an *AlreadyManagedError if
// another resource is to create the same object.
func (r *Run) Create(api cluster.Interface, id manifest.Identity, by NewResource) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := creationKey{api, id}
	if other, taken := r.created[at]; taken {
		return &AlreadyManagedError{Object: id, New: &other, SameBody: other.body == by.body}
	}
	if r.created == nil {
		r.created = map[creationKey]NewResource{}
	}
	r.created[at] = by
	return nil
}

// creatorOf returns the resource that is to create an object on any cluster, nil without one.
func (r *Run) creatorOf(id manifest.Identity) *NewResource {
	for at, by := range r.created {
		if at.object == id {
			return &by
		}
	}
	return nil
}

// Forget undoes Create, for a plan that is to be made again.
func (r *Run) Forget(api cluster.Interface, id manifest.Identity) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.created, creationKey{api, id})
}

// Creates reports whether a resource of this run is to create an object, as far as is known by now.
func (r *Run) Creates(api cluster.Interface, id manifest.Identity) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, is := r.created[creationKey{api, id}]
	return is
}

// FindNew notes that a plan of this run has found no object under the identity of one that a resource is to create.
func (r *Run) FindNew(api cluster.Interface, id manifest.Identity) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if by, is := r.created[creationKey{api, id}]; is {
		by.isNew = true
		r.created[creationKey{api, id}] = by
	}
}

// IsNew reports whether a plan of this run has found no object under the identity of one that a resource is to create.
func (r *Run) IsNew(api cluster.Interface, id manifest.Identity) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.created[creationKey{api, id}].isNew
}

// Replace lets a resource without a state replace the object with this uid. If no resource manages the object, it
// returns an *AlreadyExistsError; if another resource does, an *AlreadyManagedError.
func (r *Run) Replace(id manifest.Identity, uid string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch r.roles[uid] {
	case read:
		r.set(uid, replaced)
		return nil
	case reading, kept, replaced, adopted:
		return &AlreadyManagedError{Object: id}
	default:
		return &AlreadyExistsError{Object: id}
	}
}

// Adopt lets a resource without a state adopt the object with this uid, in its plan and in its apply. If a resource
// with a state manages the object, including this one before its replacement, it returns an *AlreadyManagedError.
func (r *Run) Adopt(id manifest.Identity, uid string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if by, known := r.roles[uid]; known && by != adopted {
		return &AlreadyManagedError{Object: id}
	}
	r.set(uid, adopted)
	return nil
}

func (r *Run) set(uid string, to plannedRole) {
	if r.roles == nil {
		r.roles = map[string]plannedRole{}
	}
	r.roles[uid] = to
}
