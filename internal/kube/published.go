package kube

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/kube/openapi"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// consultSchema adds to an error about a body that does not fit the schema of its kind all fields that the
// schema does not have, each with what may have been meant, and the field that the server does not name. The
// schema is read for that, and where it cannot be, the server's words have to do.
func (c *Client) consultSchema(ctx context.Context, id manifest.Identity, body map[string]any, failed *cluster.Error) {
	if !isOfSchema(failed.SchemaMismatch) {
		return
	}
	published, err := openapi.Read(ctx, c.rest, schema.FromAPIVersionAndKind(id.APIVersion, id.Kind))
	if err != nil {
		return
	}
	if failed.SchemaMismatch.Field == "" {
		failed.SchemaMismatch.Field = published.Unreadable(body)
		return
	}
	failed.Undeclared = published.Undeclared(body)
}

// consultRules adds to an error about an object that validation refuses the rules of its CustomResourceDefinition
// that it breaks. The published schema is read for that; where it cannot be, the server's words have to do.
func (c *Client) consultRules(ctx context.Context, id manifest.Identity, failed *cluster.Error) {
	kind := schema.FromAPIVersionAndKind(id.APIVersion, id.Kind)
	if failed.Reason != cluster.ReasonInvalid || isBuiltinGroup(kind.Group) || !slices.ContainsFunc(failed.Causes, openapi.MayBeRule) {
		return
	}
	if published, err := openapi.Read(ctx, c.rest, kind); err == nil {
		failed.Rules = published.BrokenRules(failed.Causes)
	}
}
