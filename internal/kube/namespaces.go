package kube

import (
	"cmp"
	"context"
	"slices"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/similar"
)

// maxNamespaces is how many namespaces are read to find one that may have been meant.
const maxNamespaces = "500"

// namespaces are the names of the cluster's namespaces, read once.
type namespaces struct {
	notIdempotent sync.Once
	names         []string
}

// suggestNamespace adds to an error about a missing namespace those that have a similar name: one LIST in the
// life of the client. A connection that may not list them gets no suggestion, which is no fault of its own.
func (c *Client) suggestNamespace(ctx context.Context, failed *cluster.Error) {
	if failed.Reason != cluster.ReasonNamespaceNotFound {
		return
	}
	c.namespaces.notIdempotent.Do(func() {
		request := c.rest.Get().AbsPath("api", "v1", "namespaces").Param("limit", maxNamespaces).
			SetHeader("Accept", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1")
		answer, err := request.Do(ctx).Raw()
		var list metav1.PartialObjectMetadataList
		if err != nil || json.Unmarshal(answer, &list) != nil {
			return
		}
		for _, item := range list.Items {
			c.namespaces.names = append(c.namespaces.names, item.Name)
		}
	})
	failed.Nearest = nearestNames(c.namespaceOf(failed.Object), c.namespaces.names)
}

// namespaceOf returns the namespace that an object is in, or would be if its kind were namespaced.
func (c *Client) namespaceOf(id manifest.Identity) string {
	return cmp.Or(id.Namespace, c.connection.Namespace)
}

// nearestNames returns the names that are most similar to the requested one, best first.
func nearestNames(asked string, names []string) []string {
	others := slices.DeleteFunc(slices.Sorted(slices.Values(names)), func(name string) bool { return name == asked })
	return similar.Names(asked, others)
}
