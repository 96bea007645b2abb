// Package helm reads the releases that Helm has stored on a cluster.
package helm

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// ID names a release of a cluster.
type ID struct{ Name, Namespace string }

// Release is a release of Helm, with the objects of its newest revision. It is safe for concurrent use.
type Release struct {
	ID
	// Chart is the name and the version of the chart, edge-1.2.0 for instance.
	Chart string
	// Records are the objects in which Helm has stored the release, without data, the oldest revision first.
	Records []*unstructured.Unstructured
	// API is the cluster.
	API cluster.Interface

	mu sync.Mutex
	// objects are those of the release, as locate returns them. left are those for which Has was not called yet.
	objects map[manifest.Identity]bool
	left    map[manifest.Identity]manifest.Identity
}

// BusyError reports a release that Helm is changing, or whose change was interrupted.
type BusyError struct {
	ID
	// Status is that of the newest revision, pending-upgrade for instance.
	Status string
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("the release %s in namespace %s is %s", e.Name, e.Namespace, e.Status)
}

// UnreadableError reports an object that has the labels of a release, and not its content.
type UnreadableError struct {
	Record manifest.Identity
	Err    error
}

func (e *UnreadableError) Error() string { return fmt.Sprintf("%s is no release: %s", e.Record, e.Err) }

// Unwrap returns what is wrong with the content.
func (e *UnreadableError) Unwrap() error { return e.Err }

// RequestError reports a request that has failed: the LIST of objects without a name, or the GET of one.
type RequestError struct {
	Objects manifest.Identity
	Err     error
}

func (e *RequestError) Error() string { return e.Err.Error() }

// Unwrap returns the error of the cluster.
func (e *RequestError) Unwrap() error { return e.Err }

// Find returns a release. It returns nil if Helm has stored no release of that name, or only the history of an
// uninstalled one. It sends a LIST of Secrets and one of ConfigMaps, and a GET if there is a release. The error is a
// *BusyError, an *UnreadableError or a *RequestError.
func Find(ctx context.Context, api cluster.Interface, id ID) (*Release, error) {
	found := &Release{ID: id, API: api}
	if err := found.list(ctx); err != nil || len(found.Records) == 0 {
		return nil, err
	}
	newest := found.Records[len(found.Records)-1]
	switch status := newest.GetLabels()["status"]; status {
	case "deployed", "failed", "superseded":
	case "uninstalled":
		return nil, nil
	default:
		return nil, &BusyError{id, status}
	}
	record := manifest.IdentityOf(newest)
	full, err := api.Get(ctx, record)
	if err != nil {
		return nil, &RequestError{record, err}
	}
	revision, err := decode(full)
	if err != nil {
		return nil, &UnreadableError{record, err}
	}
	found.Chart = revision.chart
	found.hold(ctx, revision.objects)
	return found, nil
}

func (r *Release) list(ctx context.Context) error {
	for _, kind := range []string{"Secret", "ConfigMap"} {
		query := cluster.ListQuery{APIVersion: "v1", Kind: kind, Namespace: r.Namespace, MetadataOnly: true,
			LabelSelector: labels.Set{"owner": "helm", "name": r.Name}.String()}
		listed, err := cluster.ListAll(ctx, r.API, query, cluster.Selection{})
		if err != nil {
			return &RequestError{query.Objects(), err}
		}
		r.Records = append(r.Records, listed.Objects...)
	}
	slices.SortFunc(r.Records, func(a, b *unstructured.Unstructured) int {
		return cmp.Compare(revisionOf(a), revisionOf(b))
	})
	return nil
}

func revisionOf(record *unstructured.Unstructured) int {
	revision, _ := strconv.Atoi(record.GetLabels()["version"])
	return revision
}

func (r *Release) hold(ctx context.Context, objects []manifest.Identity) {
	r.objects, r.left = map[manifest.Identity]bool{}, map[manifest.Identity]manifest.Identity{}
	for _, object := range objects {
		at := r.locate(ctx, object, r.Namespace)
		object.Namespace = at.Namespace
		r.objects[at], r.left[at] = true, object
	}
}

// locate returns an object with its namespace: a given one if it names none. The group stands for the API version.
func (r *Release) locate(ctx context.Context, id manifest.Identity, namespace string) manifest.Identity {
	scope, err := r.API.Scope(ctx, id.APIVersion, id.Kind)
	switch {
	case err != nil || scope == cluster.ScopeCluster: // A kind that is not served yet has no objects.
		id.Namespace = ""
	case id.Namespace == "":
		id.Namespace = namespace
	}
	return id.InAnyVersion()
}

// Has reports whether an object is one of the release, in any version of its kind. [Release.Left] then leaves it out.
// It returns false for a nil release. It sends a GET for a CustomResourceDefinition that Helm has not stored.
func (r *Release) Has(ctx context.Context, id manifest.Identity) bool {
	if r == nil {
		return false
	}
	at := r.locate(ctx, id, r.API.DefaultNamespace())
	r.mu.Lock()
	delete(r.left, at)
	has := r.objects[at]
	r.mu.Unlock()
	return has || id.IsDefinition() && r.hasCreated(ctx, id)
}

// hasCreated reports whether Helm has created an object, and not for another release. Helm stores no subcharts, so only
// this shows what their crds/ have.
func (r *Release) hasCreated(ctx context.Context, id manifest.Identity) bool {
	live, err := r.API.Get(ctx, id)
	if err != nil {
		return false
	}
	name, isNamed := live.GetAnnotations()["meta.helm.sh/release-name"]
	namespace := live.GetAnnotations()["meta.helm.sh/release-namespace"]
	if isNamed && (ID{name, namespace}) != r.ID {
		return false
	}
	claims, _ := ownership.Parse(live.GetManagedFields())
	return slices.ContainsFunc(claims, ownership.Claim.IsOfHelm)
}

// Left returns the objects for which Has was not called yet, with their namespaces, in no particular order.
func (r *Release) Left() []manifest.Identity {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Collect(maps.Values(r.left))
}
