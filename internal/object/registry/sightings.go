package registry

import (
	"sync"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// mostSightings is the number of objects that are held at once. Terraform plans each object right after it was read,
// and works on ten at a time by default; a refresh without plans leaves the oldest behind.
const mostSightings = 256

// Sightings hold the objects that a run has read until they are planned. The messages of a plan take live values
// from there, without a request. It is safe for concurrent use, and the zero value is empty.
type Sightings struct {
	mu      sync.Mutex
	objects map[string]map[string]any
	order   []string
}

// See holds an object, which must not be mutated from then on.
func (s *Sightings) See(observed record.Observed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.objects == nil {
		s.objects = map[string]map[string]any{}
	}
	if _, seen := s.objects[observed.UID]; !seen {
		s.order = append(s.order, observed.UID)
	}
	s.objects[observed.UID] = observed.Live
	for len(s.objects) > mostSightings || len(s.order) > 2*mostSightings {
		delete(s.objects, s.order[0])
		s.order = s.order[1:]
	}
}

// Take returns the object with this uid as it was read last, and stops holding it; nil if it was not read.
func (s *Sightings) Take(uid string) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	live := s.objects[uid]
	delete(s.objects, uid)
	return live
}
