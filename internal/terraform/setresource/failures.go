package setresource

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/sets"
)

// failures are the members of an apply that failed, and those that could not be tried because of them. It is safe for
// concurrent use.
type failures struct {
	mu     sync.Mutex
	failed []*member
	// skipped are the members that were not applied, and held those that were not deleted, each with the member that is
	// the reason.
	skipped, held map[*member]*member
	// untried are the members that were not tried, because something before all of them has failed.
	untried []*member
	// undone are the members that were set back because others are not ready.
	undone []*member
}

// note notes a member that has an error, or that will have one after its undo.
func (f *failures) note(m *member) {
	if !m.diags.HasError() && !m.isUnready() {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failed = append(f.failed, m)
}

// noteUndone notes a member that was to be set back.
func (f *failures) noteUndone(m *member) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case slices.Contains(f.failed, m):
	case m.diags.HasError():
		f.failed = append(f.failed, m)
	default:
		f.undone = append(f.undone, m)
	}
}

// stop reports whether a member cannot be applied because another one, which it needs, has failed.
func (f *failures) stop(m *member) bool {
	named := m.named()
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, failed := range f.failed {
		if failed.isNeeded() && (named.needs(failed) || named.refersTo(failed)) {
			if f.skipped == nil {
				f.skipped = map[*member]*member{}
			}
			f.skipped[m] = failed
			return true
		}
	}
	return false
}

// hold reports whether a member cannot be deleted, because one that is still there would be deleted with it, or may
// need it to end.
func (f *failures) hold(m *member) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	isNeeded := m.isNeeded()
	for _, some := range []iter.Seq[*member]{slices.Values(f.failed), maps.Keys(f.held)} {
		for there := range some {
			if there != m && (there.controllers[m] || isNeeded && there.needs(m)) {
				if f.held == nil {
					f.held = map[*member]*member{}
				}
				f.held[m] = there
				return true
			}
		}
	}
	return false
}

// needs reports whether a member can only be applied after another one, with which the API server also deletes it, or
// without which it does not reach it.
func (m *member) needs(other *member) bool {
	id, needed := m.id(), other.id()
	switch {
	case needed.IsNamespace():
		return id.Namespace == needed.Name
	case needed.IsDefinition():
		_, group, _ := strings.Cut(needed.Name, ".")
		kind := other.definedKind()
		return id.Group() == group && (kind == "" || id.Kind == kind)
	case other.stage == apiServicesStage:
		version, group, _ := strings.Cut(needed.Name, ".") // The API server takes no other name.
		return id.APIVersion == group+"/"+version && !manifest.IsBuiltinGroup(group)
	}
	return false
}

// definedKind returns the kind that the CustomResourceDefinition of a member defines; "" if that is not known.
func (m *member) definedKind() string {
	if m.defines == "" {
		m.defines = m.stringAt("spec", "names", "kind")
	}
	return m.defines
}

// named returns what needs and refersTo compare of a member, with its parsed ID, for comparisons with many others.
func (m *member) named() *member {
	return &member{stage: m.stage, plan: m.plan, state: m.state, fixed: m.id()}
}

// body returns the manifest of a member, as far as it is known.
func (m *member) body() map[string]any {
	if m.plan == nil {
		return m.state.Body().Manifest.Object
	}
	return m.plan.Body().Manifest.Object
}

// stringAt returns the string at a field of the manifest; "" without one.
func (m *member) stringAt(fields ...string) string {
	value, _, _ := unstructured.NestedString(m.body(), fields...)
	return value
}

// refersTo reports whether the API server refuses to create a member as long as another one does not exist.
func (m *member) refersTo(other *member) bool {
	id, needed := m.id(), other.id().InAnyVersion()
	switch {
	case other.stage == rolesStage && m.stage == bindingsStage:
		return needed.Kind == m.stringAt("roleRef", "kind") && needed.Name == m.stringAt("roleRef", "name") &&
			(needed.Namespace == "" || needed.Namespace == id.Namespace)
	case id.APIVersion != "v1" || id.Kind != "Pod":
		return false
	case needed.Kind == "ServiceAccount":
		return needed.Namespace == id.Namespace && needed.Name == m.stringAt("spec", "serviceAccountName")
	case needed.Kind == "PriorityClass":
		return needed.Name == m.stringAt("spec", "priorityClassName")
	case needed.Kind == "RuntimeClass":
		return needed.Name == m.stringAt("spec", "runtimeClassName")
	}
	return false
}

// isNeeded reports whether other members may need a member.
func (m *member) isNeeded() bool {
	switch m.stage {
	case namespacesStage, definitionsStage, accountsStage, classesStage, rolesStage, apiServicesStage:
		return true
	}
	return false
}

func (f *failures) any() bool { return len(f.failed)+len(f.untried) > 0 }

func (f *failures) has(m *member) bool { return slices.Contains(f.failed, m) }

// isThere reports whether a member that was to be deleted is still there.
func (f *failures) isThere(m *member) bool { return f.has(m) || f.held[m] != nil }

// pending returns the value of pending: the reason why each object differs from its configuration.
func (f *failures) pending() types.Map {
	reasons := map[string]attr.Value{}
	for _, m := range f.failed {
		first := m.diags.Errors()[0]
		reasons[m.key] = types.StringValue(strings.TrimSuffix(first.Summary(), ": "+m.id().String()))
	}
	for m, needed := range f.skipped {
		reasons[m.key] = types.StringValue("needs " + needed.id().String())
	}
	for _, m := range f.untried {
		reasons[m.key] = types.StringValue("a hook or an object that comes first has failed")
	}
	for m, there := range f.held {
		reasons[m.key] = types.StringValue(there.id().String() + " is still there")
	}
	for _, m := range f.undone {
		reasons[m.key] = types.StringValue("set back, because others were not ready")
	}
	return types.MapValueMust(types.StringType, reasons)
}

// heldAs returns the members that were not deleted because of another one of which is is true.
func (f *failures) heldAs(is func(there, m *member) bool) map[*member]*member {
	held := maps.Clone(f.held)
	maps.DeleteFunc(held, func(m, there *member) bool { return !is(there, m) })
	return held
}

func served(there, m *member) bool { return !there.needs(m) }

// errors returns the errors of the members, one for each cause.
func (f *failures) errors() diag.Diagnostics {
	diags := said(f.failed, diag.Diagnostics.Errors)
	if len(f.undone) > 0 {
		isReady := func(m *member) bool { return !m.isUnready() }
		var undone sets.Undone
		for _, m := range slices.SortedFunc(slices.Values(f.undone), byKey) {
			undone = append(undone, *m.undo.applied.Undo.Done)
		}
		diags.Append(sets.ChangesUndone(idsOf(slices.DeleteFunc(slices.Clone(f.failed), isReady)), undone))
	}
	for _, because := range []struct {
		of  map[*member]*member
		say func(needed string, objects []string) diag.Diagnostic
	}{{f.skipped, sets.NotTried}, {f.heldAs((*member).needs), sets.Held}, {f.heldAs(served), sets.HeldForController}} {
		byNeed := map[string][]string{}
		for m, needed := range because.of {
			byNeed[needed.id().String()] = append(byNeed[needed.id().String()], m.id().String())
		}
		for _, needed := range slices.Sorted(maps.Keys(byNeed)) {
			slices.Sort(byNeed[needed])
			diags.Append(because.say(needed, byNeed[needed]))
		}
	}
	return diags
}

func byKey(a, b *member) int { return cmp.Compare(a.key, b.key) }

// progress returns the warning about how far an apply or a destroy of several members came that failed.
func (f *failures) progress(members []*member) diag.Diagnostics {
	var done, left []*member
	for _, m := range members {
		switch {
		case m.isGone, m.isApplied && !f.has(m):
			done = append(done, m)
		case m.stored.Does != keeps:
			left = append(left, m)
		}
	}
	if !f.any() || len(done)+len(left) < 2 {
		return nil
	}
	return diag.Diagnostics{sets.ObjectsLeft(idsOf(done), idsOf(left), len(members)-len(done)-len(left))}
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
