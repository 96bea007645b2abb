package cluster

import (
	"context"
	"errors"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// Locate returns the identity of a manifest with the connection's default namespace filled in, and without a
// namespace for a cluster-scoped kind. An unserved kind is an *Error with ReasonKindNotServed.
func Locate(ctx context.Context, api Interface, m manifest.Manifest) (manifest.Identity, error) {
	id := m.Identity
	scope, err := ScopeOf(ctx, api, id)
	switch {
	case err != nil:
	case scope == ScopeCluster:
		id.Namespace = ""
	case id.Namespace == "":
		id.Namespace = api.DefaultNamespace()
	}
	return id, err
}

// ScopeOf returns Cluster.Scope with errors about the object that it is asked for.
func ScopeOf(ctx context.Context, api Interface, id manifest.Identity) (Scope, error) {
	scope, err := api.Scope(ctx, id.APIVersion, id.Kind)
	var e *Error
	if errors.As(err, &e) {
		named := *e
		named.Object = id
		return "", &named
	}
	return scope, err
}
