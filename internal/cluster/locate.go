package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Locate returns an identity with the connection's default namespace filled in where a namespaced kind names none, and
// without a namespace for a cluster-scoped kind. An unserved kind is an *Error with ReasonKindNotServed.
func Locate(ctx context.Context, api Interface, id manifest.Identity) (manifest.Identity, error) {
	scope, err := scopeOf(ctx, api, id)
	switch {
	case err != nil:
	case scope == ScopeCluster:
		id.Namespace = ""
	case id.Namespace == "":
		id.Namespace = api.DefaultNamespace()
	}
	return id, err
}

// LocateExisting does what Locate does, for an object that would count as gone if its kind is not served: a Get
// confirms that, by a new load of discovery.
func LocateExisting(ctx context.Context, api Interface, id manifest.Identity) (manifest.Identity, error) {
	located, err := Locate(ctx, api, id)
	if !IsGone(err) {
		return located, err
	}
	if _, err = api.Get(ctx, id); err != nil && ReasonOf(err) != ReasonNotFound {
		return located, err
	}
	return Locate(ctx, api, id)
}

// scopeOf returns what Interface.Scope returns, with errors about the object.
func scopeOf(ctx context.Context, api Interface, id manifest.Identity) (Scope, error) {
	scope, err := api.Scope(ctx, id.APIVersion, id.Kind)
	if e, ok := errors.AsType[*Error](err); ok {
		named := *e
		named.Object = id
		return "", &named
	}
	return scope, err
}

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

// NamespaceField is the path of the namespace, which objects of a cluster-scoped kind do not have.
const NamespaceField = "metadata.namespace"

// Kind is the discovery record of a kind. It decides which part of an object can be sent.
type Kind struct {
	Scope Scope
	// Plural is its segment of the URL, "deployments".
	Plural string
	// HasStatus is true if status is a subresource. The server then ignores it in every other request.
	HasStatus bool
}

// Sendable returns the part of body that an apply to a subresource sends, "" for the object itself, and the paths of
// the rest, without a blank status, as generators write it. body is not mutated.
func (k Kind) Sendable(body map[string]any, subresource string) (sent map[string]any, dropped []string) {
	sent = body
	metadata, _ := body["metadata"].(map[string]any)
	if _, hasNamespace := metadata["namespace"]; hasNamespace && k.Scope == ScopeCluster {
		metadata, sent = maps.Clone(metadata), maps.Clone(sent)
		delete(metadata, "namespace")
		sent["metadata"], dropped = metadata, append(dropped, NamespaceField)
	}
	if _, hasStatus := body[manifest.Status]; hasStatus && k.HasStatus && subresource != manifest.Status {
		sent = maps.Clone(sent)
		delete(sent, manifest.Status)
		if !manifest.IsBlank(body[manifest.Status]) {
			dropped = append(dropped, manifest.Status)
		}
	}
	return sent, dropped
}

// OtherClusterError reports that a connection leads to another cluster than the one that a state is about.
type OtherClusterError struct {
	// Remembered is the uid of the cluster of the state, Found that of the cluster that the connection leads to.
	Remembered, Found string
	// Server is the URL of the connection; "" if it is not known.
	Server string
}

func (e *OtherClusterError) Error() string {
	at := "the connection leads"
	if e.Server != "" {
		at = e.Server + " belongs"
	}
	return fmt.Sprintf("%s to another cluster than the state: its namespace kube-system has the uid %s, not %s", at,
		e.Found, e.Remembered)
}

// HiddenError reports that the cluster of a state was recognized before, but that the user may not read its uid now. So
// the provider cannot verify that the connection leads to the same cluster.
type HiddenError struct {
	// Remembered is the uid of the cluster of the state.
	Remembered string
}

func (e *HiddenError) Error() string {
	return "the state is about a cluster whose namespace kube-system has the uid " + e.Remembered +
		", and the user of the connection may not read that namespace"
}

// Unrecognizable is remembered instead of the uid of a cluster if the user may not read it.
const Unrecognizable = "-"

// Recognize returns the uid of the cluster to remember. If the user may not read it, Recognize returns remembered, or
// Unrecognizable if that is empty. If remembered is the uid of another cluster, the error is an *OtherClusterError.
// Other errors are about the object of the operation that asks. It sends what UID sends.
func Recognize(ctx context.Context, api Interface, object manifest.Identity, remembered string) (string, error) {
	found, err := api.UID(ctx, object)
	switch {
	case err != nil:
		return remembered, err
	case found == "":
		return cmp.Or(remembered, Unrecognizable), nil
	case remembered != "" && remembered != Unrecognizable && found != remembered:
		return found, &OtherClusterError{Remembered: remembered, Found: found}
	}
	return found, nil
}
