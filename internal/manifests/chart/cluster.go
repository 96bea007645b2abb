package chart

import (
	"context"
	"encoding/base64"
	"errors"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Capabilities are what templates see of a cluster as .Capabilities.
type Capabilities struct {
	// KubeVersion is the version of the API server, v1.36.3 for instance; "" is Helm's own.
	KubeVersion string
	// APIVersions are what the API server serves, as apps/v1 and apps/v1/Deployment.
	APIVersions []string
}

// Cluster is what a chart may read.
type Cluster interface {
	Capabilities(ctx context.Context) (Capabilities, error)
	// Get returns an object; nil if it does not exist, or its kind is not served.
	Get(ctx context.Context, id manifest.Identity) (map[string]any, error)
	// List returns the objects of a kind; those of all namespaces if id has none.
	List(ctx context.Context, id manifest.Identity) ([]map[string]any, error)
}

// ErrNoCluster reports a chart that reads the cluster although no cluster is connected.
var ErrNoCluster = errors.New("the chart asks for the capabilities of the cluster, or looks up objects of it")

// reader reads each object once, in all renderings.
type reader struct {
	Cluster
	read map[manifest.Identity]map[string]any
	// failed is the first error; templates turn errors into text.
	failed error
	// secrets are the data of the Secrets that were read.
	secrets []string
	// asked are the keys of the Secrets that the chart has looked up by name.
	asked map[string]bool
	// pretended are objects by their keys in place of those on the cluster; nil for one that does not exist.
	pretended map[string]map[string]any
}

func newReader(of Cluster) *reader {
	return &reader{
		Cluster: of, read: map[manifest.Identity]map[string]any{}, asked: map[string]bool{},
		pretended: map[string]map[string]any{},
	}
}

func (r *reader) pretend(key string, object map[string]any) {
	r.pretended[key] = object
	r.conceal(object)
}

// live returns an object of the cluster; nil if it does not exist.
func (r *reader) live(ctx context.Context, id manifest.Identity) (map[string]any, error) {
	if object, is := r.pretended[id.Key()]; is {
		return object, nil
	}
	if object, known := r.read[id]; known {
		return object, nil
	}
	object, err := r.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	r.read[id] = object
	if id.IsSecret() {
		r.conceal(object)
	}
	return object, nil
}

// conceal notes the data of a Secret.
func (r *reader) conceal(secret map[string]any) {
	data, _ := secret["data"].(map[string]any)
	for _, value := range data {
		text, _ := value.(string)
		r.secrets = append(r.secrets, text)
		if decoded, err := base64.StdEncoding.DecodeString(text); err == nil {
			r.secrets = append(r.secrets, string(decoded))
		}
	}
}

// lookup is the template function. It returns an object, or a list if name is "", and an empty map for an object that
// does not exist.
func (r *reader) lookup(ctx context.Context, apiVersion, kind, namespace, name string) (map[string]any, error) {
	found, err := r.find(ctx, manifest.Identity{APIVersion: apiVersion, Kind: kind, Namespace: namespace, Name: name})
	if err != nil && r.failed == nil {
		r.failed = err
	}
	if found == nil {
		found = map[string]any{}
	}
	return found, err
}

func (r *reader) find(ctx context.Context, id manifest.Identity) (map[string]any, error) {
	if r.Cluster == nil {
		return nil, ErrNoCluster
	}
	if id.Name != "" {
		if id.IsSecret() {
			r.asked[id.Key()] = true
		}
		return r.live(ctx, id)
	}
	if list, known := r.read[id]; known {
		return list, nil
	}
	objects, err := r.List(ctx, id)
	if err != nil {
		return nil, err
	}
	items := make([]any, len(objects))
	for i, object := range objects {
		items[i] = object
		if id.IsSecret() {
			r.conceal(object)
		}
	}
	list := map[string]any{"apiVersion": id.APIVersion, "kind": id.Kind + "List", "items": items}
	r.read[id] = list
	return list, nil
}
