package listing

import (
	"context"
	"maps"
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

// Page contains objects that were read by LIST.
type Page map[manifest.Identity]*unstructured.Unstructured

// ReadPages reads objects by LIST, if there are enough of one kind in one namespace, and not many more on the cluster
// that are not wanted. It calls take with the objects of each page, one page at a time, so that not all of them have to
// be in memory, and until all are found. Objects that it cannot read or does not find are left to a GET. If a list has to start again, objects
// come twice.
func ReadPages(ctx context.Context, api cluster.Interface, ids []manifest.Identity, take func(Page)) {
	wanted := map[manifest.Identity]map[string]bool{}
	for _, id := range ids {
		name := id.Name
		if id.Name = ""; wanted[id] == nil {
			wanted[id] = map[string]bool{}
		}
		wanted[id][name] = true
	}
	var taking sync.Mutex
	var group errgroup.Group
	group.SetLimit(mostLists)
	for kind, names := range wanted {
		if len(names) < Fewest || kind.Kind == "" {
			continue
		}
		group.Go(func() error {
			readPages(ctx, api, kind, names, func(page Page) {
				taking.Lock()
				defer taking.Unlock()
				take(page)
			})
			return nil
		})
	}
	_ = group.Wait()
}

// readPages reads the objects of a kind in a namespace, until it has found those with the names, which it removes.
func readPages(
	ctx context.Context, api cluster.Interface, of manifest.Identity, names map[string]bool, take func(Page),
) {
	most := mostNeighbours * len(names)
	query := cluster.ListQuery{APIVersion: of.APIVersion, Kind: of.Kind, Namespace: of.Namespace}
	query.Limit = min(most, cluster.PageSize)
	read := 0
	// The GETs have the errors.
	_ = cluster.EachPage(ctx, api, query, func(objects []*unstructured.Unstructured) (next int) {
		page := make(Page, len(objects))
		for _, object := range objects {
			id := of
			id.Name = object.GetName()
			page[id] = object
			delete(names, id.Name)
		}
		take(page)
		if read += len(objects); len(names) == 0 {
			return 0
		}
		return min(max(0, most-read), cluster.PageSize)
	})
}

// ReadTogether reads objects as [ReadPages] does, and returns all of them.
func ReadTogether(ctx context.Context, api cluster.Interface, ids []manifest.Identity) Page {
	all := make(Page, len(ids))
	ReadPages(ctx, api, ids, func(page Page) { maps.Copy(all, page) })
	return all
}
