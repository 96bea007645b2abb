package setresource

import (
	"maps"
	"slices"
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
	diags := said(f.failed, diag.Diagnostics.Errors)
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

// said returns what is said of members, joined.
func said(members []*member, of func(diag.Diagnostics) diag.Diagnostics) diag.Diagnostics {
	var all []sets.Said
	for _, m := range members {
		named := m.plan
		if named == nil {
			named = m.state
		}
		for _, d := range of(m.diags) {
			all = append(all, sets.Said{Object: m.id(), Entry: named.Entry, Diagnostic: d})
		}
	}
	return sets.Joined(all)
}

// diagsOf returns what is said of members.
func diagsOf(members []*member) diag.Diagnostics {
	return said(members, func(diags diag.Diagnostics) diag.Diagnostics { return diags })
}

// warningsOf returns the warnings about members.
func warningsOf(members []*member) diag.Diagnostics {
	return said(members, diag.Diagnostics.Warnings)
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
