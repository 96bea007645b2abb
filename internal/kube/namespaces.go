package kube

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"golang.org/x/sync/semaphore"
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
	once  sync.Once
	names []string
}

// nearestNamespaces returns the namespaces with names similar to that of the object's namespace. It sends one LIST in
// the life of the client. If the user may not list namespaces, it returns none and no error.
func (c *Client) nearestNamespaces(ctx context.Context, id manifest.Identity) []string {
	c.namespaces.once.Do(func() {
		request := c.rest.Get().AbsPath("api", "v1", "namespaces").Param("limit", maxNamespaces).SetHeader("Accept", metadataOnly)
		answer, err := request.Do(ctx).Raw()
		var list metav1.PartialObjectMetadataList
		if err != nil || json.Unmarshal(answer, &list) != nil {
			return
		}
		for _, item := range list.Items {
			c.namespaces.names = append(c.namespaces.names, item.Name)
		}
	})
	return nearestNames(c.namespaceOf(id), c.namespaces.names)
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

// clusterUID is the uid of the cluster, once it was read.
type clusterUID struct {
	// turn is held by the operation that reads it. The others wait for it as long as their own timeouts allow.
	turn *semaphore.Weighted
	read bool
	uid  string
}

func newClusterUID() *clusterUID { return &clusterUID{turn: semaphore.NewWeighted(1)} }

// notRecognized returns the error of a failed read of the uid, as an error about an object. It never says that the object is gone.
func notRecognized(object manifest.Identity, failed cluster.Error) *cluster.Error {
	failed.Object = object
	if cluster.IsGone(&failed) {
		failed.Reason, failed.Details = cluster.ReasonServer, nil
		failed.Message = "the namespace kube-system, which tells clusters apart, could not be read: " + failed.Message
	}
	return &failed
}

// UID implements cluster.Interface.
func (c *Client) UID(ctx context.Context, of manifest.Identity) (string, error) {
	if err := c.uid.turn.Acquire(ctx, 1); err != nil {
		return "", errorOf(ctx, of, err)
	}
	defer c.uid.turn.Release(1)
	if c.uid.read {
		return c.uid.uid, nil
	}
	id := manifest.Identity{APIVersion: "v1", Kind: "Namespace", Name: metav1.NamespaceSystem}
	got, err := c.sendForObject(ctx, idempotent, c.rest.Get().AbsPath("api", "v1", "namespaces", metav1.NamespaceSystem), id)
	switch cluster.ReasonOf(err) {
	case cluster.ReasonForbidden, cluster.ReasonNotFound:
		c.uid.read = true
		return "", nil
	}
	if failed, is := errors.AsType[*cluster.Error](err); is {
		return "", notRecognized(of, *failed)
	}
	c.uid.read, c.uid.uid = true, string(got.object.GetUID())
	return c.uid.uid, nil
}
