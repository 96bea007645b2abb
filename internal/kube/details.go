package kube

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/kube/openapi"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// complete adds to the details of a failed apply what the server does not say. body is what was sent, in size bytes.
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

// consultSchema adds to a mismatch all fields that the schema does not have, each with what may have been meant, and
// the field that the server does not name. The schema is read for that, and where it cannot be, the server's words
// have to do.
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

// consultRules adds to an object that validation refuses the rules of its CustomResourceDefinition that it breaks. The
// published schema is read for that; where it cannot be, the server's words have to do.
func (c *Client) consultRules(ctx context.Context, id manifest.Identity, invalid *cluster.InvalidError) {
	kind := schema.FromAPIVersionAndKind(id.APIVersion, id.Kind)
	if isBuiltinGroup(kind.Group) || !slices.ContainsFunc(invalid.Causes, openapi.MayBeRule) {
		return
	}
	if published, err := openapi.Read(ctx, c.rest, kind); err == nil {
		invalid.Rules = published.BrokenRules(invalid.Causes)
	}
}
