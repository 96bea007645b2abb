package ssa

import (
	"sync"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// RunRegistry records which object each resource of one run manages, so that no two resources manage the same object. A
// run is one plan or one apply, in which Terraform plans each resource once. Terraform plans resources in any
// order, and the second of two is refused. Two resources that both have a state may share an object, for example under
// two field managers.
//
// It also recognizes the object of a tainted resource, which Terraform plans as if it had no state while
// its object still exists: it was read, and no other resource keeps it.
//
// It is safe for concurrent use, and the zero value is empty.
type RunRegistry struct {
	// Waits knows the operations of the run, Rounds which plan it makes.
	Waits  WaitQueue
	Rounds Rounds

	mu        sync.Mutex
	roles     map[string]role
	created   map[place]NewResource
	protected map[string]struct{}
	unread    map[string]struct{}
}

// role is what the plans of a run make of an object that exists, by its uid.
type role string

const (
	// read was read and not planned yet.
	read role = "read"
	// kept was planned with its state: as it is, as an update, or as a deletion, which Terraform plans
	// before it reads.
	kept role = "kept"
	// replaced was planned without its state.
	replaced role = "replaced"
	// adopted will be adopted by a resource that has no state of it.
	adopted role = "adopted"
)

// place is where an object is to be created. Two connections to one cluster count as two.
type place struct {
	cluster Cluster
	object  manifest.Identity
}

// Read notes that a resource's object was read.
func (l *RunRegistry) Read(uid string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, known := l.roles[uid]; !known && uid != "" {
		l.set(uid, read)
	}
}

// Unread notes that this run's refresh did not get to the object with this uid.
func (l *RunRegistry) Unread(uid string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.unread == nil {
		l.unread = map[string]struct{}{}
	}
	l.unread[uid] = struct{}{}
}

// IsUnread reports whether this run's refresh did not get to the object with this uid. An apply refreshes
// nothing, so this also tells the first of Terraform's two plans from the second.
func (l *RunRegistry) IsUnread(uid string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, is := l.unread[uid]
	return is
}

// Keep notes that a resource was planned with its state. The object that another one is to replace or to
// adopt is an *AlreadyManagedError.
func (l *RunRegistry) Keep(prior Prior) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case prior.Snapshot.UID == "":
		// Nobody has seen the object.
	case l.roles[prior.Snapshot.UID] == replaced:
		return &AlreadyManagedError{Object: prior.Object}
	case l.roles[prior.Snapshot.UID] == adopted:
		return &AlreadyManagedError{Object: prior.Object, New: l.creatorOf(prior.Object)}
	default:
		l.set(prior.Snapshot.UID, kept)
	}
	return nil
}

// Protect notes that a state forbids to delete the object with this uid.
func (l *RunRegistry) Protect(uid string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.protected == nil {
		l.protected = map[string]struct{}{}
	}
	l.protected[uid] = struct{}{}
}

func (l *RunRegistry) isProtected(uid string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, is := l.protected[uid]
	return is
}

// Leave notes that a resource's object is to be deleted, which Terraform plans before it reads.
func (l *RunRegistry) Leave(uid string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, known := l.roles[uid]; !known && uid != "" {
		l.set(uid, kept)
	}
}

// IsAdopted reports whether a resource of this run adopts the object with this uid. The resource that had it in its
// state then does not delete it.
func (l *RunRegistry) IsAdopted(uid string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return uid != "" && l.roles[uid] == adopted
}

// stands reports whether a resource has, or had, a state of the object with this uid.
func (l *RunRegistry) stands(uid string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	by, known := l.roles[uid]
	return known && by != adopted
}

// create notes that a resource is to create an object. One that another resource is to create is an
// *AlreadyManagedError.
func (l *RunRegistry) create(cluster Cluster, id manifest.Identity, by NewResource) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := place{cluster, id}
	if other, taken := l.created[at]; taken {
		return &AlreadyManagedError{Object: id, New: &other, SameBody: other.body == by.body}
	}
	if l.created == nil {
		l.created = map[place]NewResource{}
	}
	l.created[at] = by
	return nil
}

// creatorOf returns the resource that is to create an object on any cluster, nil without one.
func (l *RunRegistry) creatorOf(id manifest.Identity) *NewResource {
	for at, by := range l.created {
		if at.object == id {
			return &by
		}
	}
	return nil
}

// forget takes back what create noted, for a plan that is to be made again.
func (l *RunRegistry) forget(cluster Cluster, id manifest.Identity) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.created, place{cluster, id})
}

// creates reports whether a resource of this run is to create an object, as far as is known by now.
func (l *RunRegistry) creates(cluster Cluster, id manifest.Identity) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, is := l.created[place{cluster, id}]
	return is
}

// replace lets a resource without a state replace the object with this uid. If no resource manages the object, it
// returns an *AlreadyExistsError; if another resource does, an *AlreadyManagedError.
func (l *RunRegistry) replace(id manifest.Identity, uid string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch l.roles[uid] {
	case read:
		l.set(uid, replaced)
		return nil
	case kept, replaced, adopted:
		return &AlreadyManagedError{Object: id}
	default:
		return &AlreadyExistsError{Object: id}
	}
}

// adopt lets a resource without a state adopt the object with this uid, in its plan and in its apply. If a resource
// with a state manages the object, including this one before its replacement, it returns an *AlreadyManagedError.
func (l *RunRegistry) adopt(id manifest.Identity, uid string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if by, known := l.roles[uid]; known && by != adopted {
		return &AlreadyManagedError{Object: id}
	}
	l.set(uid, adopted)
	return nil
}

func (l *RunRegistry) set(uid string, to role) {
	if l.roles == nil {
		l.roles = map[string]role{}
	}
	l.roles[uid] = to
}
