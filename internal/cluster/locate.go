package cluster

import (
	"context"
	"errors"

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

// scopeOf returns what Interface.Scope returns, with errors about the object.
func scopeOf(ctx context.Context, api Interface, id manifest.Identity) (Scope, error) {
	scope, err := api.Scope(ctx, id.APIVersion, id.Kind)
	var e *Error
	if errors.As(err, &e) {
		named := *e
		named.Object = id
		return "", &named
	}
	return scope, err
}
