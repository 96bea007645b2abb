package kube

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientdiscovery "k8s.io/client-go/discovery"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

const (
	// lingerFor is how long discovery may still list a kind whose definition is gone.
	lingerFor = 3 * time.Second
	// lingerPause is the time between two looks.
	lingerPause = 500 * time.Millisecond
)

// confirmUnserved checks an error that says that the kind of an object is not served, which would take the
// object along. Such a 404 can come from anything on the way to the server. It is believed, and returned,
// where a new load of discovery lacks the kind too; otherwise it is a *cluster.Error with ReasonServer.
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
				Reason:  cluster.ReasonServer,
				Object:  id,
				Message: fmt.Sprintf("the answer was a 404 that does not name the object, while the cluster serves %s in %s", id.Kind, id.APIVersion),
				Cause:   said,
			}
		}
		select {
		case <-ctx.Done():
			return errorOf(ctx, id, ctx.Err())
		case <-time.After(lingerPause):
		}
	}
}

// unserved returns a *cluster.Error with ReasonKindNotServed where neither discovery nor the version's own list has
// a kind, nil where the kind is served, and another error where one of the two failed. An API server that
// has just been started may not list all kinds in discovery; it answers for what it does not know with 503
// then.
func (d *discovery) unserved(ctx context.Context, gvk schema.GroupVersionKind) error {
	id := manifest.Identity{APIVersion: gvk.GroupVersion().String(), Kind: gvk.Kind}
	known, err := d.loadedSince(ctx, d.now().Add(-missAge))
	if err != nil {
		return loadError(ctx, id, err)
	}
	_, missing := known.find(gvk)
	var failed *cluster.Error
	if !errors.As(missing, &failed) || failed.Reason != cluster.ReasonKindNotServed || len(failed.ServedIn) > 0 {
		return missing
	}
	for version, err := range known.failed {
		if version.Group == gvk.Group {
			return &cluster.Error{
				Reason:  cluster.ReasonServer,
				Object:  id,
				Message: fmt.Sprintf("the cluster registers %s, but the API server behind it does not answer discovery", version),
				Cause:   err,
			}
		}
	}
	listed, err := d.lists(ctx, gvk)
	switch {
	case err != nil:
		return errorOf(ctx, id, err)
	case listed:
		return nil
	default:
		return missing
	}
}

// loadedSince returns a catalog whose load began at a time or later.
func (d *discovery) loadedSince(ctx context.Context, since time.Time) (*catalog, error) {
	for {
		known, flight := d.lookup(d.now(), func(c *catalog) bool { return !c.began.Before(since) })
		if flight == nil {
			return known, nil
		}
		select {
		case <-flight.done:
			if flight.err != nil {
				return nil, flight.err
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// listsKind sends one GET of the list of a version.
func listsKind(ctx context.Context, client clientdiscovery.DiscoveryInterfaceWithContext, gvk schema.GroupVersionKind) (bool, error) {
	list, err := client.ServerResourcesForGroupVersionWithContext(ctx, gvk.GroupVersion().String())
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(list.APIResources, func(r metav1.APIResource) bool { return r.Kind == gvk.Kind }), nil
}
