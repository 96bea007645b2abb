package local

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// applied returns what the object shows of a forced apply of body: its values at the fields that managers own, without
// those that leave the claim of fieldManager, and that claim. The claims of other managers stay as they are.
func applied(
	id manifest.Identity, live *unstructured.Unstructured, body map[string]any, fieldManager string,
) (*unstructured.Unstructured, error) {
	claims, err := record.ClaimsOf(id, live)
	if err != nil {
		return nil, err
	}
	known := filling(body, live.Object, claims.Others(fieldManager).Fields()).Union(claims.Own(fieldManager))
	own := asApplied(projection.WithValues(body, known).Union(unowned(body, known)))
	given, now := projection.NewReader(body), projection.NewReader(live.Object)
	set := paths.Filter(own.Leaves(), func(path paths.Path) bool {
		declared, _ := given.Lookup(path)
		value, _ := now.Lookup(path)
		return !projection.IsEmptyCollection(declared) && !wanted.IsLike(declared, value)
	})
	staying := own.Union(claims.Others(fieldManager).Fields())
	pruned := ownership.OutermostLeaving(claims.Own(fieldManager), staying)
	object, _ := projection.Strip(projection.Graft(live.Object, body, set), pruned).(map[string]any)
	claim, err := ownership.Claims{{
		Manager: ownership.Manager{
			Name: fieldManager, Operation: metav1.ManagedFieldsOperationApply, APIVersion: id.APIVersion,
			Subresource: id.Subresource,
		},
		Fields: own,
	}}.Entries()
	if err != nil {
		return nil, err
	}
	others := slices.DeleteFunc(live.GetManagedFields(), func(entry metav1.ManagedFieldsEntry) bool {
		return entry.Manager == fieldManager && entry.Operation == claim[0].Operation &&
			entry.Subresource == id.Subresource
	})
	// SetManagedFields changes metadata, which object may share with live.
	answer := (&unstructured.Unstructured{Object: object}).DeepCopy()
	answer.SetManagedFields(append(others, claim...))
	return answer, nil
}

// filling returns the fields of known without the empty maps and lists to which body gives content. Claims show them
// like atomic fields, but whoever gives content to them takes nothing.
func filling(body, live map[string]any, known *paths.Set) *paths.Set {
	empty := projection.EmptyCollections(live, known)
	return known.Difference(projection.WithValues(body, empty).Difference(projection.EmptyCollections(body, empty)))
}

// asApplied returns what an apply owns of fields. The entry of an update contains maps and lists as well as their
// members, and that of an apply only list items.
func asApplied(fields *paths.Set) *paths.Set {
	return paths.Filter(fields, func(path paths.Path) bool {
		return path[len(path)-1].FieldName == nil || !ownership.HasParts(fields, path)
	})
}

// unowned returns the scalars of a body that no manager owns. In lists, only managers show how items are identified.
func unowned(body map[string]any, known *paths.Set) *paths.Set {
	found := paths.NewSet()
	var visit func(fields map[string]any, known *paths.Set, at paths.Path)
	visit = func(fields map[string]any, known *paths.Set, at paths.Path) {
		for name, value := range fields {
			element := paths.Field(name)
			path, below := paths.Below(at, element), paths.Children(known, element)
			if below == nil && paths.Has(known, element) {
				continue
			}
			switch value := value.(type) {
			case map[string]any:
				visit(value, below, path)
			case []any, nil:
			default:
				found.Insert(path)
			}
		}
	}
	visit(body, known, nil)
	return found.Difference(identifying)
}

// identifying are the fields that no manager owns.
var identifying = func() *paths.Set {
	fields := paths.NewSet(paths.FieldPath("apiVersion"), paths.FieldPath("kind"))
	for _, name := range append(manifest.ServerMetadata(), "name", "namespace") {
		fields.Insert(paths.FieldPath("metadata", name))
	}
	return fields
}()
