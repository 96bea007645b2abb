package run

import (
	"sync"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

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
