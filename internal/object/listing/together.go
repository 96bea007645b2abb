package listing

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

const (
	// Fewest is from how many objects of one kind and namespace a LIST is cheaper than a GET for each of them.
	Fewest = 20
	// mostNeighbours is how many objects a LIST may return for each one that is wanted.
	mostNeighbours = 3
	// mostLists is how many LISTs run at a time.
	mostLists = 20
)

// Together are objects that were read by LIST.
type Together struct {
	mu      sync.Mutex
	objects map[manifest.Identity]*unstructured.Unstructured
}

// ReadTogether reads objects by LIST, if there are enough of one kind in one namespace, and not many more on the
// cluster that are not wanted. Objects that it cannot read or does not find are left to a GET.
func ReadTogether(ctx context.Context, api cluster.Interface, ids []manifest.Identity) *Together {
	wanted := map[manifest.Identity]int{}
	for _, id := range ids {
		id.Name = ""
		wanted[id]++
	}
	found := &Together{objects: map[manifest.Identity]*unstructured.Unstructured{}}
	var group errgroup.Group
	group.SetLimit(mostLists)
	for kind, count := range wanted {
		if count < Fewest || kind.Kind == "" {
			continue
		}
		group.Go(func() error {
			found.read(ctx, api, kind, count)
			return nil
		})
	}
	_ = group.Wait()
	return found
}

// read reads the objects of a kind in a namespace, of which count are wanted.
func (t *Together) read(ctx context.Context, api cluster.Interface, of manifest.Identity, count int) {
	query := cluster.ListQuery{APIVersion: of.APIVersion, Kind: of.Kind, Namespace: of.Namespace}
	selected, err := cluster.ListAll(ctx, api, query, cluster.Selection{Limit: mostNeighbours * count})
	if err != nil || selected.Truncated {
		return // The GETs have the errors.
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, object := range selected.Objects {
		id := of
		id.Name = object.GetName()
		t.objects[id] = object
	}
}

// Of returns an object; nil if it was not read.
func (t *Together) Of(id manifest.Identity) *unstructured.Unstructured {
	if t == nil {
		return nil
	}
	return t.objects[id]
}
