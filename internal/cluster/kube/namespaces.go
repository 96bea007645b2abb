package kube

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"

	"golang.org/x/sync/semaphore"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// maxNamespaces is how many namespaces are read to find one that may have been meant.
const maxNamespaces = "500"

// nearestNamespaces returns the namespaces with names similar to that of the object's namespace. It sends one LIST in
// the life of the client, and one more if ctx ends before the answer. If the user may not list namespaces, it returns
// none.
func (c *Client) nearestNamespaces(ctx context.Context, id manifest.Identity) []string {
	names, err := c.namespaces.get(ctx, func() ([]string, error) {
		request := c.rest.Get().
			AbsPath("api", "v1", "namespaces").
			Param("limit", maxNamespaces).
			SetHeader("Accept", metadataOnly)
		answer, err := request.Do(ctx).Raw()
		var list metav1.PartialObjectMetadataList
		if err != nil || json.Unmarshal(answer, &list) != nil {
			// Unless ctx has ended, the failure counts as an empty list: a user who may not list namespaces asks only
			// once.
			return nil, ctx.Err()
		}
		var names []string
		for _, item := range list.Items {
			names = append(names, item.Name)
		}
		return names, nil
	})
	if err != nil {
		return nil
	}
	return nearestNames(c.namespaceOf(id), names)
}

// namespaceOf returns the namespace that an object is in, or would be if its kind were namespaced.
func (c *Client) namespaceOf(id manifest.Identity) string {
	return cmp.Or(id.Namespace, c.connection.Namespace)
}

// nearestNames returns the names that are most similar to the requested one, best first.
func nearestNames(asked string, names []string) []string {
	others := slices.DeleteFunc(slices.Sorted(slices.Values(names)), func(name string) bool { return name == asked })
	return paths.SimilarNames(asked, others)
}

// readOnce is something of the cluster that a client reads once.
type readOnce[T any] struct {
	// turn is held by the operation that reads. The others wait for it as long as their own timeouts allow.
	turn  *semaphore.Weighted
	isSet bool
	value T
}

func newReadOnce[T any]() *readOnce[T] { return &readOnce[T]{turn: semaphore.NewWeighted(1)} }

// get returns the value, and reads it if no earlier call has. The next call reads again if read fails or ctx ends
// before its turn.
func (r *readOnce[T]) get(ctx context.Context, read func() (T, error)) (value T, err error) {
	if err := r.turn.Acquire(ctx, 1); err != nil {
		return value, err
	}
	defer r.turn.Release(1)
	if r.isSet {
		return r.value, nil
	}
	if value, err = read(); err == nil {
		r.value, r.isSet = value, true
	}
	return value, err
}

// notRecognized returns the error of a failed read of the uid, as an error about an object. It never reports that the
// object is gone.
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
	uid, err := c.uid.get(ctx, func() (string, error) { return c.readUID(ctx) })
	var failed *cluster.Error
	switch {
	case err == nil:
		return uid, nil
	case errors.As(err, &failed):
		return "", notRecognized(of, *failed)
	default:
		return "", errorOf(ctx, of, c.connection.Unanswered(err))
	}
}

// readUID returns the uid of the namespace kube-system; "" if the user may not read it, or if the cluster lacks this
// namespace.
func (c *Client) readUID(ctx context.Context) (string, error) {
	id := manifest.Identity{APIVersion: "v1", Kind: "Namespace", Name: metav1.NamespaceSystem}
	want := expected{method: http.MethodGet, id: id, needsUID: true}
	got, err := c.sendForObject(ctx, idempotent,
		c.rest.Get().AbsPath("api", "v1", "namespaces", metav1.NamespaceSystem), want)
	switch cluster.ReasonOf(err) {
	case cluster.ReasonForbidden, cluster.ReasonNotFound:
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return string(got.object.GetUID()), nil
}
