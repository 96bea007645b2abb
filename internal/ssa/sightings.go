package ssa

import "sync"

// Sightings are the objects that one run of the provider has read for resources in the state. Terraform
// plans a tainted resource as if it had no state, while its object still stands; a plan that is about to
// create an object which was read, and which no other resource keeps, is that resource's own. Each object
// is answered for by one resource: plans run in any order, and whichever of two comes second is refused.
// It is safe for concurrent use, and the zero value is empty.
type Sightings struct {
	mu    sync.Mutex
	roles map[string]role
}

// role is what the plans of a run make of an object that was read, by uid.
type role string

const (
	// sighted was read and not planned yet.
	sighted role = "sighted"
	// kept was planned with its state: as it is, as an update, or as a deletion.
	kept role = "kept"
	// replaced was planned without its state.
	replaced role = "replaced"
)

// See notes that a resource's object was read.
func (s *Sightings) See(uid string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.roles == nil {
		s.roles = map[string]role{}
	}
	if _, known := s.roles[uid]; !known {
		s.roles[uid] = sighted
	}
}

// Keep notes that a resource was planned with its state. The object that another one is to replace is an
// *AlreadyManagedError.
func (s *Sightings) Keep(prior Prior) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch s.roles[prior.Snapshot.UID] {
	case replaced:
		return &AlreadyManagedError{Object: prior.Object}
	case sighted:
		s.roles[prior.Snapshot.UID] = kept
	}
	return nil
}

// replace lets a resource without a state replace the object with this uid. An object that no resource
// stands for is an *AlreadyExistsError, one that another resource stands for an *AlreadyManagedError.
func (s *Sightings) replace(plan Plan, uid string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch s.roles[uid] {
	case sighted:
		s.roles[uid] = replaced
		return nil
	case kept, replaced:
		return &AlreadyManagedError{Object: plan.Object}
	default:
		return &AlreadyExistsError{Object: plan.Object}
	}
}
