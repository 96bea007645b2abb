package registry

import (
	"sync"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// Targets keeps the objects that plans have read for parts, until their applies. Terraform passes nothing from the plan
// to the apply that creates a resource, and no live object to one that updates it. It is safe for concurrent use, and
// the zero value is empty.
type Targets struct {
	mu   sync.Mutex
	seen map[target]record.Prior
}

// target is an object, and the field manager that is to apply a part to it.
type target struct {
	creationKey
	fieldManager string
}

// See keeps what a plan has read.
func (t *Targets) See(api cluster.Interface, fieldManager string, prior record.Prior) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.seen == nil {
		t.seen = map[target]record.Prior{}
	}
	t.seen[target{creationKey{api, prior.Object}, fieldManager}] = prior
}

// Take returns what a plan has read of an object, once. It returns the zero Prior if no plan of this process has read
// it.
func (t *Targets) Take(api cluster.Interface, fieldManager string, id manifest.Identity) record.Prior {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := target{creationKey{api, id}, fieldManager}
	defer delete(t.seen, key)
	return t.seen[key]
}
