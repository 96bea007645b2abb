package faults_test

import (
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// exists reports whether what the resource of a cell is about exists: its object, or the fields of its patch on the object.
func (c cell) exists(object unstructured.Unstructured, isThere bool) bool {
	return isThere && (!c.isPatch() && !c.stays || hasEntry(object))
}

// hasEntry reports whether an object has an entry of the resource.
func hasEntry(object unstructured.Unstructured) bool {
	return slices.ContainsFunc(object.GetManagedFields(), func(entry metav1.ManagedFieldsEntry) bool { return entry.Manager == patcher || entry.Manager == us })
}

// checkPatch asserts that nothing is left of a patch that was destroyed, and that the state knows what any other one
// has added. That is lost if no client noted the create.
func (b *bench) checkPatch(c cell, object unstructured.Unstructured, held stored) {
	switch {
	case !c.isPatch():
	case c.after == nil && hasEntry(object):
		b.problem(c, "in the end the object has an entry of the patch: %v", object.GetManagedFields())
	case c.isOrphaned(), c.isOutcomeUnknown():
	default:
		if diff := cmp.Diff(c.added, held.Attributes.Added); diff != "" {
			b.problem(c, "added_fields in the end (-want +got):\n%s", diff)
		}
	}
}

// checkReported asserts that a diagnostic names each field whose value others have lost, together with its owner. Nobody is left to say
// it if the provider died, or if the server says nothing from the write on.
func (b *bench) checkReported(c cell) {
	if c.phase == applying && (c.fault.name == "killed" || c.duration == lasting) {
		return
	}
	for field, owner := range c.told {
		tells := func(said diagnostic) bool {
			return slices.ContainsFunc(strings.Split(said.Detail, "\n"), func(line string) bool {
				return strings.Contains(line, field) && strings.Contains(line, `"`+owner+`"`)
			})
		}
		if !slices.ContainsFunc(b.said[c.object()], tells) {
			b.problem(c, "nothing says that %q has lost the value of %s: %v", owner, field, b.said[c.object()])
		}
	}
}
