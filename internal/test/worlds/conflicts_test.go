package worlds_test

import (
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/livediff"
)

// conflictFields returns the fields in the attribute conflicts of a plan; false if the plan does not know them.
func conflictFields(planned tftypes.Value) ([]string, bool) {
	var attributes, elements map[string]tftypes.Value
	if planned.IsNull() || planned.As(&attributes) != nil || !attributes["conflicts"].IsKnown() {
		return nil, false
	}
	if attributes["conflicts"].IsNull() || attributes["conflicts"].As(&elements) != nil {
		return nil, true
	}
	var fields []string
	for field := range elements {
		fields = append(fields, field)
	}
	return fields, true
}

// checkConflicts checks that the attribute conflicts has each value of other managers that an apply changed or removed,
// if no client wrote between the plan and the apply.
func (w *world) checkConflicts(s step, prior state, shown plan, losses []livediff.Loss) error {
	fields, known := conflictFields(shown.value)
	if !known || prior.value.IsNull() || len(s.between) > 0 {
		return nil
	}
	var missing []string
	for _, loss := range losses {
		others := slices.DeleteFunc(slices.Clone(loss.Owners), func(owner string) bool {
			return owner == s.configuration.manager() || owner == prior.manager() || slices.Contains(w.takenOver(s.configuration, loss), owner) ||
				owner == "before-first-apply" && w.isForgotten(loss)
		})
		isIn := slices.ContainsFunc(fields, func(field string) bool {
			return slices.ContainsFunc(loss.Path.Texts(), func(text string) bool {
				return strings.HasPrefix(text, field) || strings.HasPrefix(field, text)
			})
		})
		// What the server itself drops with another field follows from the live object, and is in the warnings alone.
		isTold := loss.Gone > 0 && slices.ContainsFunc(shown.warnings, func(warning string) bool {
			return slices.ContainsFunc(loss.Path.Texts(), func(text string) bool { return strings.Contains(warning, text+":") })
		})
		if len(others) > 0 && !loss.IsKey() && !isIn && !isTold {
			missing = append(missing, loss.String())
		}
	}
	return broke(s, "conflicts has every value of others that an apply changes or removes", missing...)
}

// isForgotten reports whether a value that goes is the one that our last apply gave the field. If managedFields does not list
// us for it any more, the server may have given it to before-first-apply, which stands for nobody then: the value is ours, and
// goes whether or not that manager is taken over. If our own apply after the reset makes it the owner, no plan knows of it.
func (w *world) isForgotten(loss livediff.Loss) bool {
	applied, has := livediff.Lookup(w.declared, loss.Path)
	return loss.Gone > 0 && has && livediff.Text(applied) == livediff.Text(loss.Was)
}

// takenOver returns the managers that a configuration takes a lost value over from. Those that are taken over without an
// argument lose what leaves the manifest, as everyone does who is taken over: the configuration has agreed to that. A value
// that the apply changes is a conflict with them.
func (w *world) takenOver(c configuration, loss livediff.Loss) []string {
	if loss.Gone > 0 {
		return w.takesOver(c)
	}
	return c.takeOver
}

// takesOver returns the managers that a configuration takes over.
func (w *world) takesOver(c configuration) []string {
	if c.takeOver == nil && !w.isPart {
		return []string{"kubectl-client-side-apply", "kubectl-create", "kubectl-run", "kubectl-expose", "kubectl-autoscale", "before-first-apply"}
	}
	return c.takeOver
}
