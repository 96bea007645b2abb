package setresource

import (
	"context"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

const (
	// fewest is from how many objects of one kind and namespace a LIST is cheaper than a GET for each of them.
	fewest = 20
	// mostNeighbours is how many objects a LIST may return for each one that is wanted.
	mostNeighbours = 3
)

// lists are objects that were read by LIST.
type lists struct {
	mu      sync.Mutex
	objects map[manifest.Identity]*unstructured.Unstructured
}

// listOf reads the objects of members by LIST, if there are enough of one kind in one namespace, and not many more
// that the set does not have. What it cannot read, or does not find, is left to a GET.
func listOf(ctx context.Context, api cluster.Interface, members []*member) *lists {
	wanted := map[manifest.Identity]int{}
	for _, m := range members {
		wanted[kindOf(m.id())]++
	}
	found := &lists{objects: map[manifest.Identity]*unstructured.Unstructured{}}
	var group errgroup.Group
	group.SetLimit(parallel)
	for kind, count := range wanted {
		if count < fewest || kind.Kind == "" {
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

// readAgain reads the objects of members that change, if the refresh of the run has read them and does not hold them
// any more because there were many others. It returns nil in a plan without a refresh.
func (r *setResource) readAgain(ctx context.Context, members []*member) *lists {
	current := r.provider.Run()
	if current.Rounds.Current() != run.FirstRound {
		return nil
	}
	changed := slices.DeleteFunc(slices.Clone(members), func(m *member) bool {
		return m.state == nil || m.now.manifest.Equal(m.before.manifest) || current.Objects.Of(m.stored.UID).Live != nil
	})
	if len(changed) < fewest {
		return nil
	}
	api, status := r.provider.Look(ctx, changed[0].plan.Connection)
	if status != providerdata.Ready {
		return nil
	}
	return listOf(ctx, api, changed)
}

// kindOf returns the identity of all objects of a kind in a namespace.
func kindOf(id manifest.Identity) manifest.Identity {
	id.Name = ""
	return id
}

// read reads the objects of a kind in a namespace, of which count are wanted.
func (l *lists) read(ctx context.Context, api cluster.Interface, of manifest.Identity, count int) {
	query := cluster.ListQuery{APIVersion: of.APIVersion, Kind: of.Kind, Namespace: of.Namespace}
	selected, err := cluster.ListAll(ctx, api, query, cluster.Selection{Limit: mostNeighbours * count})
	if err != nil || selected.Truncated {
		return // The GETs have the errors.
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, object := range selected.Objects {
		id := of
		id.Name = object.GetName()
		l.objects[id] = object
	}
}

// of returns the object of a member; nil if it was not read.
func (l *lists) of(m *member) *unstructured.Unstructured {
	if l == nil {
		return nil
	}
	return l.objects[m.id()]
}
