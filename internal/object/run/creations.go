package run

import (
	"maps"
	"strings"
	"sync"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Creations are the objects that resources of a run are to create. It is safe for concurrent use, and the zero value is
// empty.
type Creations struct {
	mu    sync.Mutex
	byKey map[key]creation
	// announced are the objects of resources with many that are not planned yet.
	announced map[manifest.Identity]bool
}

// key identifies an object, and the connection. Two connections to one cluster count as two.
type key struct {
	cluster cluster.Interface
	object  manifest.Identity
}

type creation struct {
	by NewResource
	// isNew is true if there is no object yet.
	isNew bool
}

// Plan notes that a resource is to create an object. It returns an [*AlreadyManagedError] if another resource is to
// create the same object.
func (c *Creations) Plan(api cluster.Interface, id manifest.Identity, by NewResource) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := key{api, id}
	if other, taken := c.byKey[at]; taken {
		return &AlreadyManagedError{Object: id, New: &other.by, SameBody: other.by.body == by.body}
	}
	if c.byKey == nil {
		c.byKey = map[key]creation{}
	}
	c.byKey[at] = creation{by: by}
	return nil
}

// Announce notes that a resource is going to plan the creation of an object.
func (c *Creations) Announce(id manifest.Identity) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.announced == nil {
		c.announced = map[manifest.Identity]bool{}
	}
	c.announced[id] = true
}

// planner returns the resource that is to create an object on any cluster, nil without one.
func (c *Creations) planner(id manifest.Identity) *NewResource {
	c.mu.Lock()
	defer c.mu.Unlock()
	for at, planned := range c.byKey {
		if at.object == id {
			return &planned.by
		}
	}
	return nil
}

// Forget undoes Plan, for a plan that is to be made again.
func (c *Creations) Forget(api cluster.Interface, id manifest.Identity) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.byKey, key{api, id})
}

// ForgetAnywhere does the same for an object on any cluster.
func (c *Creations) ForgetAnywhere(id manifest.Identity) {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.byKey, func(at key, _ creation) bool { return at.object == id })
}

// IsPlanned reports whether a resource of this run is to create an object, as far as is known by now.
func (c *Creations) IsPlanned(api cluster.Interface, id manifest.Identity) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, is := c.byKey[key{api, id}]
	return is || c.announced[id]
}

// DefinesGroup reports whether a resource of this run is to create a definition of a kind of a group, as far as is
// known by now.
func (c *Creations) DefinesGroup(group string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	defines := func(id manifest.Identity) bool {
		_, of, _ := strings.Cut(id.Name, ".")
		return id.IsDefinition() && of == group
	}
	for at := range c.byKey {
		if defines(at.object) {
			return true
		}
	}
	for id := range c.announced {
		if defines(id) {
			return true
		}
	}
	return false
}

// NoteNew notes that a plan has found no object under the identity of one that a resource is to create.
func (c *Creations) NoteNew(api cluster.Interface, id manifest.Identity) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if planned, is := c.byKey[key{api, id}]; is {
		planned.isNew = true
		c.byKey[key{api, id}] = planned
	}
}

// IsNew reports whether NoteNew was called for an object that a resource is to create.
func (c *Creations) IsNew(api cluster.Interface, id manifest.Identity) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.byKey[key{api, id}].isNew
}
