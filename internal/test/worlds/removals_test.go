package worlds_test

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/livediff"
)

// checkRemoved checks that what left managed_state of a plan is gone after its apply, unless a warning of the plan
// names it or the configuration leaves it to other managers.
func (w *world) checkRemoved(s step, prior state, shown plan, before, after *unstructured.Unstructured) error {
	if !w.stage.plays(removals) || len(s.between) > 0 || before == nil || w.isPart {
		return nil
	}
	claims, err := livediff.ReadClaims(before.Object)
	if err != nil {
		return err
	}
	now, planned := attribute(prior.value, "managed_state"), attribute(shown.value, "managed_state")
	if planned == nil {
		return nil // It is not known yet.
	}
	undecided := unknownOf(shown.value, "managed_state")
	c, body := s.configuration, w.body(s.configuration).Object
	var wrong []string
	claims.Each(func(path livediff.Path, owners []string, _ bool) {
		field, has := shownAs(now, path)
		if _, stays := planned[field]; !has || stays || slices.Contains(undecided, field) || isKey(path) || c.leaves(path, owners) || declares(body, path) || c.pins(path, owners) {
			return
		}
		was, _ := livediff.Lookup(before.Object, path)
		value, stays := livediff.Lookup(after.Object, path)
		if !stays || livediff.Text(was) != livediff.Text(value) || w.pinned(path) {
			return
		}
		names := func(warning string) bool { // Or it names a list item around the field, with everything in it.
			around := ""
			for item := range strings.SplitAfterSeq(field, "]") {
				around += item
				_, line, is := strings.Cut(warning, "\n  "+around+": ")
				line, _, _ = strings.Cut(line, "\n") // With the value, if it is not secret.
				if is && strings.Contains(line, "owned by ") {
					return true
				}
			}
			return strings.Contains(warning, field)
		}
		if !slices.ContainsFunc(shown.warnings, names) {
			wrong = append(wrong, fmt.Sprintf("%s: %s -> null, and it stays; its owners were %q", field, now[field], owners))
		}
	})
	if len(wrong) > 0 {
		wrong = append(wrong, "warnings: "+strings.Join(shown.warnings, "\n"))
	}
	return broke(s, "what a plan shows as removed is gone, or the plan says that it stays", wrong...)
}

// pinned reports whether a field is, or was, pinned: a pin ends with the value that it had.
func (w *world) pinned(path livediff.Path) bool {
	_, is := w.pins[path.String()]
	return is
}
