package kube

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/openapi"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// complete adds what the server does not say to the details of a failed apply or update. body is what was sent, in size
// bytes.
func (c *Client) complete(ctx context.Context, failed *cluster.Error, body map[string]any, size int) {
	id := failed.Object
	switch details := failed.Details.(type) { //nolint:errorlint // Details wrap nothing and are not wrapped.
	case *cluster.SchemaMismatchError:
		c.consultSchema(ctx, id, body, details)
	case *cluster.InvalidError:
		c.consultRules(ctx, id, details)
	case *cluster.NamespaceNotFoundError:
		details.Nearest = c.nearestNamespaces(ctx, id)
	case *cluster.TooLargeError:
		details.Bytes = size
	}
}

// consultSchema reads the schema for a mismatch. It adds all fields that the schema does not have, each with what may
// have been meant, or the field if the server does not name it. If it cannot read the schema, it adds nothing.
func (c *Client) consultSchema(ctx context.Context, id manifest.Identity, body map[string]any, mismatch *cluster.SchemaMismatchError) {
	if !isOfSchema(mismatch) {
		return
	}
	published, err := openapi.Read(ctx, c.rest, schema.FromAPIVersionAndKind(id.APIVersion, id.Kind))
	if err != nil {
		return
	}
	if mismatch.Field == "" {
		mismatch.Field = published.Unreadable(body)
		return
	}
	mismatch.Undeclared = published.Undeclared(body)
}

// consultRules reads the schema of an object that validation refuses, and adds the rules of its
// CustomResourceDefinition that it breaks. If it cannot read the schema, it adds nothing.
func (c *Client) consultRules(ctx context.Context, id manifest.Identity, invalid *cluster.InvalidError) {
	kind := schema.FromAPIVersionAndKind(id.APIVersion, id.Kind)
	if isBuiltinGroup(kind.Group) || !slices.ContainsFunc(invalid.Causes, openapi.MayBeRule) {
		return
	}
	if published, err := openapi.Read(ctx, c.rest, kind); err == nil {
		invalid.Rules = published.BrokenRules(invalid.Causes)
	}
}
