package run

import (
	"maps"
	"sync"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// writes are what resources of a run do to one object that several of them apply to.
type writes struct {
	sync.Mutex
	// before are the fields that the managers of resources owned before these wrote.
	before map[string]*paths.Set
}

// Write lets a resource with a field manager write to the object with this uid, while no other resource of the run
// does. owned are the fields that the manager owns before. Those of the managers that have written are passed to do:
// what nobody owns of them any more, and still has a value, was let go, and its plan has promised that it stays.
func (o *Objects) Write(uid, manager string, owned *paths.Set, do func(before map[string]*paths.Set) error) error {
	of := o.writesTo(uid)
	of.Lock()
	defer of.Unlock()
	before := maps.Clone(of.before)
	delete(before, manager)
	defer func() { of.before[manager] = paths.OrEmpty(of.before[manager]).Union(paths.OrEmpty(owned)) }()
	return do(before)
}

func (o *Objects) writesTo(uid string) *writes {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.written == nil {
		o.written = map[string]*writes{}
	}
	if o.written[uid] == nil || uid == "" {
		o.written[uid] = &writes{before: map[string]*paths.Set{}}
	}
	return o.written[uid]
}
