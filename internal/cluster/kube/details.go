package kube

import (
	"context"
	"errors"
	"slices"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/openapi"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/terminating"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// complete adds to the details of a failed apply or update the causes that the server does not report. body was sent,
// in size bytes. The last refusal before the deadline of ctx is the one that the user sees.
func (c *Client) complete(ctx context.Context, failed *cluster.Error, body map[string]any, size int) {
	ctx, cancel := cluster.Afterwards(ctx, 5*time.Second)
	defer cancel()
	id := failed.Object
	switch details := failed.Details.(type) { //nolint:errorlint // Details wrap nothing and are not wrapped.
	case *cluster.SchemaMismatchError:
		c.consultSchema(ctx, id, body, details)
	case *cluster.InvalidError:
		c.consultRules(ctx, id, details)
	case *cluster.NamespaceNotFoundError:
		details.Nearest = c.nearestNamespaces(ctx, id)
	case *cluster.NamespaceTerminatingError:
		details.Ending = c.endingOf(ctx, manifest.Identity{
			APIVersion: "v1", Kind: "Namespace", Name: c.namespaceOf(id),
		})
	case *cluster.NotYetAdmittedError:
		c.consultDefinition(ctx, id, details)
	case *cluster.TooLargeError:
		details.Bytes = size
	}
	if hidden := words(ctx, id); hidden != nil {
		hidden.HideDetails(failed.Details)
	}
}

// endingOf returns what blocks the end of a terminating object; nil if the object cannot be read, or is not
// terminating.
func (c *Client) endingOf(ctx context.Context, of manifest.Identity) *cluster.Ending {
	live, err := c.Get(ctx, of)
	if err != nil || live.GetDeletionTimestamp() == nil {
		return nil
	}
	return new(terminating.Of(ctx, c, live))
}

// aboutReference makes the 404 of an apply without a uid one about an object to which it refers: such an apply creates
// an object that does not exist. For the binding of a role, the server does not report whether it looks for a Role or a
// ClusterRole, and names it as if it were a binding. Any other 404 that names the object itself, as a proxy may send
// it, stays one about that object.
func aboutReference(failed *cluster.Error, served cluster.Kind, body map[string]any) {
	var answer apierrors.APIStatus
	isAbout := failed.Reason == cluster.ReasonNotFound || failed.Reason == cluster.ReasonServer
	if !isAbout || !errors.As(failed.Cause, &answer) || !apierrors.IsNotFound(failed.Cause) {
		return
	}
	id, details := failed.Object, answer.Status().Details
	if details == nil || details.Name == "" {
		return
	}
	kind, _, _ := unstructured.NestedString(body, "roleRef", "kind")
	name, _, _ := unstructured.NestedString(body, "roleRef", "name")
	isRole := id.Group() == rbacv1.GroupName && name == details.Name
	if !isRole && details.Name == id.Name && details.Kind == served.Plural {
		return
	}
	missing := &cluster.NotYetAdmittedError{
		Awaited: details.Kind + " " + cluster.Shown(details.Name), Problem: "does not exist",
	}
	if isRole {
		missing.Missing = manifest.Identity{APIVersion: id.APIVersion, Kind: kind, Name: name}
		missing.Awaited = kind + " " + name
		if kind == "Role" {
			missing.Missing.Namespace, missing.Awaited = id.Namespace, kind+" "+id.Namespace+"/"+name
		}
	}
	failed.Reason, failed.Details = cluster.ReasonNotYetAdmitted, missing
}

// consultDefinition completes the refusal of an object whose definition is terminating.
func (c *Client) consultDefinition(ctx context.Context, id manifest.Identity, refused *cluster.NotYetAdmittedError) {
	if !refused.IsTerminating {
		return
	}
	served, err := c.discovery.resolve(ctx, id.APIVersion, id.Kind)
	if err != nil {
		return
	}
	refused.Missing = manifest.Identity{
		APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition",
		Name: served.kind.Plural + "." + id.Group(),
	}
	refused.Awaited, refused.Ending = "CustomResourceDefinition "+refused.Missing.Name, c.endingOf(ctx, refused.Missing)
}

// consultSchema reads the schema of an object whose manifest does not fit it, and adds all that does not fit. If it
// cannot read the schema, it adds nothing.
func (c *Client) consultSchema(
	ctx context.Context, id manifest.Identity, body map[string]any, mismatch *cluster.SchemaMismatchError,
) {
	if mismatch.Of != cluster.MismatchInManifest {
		return
	}
	published, err := openapi.Read(ctx, c.rest, schema.FromAPIVersionAndKind(id.APIVersion, id.Kind))
	if err != nil {
		return
	}
	mismatch.Undeclared = published.Undeclared(body)
	for _, found := range published.Mistyped(body) {
		isSame := func(p cluster.FieldProblem) bool { return openapi.IsSameField(p.Field, found.Field) }
		isKnown := openapi.IsSameField(mismatch.Field, found.Field) || slices.ContainsFunc(mismatch.More, isSame)
		switch {
		case mismatch.Field == "" && found.Problem == openapi.Unreadable:
			mismatch.Field = found.Field
		case !isKnown:
			mismatch.More = append(mismatch.More, found)
		}
	}
}

// consultRules reads the schema of an object that validation refuses, and adds the rules of its
// CustomResourceDefinition that it breaks. If it cannot read the schema, it notes that they are not clear.
func (c *Client) consultRules(ctx context.Context, id manifest.Identity, invalid *cluster.InvalidError) {
	kind := schema.FromAPIVersionAndKind(id.APIVersion, id.Kind)
	if manifest.IsBuiltinGroup(kind.Group) || !slices.ContainsFunc(invalid.Causes, openapi.MayBeRule) {
		return
	}
	published, err := openapi.Read(ctx, c.rest, kind)
	if invalid.RulesUnclear = err != nil; err == nil {
		invalid.Rules, invalid.RulesUnclear = published.BrokenRules(invalid.Causes)
	}
}
