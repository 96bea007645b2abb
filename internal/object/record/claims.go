// Package record holds what is known of an object between two requests: the claims in its managedFields, the
// snapshot in private state, and the state before a change. It reads objects and rewrites managedFields.
//
// A read calls [Observe], or [Describe] with an object that was read already, and stores the [Snapshot] of the result.
// The plan and the apply that follow start from the [Prior] of the same observation ([PriorOf]).
//
// # Snapshot
//
// Each read and each apply writes a [Snapshot]: the claims of all managers without status, a fingerprint of each value
// that other managers own, the fields that we declared, the digest of their values after our last apply, and the fields
// that our applies released or left to other managers (Kept). Predictions use the snapshot instead of the live object.
//
// If a read finds another uid and nothing that our field manager owns, the snapshot remembers the uid of our last apply
// (Former) until the next apply.
//
// # A provider that is killed
//
// Terraform keeps the old state, and drops the private state. A read without a snapshot assumes that we declare exactly
// the fields that we own now, and makes the next plan apply again. If there were write-only fields, it shows no value
// at all. If the creator of an object was killed, the next plan refuses the object as existing, and reports that no
// other manager owns any of it.
//
// # An object that no manager owns
//
// If its managedFields were reset, or we released all fields that we owned, the API server adds the manager
// before-first-apply at the next apply, and makes it the owner of all fields that the object contains at that time. A
// plan cannot predict these, so the planned owners are unknown. The planned values are known.
package record

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// ClaimsOf returns the claims on a live object, without those on its status. It returns a *cluster.Error if an entry
// cannot be parsed.
func ClaimsOf(id manifest.Identity, live *unstructured.Unstructured) (ownership.Claims, error) {
	parse := ownership.Parse
	if id.Subresource != "" {
		parse = func(entries []metav1.ManagedFieldsEntry) (ownership.Claims, error) {
			return ownership.ParseSubresource(entries, id.Subresource)
		}
	}
	claims, err := parse(live.GetManagedFields())
	if err != nil {
		return nil, Unreadable(id, err)
	}
	return claims, nil
}

// Unreadable returns the error of an object whose managedFields cannot be read.
func Unreadable(id manifest.Identity, err error) *cluster.Error {
	return &cluster.Error{
		Reason: cluster.ReasonServer, Object: id, Message: "the object's managedFields cannot be read: " + err.Error(),
		Cause: err,
	}
}

// requireOurs returns a *cluster.Error with ReasonNotFound if fieldManager has applied nothing to an object.
func requireOurs(id manifest.Identity, live *unstructured.Unstructured, fieldManager string) error {
	claims, err := ClaimsOf(id, live)
	switch {
	case err != nil:
		return err
	case claims.Own(fieldManager).Empty():
		return &cluster.Error{Reason: cluster.ReasonNotFound, Object: id, Message: "another object has its name"}
	default:
		return nil
	}
}

// OfTerraform returns the managers of an object under which resources of Terraform write, fieldManager among them, each
// with a description in parentheses if it is well known.
func OfTerraform(claims ownership.Claims, fieldManager string) []string {
	var managers []string
	for _, claim := range claims.OfTerraform(fieldManager) {
		text := claim.String()
		if known := claim.KnownAs(); known != "" {
			text += " (" + known + ")"
		}
		managers = append(managers, text)
	}
	return managers
}

// hollowIn returns the leaves of fields that may be maps and lists without a part of their owner, and the entries of
// those that known contains as a whole. They are the empty ones, those of which known contains parts, and maps with
// content: claims show such a map in the same way whether it is atomic or its owner has lost all that was in it.
func hollowIn(live map[string]any, fields, known *paths.Set) (hollow, content *paths.Set) {
	reader, content := projection.NewReader(live), paths.NewSet()
	hollow = paths.Filter(fields.Leaves(), func(leaf paths.Path) bool {
		value, _ := reader.Lookup(leaf)
		if projection.IsEmptyCollection(value) || ownership.HasParts(known, leaf) {
			return true
		}
		entries, isMap := value.(map[string]any)
		if !isMap || !known.Has(leaf) || leaf[len(leaf)-1].FieldName == nil {
			return false
		}
		for name := range entries {
			content.Insert(paths.Below(leaf, paths.Field(name)))
		}
		return true
	})
	return hollow, content
}

// withEntries returns claimed fields, with the entries of maps that a manager holds alone and that cannot be atomic.
func withEntries(live map[string]any, known *paths.Set) *paths.Set {
	reader, entries := projection.NewReader(live), paths.NewSet()
	paths.Walk(known.Leaves(), func(leaf paths.Path, _ bool) {
		if !isGranular(live, leaf) {
			return
		}
		value, _ := reader.Lookup(leaf)
		content, _ := value.(map[string]any)
		for name := range content {
			entries.Insert(paths.Below(leaf, paths.Field(name)))
		}
	})
	return known.Union(entries)
}

// isGranular reports whether a field is a map whose entries have owners of their own in any version of the API. A claim
// on such a map alone contains none of its entries.
func isGranular(live map[string]any, path paths.Path) bool {
	last := path[len(path)-1].FieldName
	switch {
	case last == nil:
		return false
	case len(path) == 1:
		isData := *last == "data" || *last == "binaryData"
		return isData && live["apiVersion"] == "v1" && (live["kind"] == "ConfigMap" || live["kind"] == "Secret")
	}
	above := path[len(path)-2].FieldName
	switch {
	case above == nil:
		return false
	case *above == "resources":
		version, _ := live["apiVersion"].(string)
		group := manifest.Identity{APIVersion: version}.Group()
		return manifest.IsBuiltinGroup(group) && (*last == "limits" || *last == "requests")
	}
	return *above == "metadata" && (*last == "labels" || *last == "annotations")
}
