package run

import (
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// mostRefreshed is the number of objects that are held at once. Terraform plans each object right after it was read,
// and works on ten at a time by default; a refresh without plans leaves the oldest behind.
const mostRefreshed = 256

// Refreshed holds the objects that a run has read until they are planned: once for each resource that has read the
// object, because several resources may apply to it. The messages of a plan take live values from there, without a
// request. It is safe for concurrent use, and the zero value is empty.
type Refreshed struct {
	mu      sync.Mutex
	objects map[string]refreshed
	order   []string
}

// refreshed is an object that was read, and by how many resources that are not planned yet.
type refreshed struct {
	live    map[string]any
	readers int
}

// Hold holds an object for the plan of one resource. It must not be mutated from then on.
func (s *Refreshed) Hold(observed record.Observed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.objects == nil {
		s.objects = map[string]refreshed{}
	}
	held, seen := s.objects[observed.UID]
	if !seen {
		s.order = append(s.order, observed.UID)
	}
	s.objects[observed.UID] = refreshed{observed.Live, held.readers + 1}
	// TakeOut leaves the uids of its objects in the order, so both lengths need a limit.
	for len(s.objects) > mostRefreshed || len(s.order) > 2*mostRefreshed {
		delete(s.objects, s.order[0])
		s.order = s.order[1:]
	}
}

// HoldLive holds an object that was read again for the plan of one resource. It must not be mutated from then on.
func (s *Refreshed) HoldLive(live *unstructured.Unstructured) {
	s.Hold(record.Observed{UID: string(live.GetUID()), Live: live.Object})
}

// Look returns the object with this uid as it was read last; nil if it was not read, or taken out.
func (s *Refreshed) Look(uid string) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.objects[uid].live
}

// TakeOut returns the object with this uid as it was read last, and stops holding it for one resource; nil if it was
// not read.
func (s *Refreshed) TakeOut(uid string) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	held := s.objects[uid]
	if held.readers--; held.readers > 0 {
		s.objects[uid] = held
	} else {
		delete(s.objects, uid)
	}
	return held.live
}

// Targets holds the objects that plans have read for parts, until their applies. Terraform passes nothing from the plan
// to the apply that creates a resource, and no live object to one that updates it. It is safe for concurrent use, and
// the zero value is empty.
type Targets struct {
	mu   sync.Mutex
	seen map[target]record.Prior
}

// target is an object, and the field manager that is to apply a part to it.
type target struct {
	key
	fieldManager string
}

// Hold holds what a plan has read.
func (t *Targets) Hold(api cluster.Interface, fieldManager string, prior record.Prior) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.seen == nil {
		t.seen = map[target]record.Prior{}
	}
	t.seen[target{key{api, prior.Object}, fieldManager}] = prior
}

// TakeOut returns what a plan has read of an object, once. It returns the zero Prior if no plan of this process has
// read it.
func (t *Targets) TakeOut(api cluster.Interface, fieldManager string, id manifest.Identity) record.Prior {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := target{key{api, id}, fieldManager}
	defer delete(t.seen, at)
	return t.seen[at]
}
