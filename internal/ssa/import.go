package ssa

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
)

// Imported is an object that was not created here.
type Imported struct {
	Observed
	// Body is a manifest of the object as its author would have written it, as JSON.
	Body string
}

// Import reads an object and writes a manifest for it: one GET. The manifest holds what kubectl's
// last-applied annotation says the author wrote, else the fields that managers other than controllers
// own, with their live values.
func Import(ctx context.Context, cluster Cluster, fieldManager string, id manifest.Identity) (Imported, error) {
	scope, err := cluster.Scope(ctx, id.APIVersion, id.Kind)
	if err != nil {
		return Imported{}, err
	}
	switch {
	case scope == ScopeNamespaced && id.Namespace == "":
		id.Namespace = cluster.DefaultNamespace()
	case scope == ScopeCluster && id.Namespace != "":
		return Imported{}, &Error{Reason: ReasonBadRequest, Object: id, Message: id.Kind + " is cluster-scoped; leave namespace out of the import ID"}
	}
	live, err := cluster.Get(ctx, id)
	if err != nil {
		return Imported{}, err
	}
	claims, err := ownership.Parse(live.GetManagedFields())
	if err != nil {
		return Imported{}, unreadable(id, err)
	}
	authored, keys := authoredFields(live, claims)
	observed, err := observe(live, observation{object: id, fieldManager: fieldManager, declared: authored})
	if err != nil {
		return Imported{}, err
	}
	body := projection.Extract(live.Object, authored, keys)
	addIdentity(body, id)
	text, err := manifest.Canonical(body)
	if err != nil {
		return Imported{}, unreadable(id, err)
	}
	return Imported{Observed: observed, Body: text}, nil
}

// authoredFields are the fields that a person wrote.
func authoredFields(live *unstructured.Unstructured, claims ownership.Claims) (*paths.Set, projection.ItemKeys) {
	authored := claims.Authored().Difference(bookkeeping)
	applied, has := lastApplied(live)
	if !has {
		return present(live.Object, authored), projection.AddItemKeys
	}
	return present(applied, present(live.Object, claims.Fields().Difference(bookkeeping))), projection.LeaveItemKeys
}

// bookkeeping is what tools note on an object about themselves.
var bookkeeping = paths.NewSet(
	paths.Path{paths.Field("metadata"), paths.Field("annotations"), paths.Field(corev1.LastAppliedConfigAnnotation)},
	paths.Path{paths.Field("metadata"), paths.Field("annotations"), paths.Field("deployment.kubernetes.io/revision")},
)

func lastApplied(live *unstructured.Unstructured) (map[string]any, bool) {
	text, has := live.GetAnnotations()[corev1.LastAppliedConfigAnnotation]
	if !has {
		return nil, false
	}
	var object map[string]any
	if err := utiljson.Unmarshal([]byte(text), &object); err != nil {
		return nil, false
	}
	return object, true
}

// present is the part of fields that has a value in object.
func present(object map[string]any, fields *paths.Set) *paths.Set {
	out := paths.NewSet()
	projection.Walk(object, fields, func(field projection.Field) {
		if field.Presence == projection.Present {
			out.Insert(field.Path)
		}
	})
	return out
}

func addIdentity(body map[string]any, id manifest.Identity) {
	metadata, _ := body["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{}
	}
	metadata["name"] = id.Name
	if id.Namespace != "" {
		metadata["namespace"] = id.Namespace
	}
	if annotations, is := metadata["annotations"].(map[string]any); is && len(annotations) == 0 {
		delete(metadata, "annotations")
	}
	body["metadata"], body["apiVersion"], body["kind"] = metadata, id.APIVersion, id.Kind
}
