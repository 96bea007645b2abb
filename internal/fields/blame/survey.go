package blame

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
)

// survey lists fields of an object, as they are shown.
type survey struct {
	object    map[string]any
	claims    ownership.Claims
	formatter *paths.Formatter
}

// covered returns the fields of all claims that patterns cover, or all of them if there are no patterns.
func (s survey) covered(patterns paths.Patterns) *paths.Set {
	fields := s.claims.Fields()
	if len(patterns) > 0 {
		fields, _ = projection.Covered(fields, patterns, s.object)
	}
	return fields
}

// report returns everything but the annotated YAML.
func (s survey) report(owned, unowned *paths.Set) Report {
	var report Report
	counts := make([]int, len(s.claims))
	projection.Walk(s.object, owned, func(at projection.Field) {
		field := s.field(at)
		for i, claim := range s.claims {
			if claim.Fields.Has(at.Path) {
				field.Owners = append(field.Owners, claim.Holder())
				counts[i]++
			}
		}
		report.Fields = append(report.Fields, field)
		if at.Presence == projection.Absent {
			report.Stale = append(report.Stale, field)
		}
	})
	for i, claim := range s.claims {
		if counts[i] > 0 {
			report.Managers = append(report.Managers, Manager{Holder: claim.Holder(), Fields: counts[i]})
		}
	}
	if unowned != nil {
		projection.Walk(s.object, unowned, func(at projection.Field) {
			report.Unowned = append(report.Unowned, s.field(at))
		})
	}
	return report
}

// field returns a field without its owners. Its value was masked before.
func (s survey) field(at projection.Field) Field {
	field := Field{Path: s.formatter.Format(at.Path)}
	if at.Leaf && at.Presence == projection.Present {
		text := rendering.Renderer{}.Text(at.Path, at.Value)
		field.Value = &text
	}
	return field
}

// narrowed returns the fields that managers of a name own, with all owners of each field; "" returns all fields.
func (r Report) narrowed(name string) Report {
	if name == "" {
		return r
	}
	other := func(owner ownership.Holder) bool { return !ownership.IsCalled(owner.Name, name) }
	notTheirs := func(field Field) bool {
		return !slices.ContainsFunc(field.Owners, func(owner ownership.Holder) bool { return !other(owner) })
	}
	return Report{
		Fields:        slices.DeleteFunc(r.Fields, notTheirs),
		Managers:      slices.DeleteFunc(r.Managers, func(manager Manager) bool { return other(manager.Holder) }),
		Stale:         slices.DeleteFunc(r.Stale, notTheirs),
		AnnotatedYAML: r.AnnotatedYAML,
	}
}
