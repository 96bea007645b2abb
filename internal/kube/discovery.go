package kube

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
	clientdiscovery "k8s.io/client-go/discovery"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

const (
	// missAge is how old a load has to be before a kind that it does not have is worth another one.
	missAge = time.Second
	// loadTimeout limits one load. A load continues when the caller that started it ends, because others wait for it.
	loadTimeout = 60 * time.Second
	// failureAge is how long a failed load answers for the next ones: a cluster that is out of reach costs
	// one of Terraform's parallel slots the time to find out, and not once for each of its objects.
	failureAge = 20 * time.Second
)

// resource is where a kind is served.
type resource struct {
	version schema.GroupVersion
	// plural is the kind's segment of the URL, "deployments".
	plural string
	scope  cluster.Scope
	// hasStatus says that status is a subresource.
	hasStatus bool
}

// catalog is one load of discovery.
type catalog struct {
	kinds map[schema.GroupVersionKind]resource
	// failed are the groups whose own API server did not answer, each with the reason.
	failed          map[schema.GroupVersion]error
	began, finished time.Time
}

// loading is a load under way; done is closed when catalog and err are set.
type loading struct {
	done    chan struct{}
	catalog *catalog
	err     error
}

// discovery knows which kinds the API server serves. It is loaded when it is first needed and kept for
// the life of the process; a kind that it does not have loads it again, once for all that miss a kind at
// the same time.
type discovery struct {
	load func(context.Context) (*catalog, error)
	// lists says whether the server's list of one version, which is not cached anywhere, has a kind.
	lists func(context.Context, schema.GroupVersionKind) (bool, error)
	// blame returns the credential plugin's error for a wait that the plugin made too long, else the error itself.
	blame func(error) error
	now   func() time.Time

	mu      sync.Mutex
	current *catalog
	flight  *loading
	// failed is the last load where that failed, at failedAt.
	failed   *loading
	failedAt time.Time
}

func newDiscovery(connection *connect.Connection, retrier *retrier) (*discovery, error) {
	client, err := clientdiscovery.NewDiscoveryClientForConfigAndClient(connection.Config, connection.HTTP)
	if err != nil {
		return nil, err
	}
	return &discovery{
		load: func(ctx context.Context) (*catalog, error) {
			var loaded *catalog
			err := retrier.do(ctx, idempotent, func() error {
				var err error
				loaded, err = loadCatalog(ctx, client)
				return err
			})
			return loaded, err
		},
		lists: func(ctx context.Context, gvk schema.GroupVersionKind) (bool, error) {
			var listed bool
			err := retrier.do(ctx, idempotent, func() error {
				var err error
				listed, err = listsKind(ctx, client, gvk)
				return err
			})
			return listed, err
		},
		blame: connection.Blame,
		now:   time.Now,
	}, nil
}

// resolve finds a kind. It sends nothing while the last load has the kind; a kind that a load of the last
// second does not have counts as not served, so a caller that waits for a CustomResourceDefinition asks
// again after missAge.
func (d *discovery) resolve(ctx context.Context, apiVersion, kind string) (resource, error) {
	id := manifest.Identity{APIVersion: apiVersion, Kind: kind}
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return resource{}, &cluster.Error{Reason: cluster.ReasonBadRequest, Object: id, Message: fmt.Sprintf("%q is not an apiVersion", apiVersion), Cause: err}
	}
	gvk := gv.WithKind(kind)
	asked := d.now()
	known, flight := d.lookup(asked, func(c *catalog) bool {
		_, found := c.kinds[gvk]
		return found || !c.began.Before(asked) || asked.Sub(c.finished) <= missAge
	})
	if flight != nil {
		select {
		case <-flight.done:
			known, err = flight.catalog, flight.err
		case <-ctx.Done():
			err = d.blame(ctx.Err())
		}
		if err != nil {
			return resource{}, loadError(ctx, id, err)
		}
	}
	return known.find(gvk)
}

// find returns where the catalog has a kind.
func (c *catalog) find(gvk schema.GroupVersionKind) (resource, error) {
	gv := gvk.GroupVersion()
	id := manifest.Identity{APIVersion: gv.String(), Kind: gvk.Kind}
	if found, ok := c.kinds[gvk]; ok {
		return found, nil
	}
	if err, ok := c.failed[gv]; ok {
		return resource{}, &cluster.Error{
			Reason:  cluster.ReasonServer,
			Object:  id,
			Message: fmt.Sprintf("the cluster registers %s, but the API server behind it does not answer discovery", gv),
			Cause:   err,
		}
	}
	return resource{}, &cluster.Error{
		Reason:       cluster.ReasonKindNotServed,
		Object:       id,
		Message:      fmt.Sprintf("the cluster does not serve the kind %s in %s", gvk.Kind, gv),
		Nearest:      nearest(gvk, slices.Collect(maps.Keys(c.kinds))),
		ServedIn:     c.versionsOf(gvk.GroupKind()),
		BuiltinGroup: isBuiltinGroup(gv.Group),
	}
}

// versionsOf returns the API versions that serve a kind, the newest first.
func (c *catalog) versionsOf(kind schema.GroupKind) []string {
	var versions []string
	for served := range c.kinds {
		if served.GroupKind() == kind {
			versions = append(versions, served.Version)
		}
	}
	slices.SortFunc(versions, func(a, b string) int { return version.CompareKubeAwareVersionStrings(b, a) })
	for i, name := range versions {
		versions[i] = schema.GroupVersion{Group: kind.Group, Version: name}.String()
	}
	return versions
}

// lookup gives the catalog to answer from, or the load to wait for, which it starts if none is under way.
func (d *discovery) lookup(asked time.Time, serves func(*catalog) bool) (*catalog, *loading) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.current != nil && serves(d.current) {
		return d.current, nil
	}
	if d.failed != nil && asked.Sub(d.failedAt) <= failureAge {
		return nil, d.failed
	}
	if d.flight == nil {
		d.flight = &loading{done: make(chan struct{})}
		go d.run(d.flight)
	}
	return nil, d.flight
}

// run loads discovery for everyone who waits for flight. A failed load leaves the last good one in place.
func (d *discovery) run(flight *loading) {
	ctx, cancel := context.WithTimeout(context.Background(), loadTimeout)
	defer cancel()
	began := d.now()
	loaded, err := d.load(ctx)

	d.mu.Lock()
	defer d.mu.Unlock()
	flight.catalog, flight.err = loaded, err
	d.flight, d.failed = nil, nil
	if err == nil {
		loaded.began, loaded.finished = began, d.now()
		d.current = loaded
	} else {
		d.failed, d.failedAt = flight, d.now()
	}
	close(flight.done)
}

// loadError returns the error of a failed load. A server that does not serve discovery serves no kinds at all, so the 404
// says nothing about the kind.
func loadError(ctx context.Context, id manifest.Identity, err error) *cluster.Error {
	failed := errorOf(ctx, id, err)
	if failed.Reason == cluster.ReasonKindNotServed || failed.Reason == cluster.ReasonNotFound {
		failed.Reason = cluster.ReasonServer
		failed.BuiltinGroup = false
		failed.Message = "the server does not know the path /apis: it is not a Kubernetes API server, or its URL lacks a path"
	}
	return failed
}

var (
	coreV1    = schema.GroupVersion{Version: "v1"}
	errNoCore = errors.New("the server does not list the kinds of v1")
)

// loadCatalog returns two GETs, /api and /apis, on servers with aggregated discovery (Kubernetes 1.27), and one
// more for every group version on older ones. Groups that fail are left out and remembered.
func loadCatalog(ctx context.Context, client clientdiscovery.DiscoveryInterfaceWithContext) (*catalog, error) {
	// The function, unlike the client's method of that name, does not load everything a second time when
	// one group fails.
	_, lists, err := clientdiscovery.ServerGroupsAndResourcesWithContext(ctx, client)
	failed, partial := clientdiscovery.GroupDiscoveryFailedErrorGroups(err)
	if err != nil && !partial {
		return nil, err
	}
	// client-go treats a 404 of /api as a server without core kinds. We treat the objects of a kind that is not served as
	// gone, so we must not conclude that from a missing answer.
	if !slices.ContainsFunc(lists, func(l *metav1.APIResourceList) bool { return l.GroupVersion == "v1" }) && failed[coreV1] == nil {
		return nil, errNoCore
	}
	kinds := map[schema.GroupVersionKind]resource{}
	for _, list := range lists {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			continue
		}
		withStatus := map[string]bool{}
		for _, served := range list.APIResources {
			if plural, subresource, _ := strings.Cut(served.Name, "/"); subresource == "status" {
				withStatus[plural] = true
			}
		}
		for _, served := range list.APIResources {
			// A slash makes it a subresource, whose kind belongs to another resource.
			if strings.Contains(served.Name, "/") {
				continue
			}
			scope := cluster.ScopeCluster
			if served.Namespaced {
				scope = cluster.ScopeNamespaced
			}
			if _, taken := kinds[gv.WithKind(served.Kind)]; !taken {
				kinds[gv.WithKind(served.Kind)] = resource{version: gv, plural: served.Name, scope: scope, hasStatus: withStatus[served.Name]}
			}
		}
	}
	return &catalog{kinds: kinds, failed: failed}, nil
}
