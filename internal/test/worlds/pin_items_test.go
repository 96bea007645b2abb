package worlds_test

import (
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/livediff"
)

// isAway reports whether a field is in a list item that the body does not have, and that nobody else owns a part of.
func (w *world) isAway(c configuration, m moment, field livediff.Path) bool {
	body := w.body(c).Object
	for n, element := range field {
		if !strings.HasPrefix(element, "f:") && !declares(body, field[:n+1]) && !othersHave(m.claims.At(field[:n+1]), c.manager()) {
			return true
		}
	}
	return false
}

// leavesBody reports whether a field is in a list item that the body of the last apply had, that this one does not have, and
// that nobody else owns.
func (w *world) leavesBody(c configuration, m moment, field livediff.Path) bool {
	body := w.body(c).Object
	for n, element := range field {
		item := field[:n+1]
		if !strings.HasPrefix(element, "f:") && declares(w.declared, item) && !declares(body, item) {
			held := m.claims.At(item)
			return held != nil && !slices.ContainsFunc(held.Owners, func(owner string) bool { return owner != c.manager() })
		}
	}
	return false
}

// isExcess reports whether a field was in an entry that is gone, of a list that had too many.
func (w *world) isExcess(c configuration, after moment, field livediff.Path) bool {
	for list, limit := range c.lengths(w.body(c).Object) {
		depth := strings.Count(list, ".") + 1
		if limit.enforce && len(field) > depth && strings.HasPrefix(field.String(), list+"[") {
			_, stays := livediff.Lookup(after.object, field[:depth+1])
			return !stays
		}
	}
	return false
}
