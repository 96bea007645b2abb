package cluster

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Get reads an object, in another API version if its own is not served any more.
func Get(ctx context.Context, api Interface, id manifest.Identity) (*unstructured.Unstructured, error) {
	live, err := api.Get(ctx, id)
	if elsewhere, is := ServedElsewhere(id, err); is {
		return api.Get(ctx, elsewhere)
	}
	return live, err
}

// ServedElsewhere returns the identity of an object in a version that serves its kind, if err shows that its own
// version does not.
func ServedElsewhere(id manifest.Identity, err error) (manifest.Identity, bool) {
	versions := servedIn(err)
	if ReasonOf(err) != ReasonKindNotServed || len(versions) == 0 {
		return id, false
	}
	id.APIVersion = versions[0]
	return id, true
}
