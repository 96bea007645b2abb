package worlds_test

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/livediff"
)

// onlyChange are the writers of the menu whose updates own exactly what they wrote. An apply always does.
var onlyChange = []string{"kubectl-edit", "kubectl-patch", "kubectl-annotate"}

// missingAdditions returns the fields with a value that people or tools own, that we neither own nor show as declared or
// pinned, that the configuration does not ignore, and that no element of additions covers. known are the paths of all
// owned fields by their strings.
func (w *world) missingAdditions(claims *livediff.Claims, known map[string]livediff.Path, live *unstructured.Unstructured) ([]string, error) {
	own := w.state.manager()
	if w.isPart || own == "" { // A part has no additions, and neither has an import without a manager.
		return nil, nil
	}
	var added []livediff.Path
	for field := range attributeKeys(w.state.value, "additions") {
		added = append(added, known[field])
	}
	ignored, leftTo := withRules(w.state.value, "ignore_fields"), withRules(w.state.value, "ignore_managers")
	owners, declared := attribute(w.state.value, "field_ownership"), attribute(w.state.value, "managed_state")
	isOurs := func(manager string) bool { return manager == own || strings.HasPrefix(manager, "k8sconnect") }
	var missing []string
	for _, entry := range live.GetManagedFields() {
		isLeft := slices.ContainsFunc(leftTo, func(pattern string) bool {
			matches, _ := path.Match(pattern, entry.Manager)
			return matches
		})
		isExact := entry.Operation == metav1.ManagedFieldsOperationApply || slices.Contains(onlyChange, entry.Manager)
		if isLeft || !isExact || entry.Subresource != "" || isOurs(entry.Manager) {
			continue
		}
		theirs, err := claimsOf(live, entry)
		if err != nil {
			return nil, err
		}
		theirs.Each(func(field livediff.Path, _ []string, leaf bool) {
			_, isDeclared := shownAs(declared, field)
			isLink := len(field) > 1 && (field[1] == "f:finalizers" || field[1] == "f:ownerReferences") // Of a manager that nobody knows.
			isCovered := slices.ContainsFunc(added, func(whole livediff.Path) bool { return len(whole) > 0 && field.HasPrefix(whole) })
			if !leaf || isDeclared || isLink || isCovered || !hasContent(live, field) || covered(ignored, field) || hidden(owners, field) != "" {
				return
			}
			if !slices.ContainsFunc(append(slices.Clone(claims.OwnersOf(field)), ownersWithin(claims, field)...), isOurs) {
				missing = append(missing, fmt.Sprintf("additions lacks %s of %s", field, entry.Manager))
			}
		})
	}
	return missing, nil
}

func claimsOf(live *unstructured.Unstructured, of metav1.ManagedFieldsEntry) (*livediff.Claims, error) {
	alone := &unstructured.Unstructured{Object: map[string]any{"apiVersion": live.GetAPIVersion(), "kind": live.GetKind()}}
	alone.SetManagedFields([]metav1.ManagedFieldsEntry{of})
	return livediff.ReadClaims(alone.Object)
}

// ownersWithin returns the managers that own a field or a part of it.
func ownersWithin(claims *livediff.Claims, field livediff.Path) []string {
	var owners []string
	claims.Each(func(path livediff.Path, managers []string, _ bool) {
		if path.HasPrefix(field) {
			owners = append(owners, managers...)
		}
	})
	return owners
}

// withRules returns the elements of an argument that is a set, with those that rules have added.
func withRules(state tftypes.Value, name string) []string {
	var attributes map[string]tftypes.Value
	if state.As(&attributes) != nil {
		return nil
	}
	return append(attributeSet(state, name), attributeSet(attributes["rules_applied"], name)...)
}
