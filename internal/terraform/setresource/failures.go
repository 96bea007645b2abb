package setresource

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/sets"
)

// failures are the members of an apply that failed, and those that could not be tried because of them. It is safe for
// concurrent use.
type failures struct {
	mu     sync.Mutex
	failed []*member
	// skipped are the members that were not tried, by the reason.
	skipped map[*member]string
}

// note notes a member that has an error.
func (f *failures) note(m *member) {
	if !m.diags.HasError() {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failed = append(f.failed, m)
}

// stop reports whether a member cannot be applied because another one, which it needs, has failed.
func (f *failures) stop(m *member) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if m.stored.Does == keeps {
		return false
	}
	for _, failed := range f.failed {
		if needs(m.id(), failed.id()) {
			if f.skipped == nil {
				f.skipped = map[*member]string{}
			}
			f.skipped[m] = failed.id().String()
			return true
		}
	}
	return false
}

// needs reports whether an object can only be applied after another one.
func needs(id, other manifest.Identity) bool {
	switch {
	case other.IsNamespace():
		return id.Namespace == other.Name
	case other.IsDefinition():
		_, group, _ := strings.Cut(other.Name, ".")
		return id.Group() == group
	}
	return false
}

func (f *failures) any() bool { return len(f.failed) > 0 }

func (f *failures) has(m *member) bool { return slices.Contains(f.failed, m) }

// pending returns the value of pending: why each object is not as the configuration says.
func (f *failures) pending() types.Map {
	reasons := map[string]attr.Value{}
	for _, m := range f.failed {
		first := m.diags.Errors()[0]
		reasons[m.key] = types.StringValue(strings.TrimSuffix(first.Summary(), ": "+m.id().String()))
	}
	for m, needed := range f.skipped {
		reasons[m.key] = types.StringValue("needs " + needed)
	}
	return types.MapValueMust(types.StringType, reasons)
}

// errors returns the errors of the members, one for each cause.
func (f *failures) errors() diag.Diagnostics {
	diags := causes(f.failed, diag.Diagnostics.Errors)
	byNeed := map[string][]string{}
	for m, needed := range f.skipped {
		byNeed[needed] = append(byNeed[needed], m.id().String())
	}
	for _, needed := range slices.Sorted(maps.Keys(byNeed)) {
		slices.Sort(byNeed[needed])
		diags.Append(sets.NotTried(needed, byNeed[needed]))
	}
	return diags
}

// cause is what is said of objects, apart from their names.
type cause struct {
	severity        diag.Severity
	summary, detail string
}

// What stands for the object, its manifest and its name in a cause.
const (
	anObject = "\x00"
	anEntry  = "\x01"
	aName    = "\x02"
)

// entryOf returns what messages call the manifest of a member.
func entryOf(m *member) string {
	if m.plan != nil {
		return m.plan.Entry
	}
	return m.state.Entry
}

// causes returns diagnostics of members in the order of their keys. Those that differ only in the object become one.
// Their attributes are left out, because the resource does not have them.
func causes(members []*member, of func(diag.Diagnostics) diag.Diagnostics) diag.Diagnostics {
	var order []cause
	objects, names := map[cause][]string{}, map[cause]*member{}
	for _, m := range members {
		id := m.id().String()
		for _, d := range of(m.diags) {
			general := strings.NewReplacer(id, anObject, entryOf(m), anEntry, strconv.Quote(m.id().Name), aName)
			c := cause{d.Severity(), general.Replace(d.Summary()), general.Replace(d.Detail())}
			names[c] = m
			if objects[c] == nil {
				order = append(order, c)
			}
			objects[c] = append(objects[c], id)
		}
	}
	var diags diag.Diagnostics
	for _, c := range order {
		diags.Append(c.about(objects[c], names[c]))
	}
	return diags
}

// about returns the diagnostic about objects. last is one of them.
func (c cause) about(objects []string, last *member) diag.Diagnostic {
	slices.Sort(objects)
	objects = slices.Compact(objects)
	summary, detail := c.summary, c.detail
	if len(objects) > 1 {
		general := strings.NewReplacer(anObject+": ", "", anObject, "the object", anEntry, "its manifest", aName, "NAME")
		detail = sets.AboutAll(general.Replace(detail), objects)
	} else {
		single := strings.NewReplacer(anObject, objects[0], anEntry, entryOf(last), aName, strconv.Quote(last.id().Name))
		detail = single.Replace(detail)
	}
	summary = strings.NewReplacer(anObject, sets.FirstOf(objects), anEntry, entryOf(last), aName,
		strconv.Quote(last.id().Name)).Replace(summary)
	if c.severity == diag.SeverityWarning {
		return diag.NewWarningDiagnostic(summary, detail)
	}
	return diag.NewErrorDiagnostic(summary, detail)
}

// diagsOf returns what is said of members.
func diagsOf(members []*member) diag.Diagnostics {
	return causes(members, func(diags diag.Diagnostics) diag.Diagnostics { return diags })
}

// warningsOf returns the warnings about members.
func warningsOf(members []*member) diag.Diagnostics {
	return causes(members, diag.Diagnostics.Warnings)
}

// idsOf returns the objects of members.
func idsOf(members []*member) []string {
	var ids []string
	for _, m := range members {
		ids = append(ids, m.id().String())
	}
	slices.Sort(ids)
	return ids
}
