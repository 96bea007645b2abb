package kube

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	clientdiscovery "k8s.io/client-go/discovery"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

const (
	// missAge is how old a load has to be before a kind that it does not have causes another load.
	missAge = time.Second
	// loadTimeout limits one load. A load continues when the caller that started it ends, because other callers wait
	// for it.
	loadTimeout = 60 * time.Second
	// failureAge is how long a failed load is the answer without another load: a cluster that is out of reach costs the
	// wait for it once, and not once for each of its objects.
	failureAge = 20 * time.Second
)

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
	// lists reports whether the server's list of one version, which is not cached anywhere, has a kind.
	lists func(context.Context, schema.GroupVersionKind) (bool, error)
	// unanswered returns the error of a wait that has ended; see [connect.Connection.Unanswered].
	unanswered func(error) error
	now        func() time.Time

	mu      sync.Mutex
	current *catalog
	// deleted is when definitions of the kinds of a group were deleted.
	deleted map[string]time.Time
	flight  *loading
	// failed is the last load if it failed; failedAt is when.
	failed   *loading
	failedAt time.Time
}

func newDiscovery(connection *connect.Connection, retries *retrier) (*discovery, error) {
	client, err := clientdiscovery.NewDiscoveryClientForConfigAndClient(connection.REST, connection.HTTP)
	if err != nil {
		return nil, err
	}
	return &discovery{
		load: func(ctx context.Context) (*catalog, error) {
			var loaded *catalog
			err := retries.do(ctx, idempotent, func() error {
				var err error
				loaded, err = loadCatalog(ctx, client)
				return err
			})
			return loaded, err
		},
		lists: func(ctx context.Context, gvk schema.GroupVersionKind) (bool, error) {
			var listed bool
			err := retries.do(ctx, idempotent, func() error {
				var err error
				listed, err = listsKind(ctx, client, gvk)
				return err
			})
			return listed, err
		},
		unanswered: connection.Unanswered,
		now:        time.Now,
	}, nil
}

// resolve finds a kind. It sends nothing while the last load has the kind; a kind that a load of the last
// second does not have counts as not served, so a caller that waits for a CustomResourceDefinition asks
// again after missAge.
func (d *discovery) resolve(ctx context.Context, apiVersion, kind string) (resource, error) {
	id := manifest.Identity{APIVersion: apiVersion, Kind: kind}
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return resource{}, &cluster.Error{
			Reason: cluster.ReasonBadRequest, Object: id, Message: fmt.Sprintf("%q is not an apiVersion", apiVersion),
			Cause: err,
		}
	}
	gvk := gv.WithKind(kind)
	asked := d.now()
	since := d.settled(gv.Group)
	if since.After(asked) {
		since = asked
	}
	known, flight := d.lookup(asked, func(c *catalog) bool {
		_, found := c.kinds[gvk]
		return !c.began.Before(asked) || !c.began.Before(since) && (found || asked.Sub(c.finished) <= missAge)
	})
	if flight != nil {
		if known, err = d.wait(ctx, flight); err != nil {
			return resource{}, loadError(ctx, id, err)
		}
	}
	return known.find(gvk)
}

// forget notes that a definition was deleted. One of the same name may be created with another scope.
func (d *discovery) forget(definition manifest.Identity) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.deleted == nil {
		d.deleted = map[string]time.Time{}
	}
	_, group, _ := strings.Cut(definition.Name, ".")
	d.deleted[group] = d.now()
}

// settled returns when the server's discovery lacks what was deleted of a group; the zero value if nothing was.
func (d *discovery) settled(group string) time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	if at := d.deleted[group]; !at.IsZero() {
		return at.Add(lingerFor)
	}
	return time.Time{}
}

// lookup returns the catalog to answer from, or the load to wait for, which it starts if none is under way.
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

// loadError returns the error of a failed load. A server that does not serve discovery serves no kinds at all, so the
// 404 is not about the kind.
func loadError(ctx context.Context, id manifest.Identity, err error) *cluster.Error {
	failed := errorOf(cluster.WithSecrecy(ctx, nil), id, err)
	if failed.Reason == cluster.ReasonKindNotServed || failed.Reason == cluster.ReasonNotFound {
		failed.Reason, failed.Details = cluster.ReasonServer, nil
		failed.Message = "the server does not know the path /apis: it is not a Kubernetes API server, or its URL " +
			"lacks a path"
	}
	return failed
}

// unserved returns a *cluster.Error with ReasonKindNotServed if neither discovery nor the version's own list contains a
// kind, nil if the kind is served, and another error if one of the two failed. An API server that has just been started
// may not list all kinds in discovery; it then answers 503 for paths that it does not know.
func (d *discovery) unserved(ctx context.Context, gvk schema.GroupVersionKind) error {
	id := manifest.Identity{APIVersion: gvk.GroupVersion().String(), Kind: gvk.Kind}
	known, err := d.loadedSince(ctx, d.now().Add(-missAge))
	if err != nil {
		return loadError(ctx, id, err)
	}
	_, missing := known.find(gvk)
	if !cluster.IsGone(missing) {
		return missing
	}
	// The kind may be served in a version of its group that could not be read, and then the object still exists.
	for version, err := range known.failed {
		if version.Group == gvk.Group {
			return unanswered(id, version, err)
		}
	}
	listed, err := d.lists(ctx, gvk)
	switch {
	case err != nil:
		return errorOf(cluster.WithSecrecy(ctx, nil), id, err)
	case listed:
		return nil
	default:
		return missing
	}
}

// loaded returns the last load. If nothing was loaded yet, it waits for the first load.
func (d *discovery) loaded(ctx context.Context) (*catalog, error) {
	known, flight := d.lookup(d.now(), func(*catalog) bool { return true })
	if flight == nil {
		return known, nil
	}
	return d.wait(ctx, flight)
}

// wait returns the catalog of a load once it is done. If ctx ends before, the error names the server that did not
// answer.
func (d *discovery) wait(ctx context.Context, flight *loading) (*catalog, error) {
	select {
	case <-flight.done:
		return flight.catalog, flight.err
	case <-ctx.Done():
		return nil, d.unanswered(ctx.Err())
	}
}

// loadedSince returns a catalog whose load began at a time or later.
func (d *discovery) loadedSince(ctx context.Context, since time.Time) (*catalog, error) {
	for {
		known, flight := d.lookup(d.now(), func(c *catalog) bool { return !c.began.Before(since) })
		if flight == nil {
			return known, nil
		}
		// The load under way may have begun before since, and have read a group before that time: look again.
		if _, err := d.wait(ctx, flight); err != nil {
			return nil, err
		}
	}
}

const (
	// lingerFor is how long discovery may still list a kind whose definition is gone.
	lingerFor = 3 * time.Second
	// lingerPause is the time between two checks.
	lingerPause = 500 * time.Millisecond
)

// confirmUnserved checks an error that reports that the kind of an object is not served, because the object would count
// as gone. This 404 can come from anything on the way to the server. confirmUnserved returns the error if a new load of
// discovery lacks the kind too, and otherwise a *cluster.Error with ReasonServer.
func (c *Client) confirmUnserved(ctx context.Context, id manifest.Identity, said error) error {
	if cluster.ReasonOf(said) != cluster.ReasonKindNotServed {
		return said
	}
	gvk := schema.FromAPIVersionAndKind(id.APIVersion, id.Kind)
	for began := time.Now(); ; {
		if err := c.discovery.unserved(ctx, gvk); err != nil {
			return about(id, err)
		}
		if time.Since(began) >= lingerFor {
			return &cluster.Error{
				Reason: cluster.ReasonServer,
				Object: id,
				Message: fmt.Sprintf(
					"the answer was a 404 that does not name the object, while the cluster serves %s in %s", id.Kind,
					id.APIVersion),
				Cause: said,
			}
		}
		if !cluster.Pause(ctx, lingerPause) {
			return errorOf(ctx, id, ctx.Err())
		}
	}
}
