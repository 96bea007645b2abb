package acceptance_test

import (
	"maps"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// fieldModel predicts, by the rules of server-side apply, what becomes of one field that several managers
// write: its value, and who owns which part of it. A missing value is nil.
type fieldModel struct {
	shape shape
	root  paths.Path
	// forgetsEmpty is true if the server keeps no empty maps and lists.
	forgetsEmpty bool
	// takenOver are the managers that lose what we declare.
	takenOver []string

	live   any
	claims map[string]*paths.Set
	// given are the places of what we applied last.
	given map[string]ownedPart
	// emptied is true if the last apply emptied something that has an owner. The server makes it null, and refuses that
	// for custom resources, so that it cannot dry-run such an apply.
	emptied bool
}

func newFieldModel(s strategy, forgetsEmpty bool, takenOver []string) *fieldModel {
	return &fieldModel{
		shape: s.shape, root: s.root, forgetsEmpty: forgetsEmpty, takenOver: takenOver, claims: map[string]*paths.Set{},
	}
}

func (m *fieldModel) claim(manager string) *paths.Set {
	if held := m.claims[manager]; held != nil {
		return held
	}
	return paths.NewSet()
}

// places returns the parts of a value by the ID of their path.
func (m *fieldModel) places(value any) map[string]ownedPart {
	all := map[string]ownedPart{}
	if value != nil {
		m.shape.walk(ownedPart{path: m.root, value: value, named: true}, func(p ownedPart) { all[paths.ID(p.path)] = p })
	}
	return all
}

// applied returns what an applier owns of the value that it sends: whole values, list items, keys of maps, and
// structures and maps that are empty. An empty list of which the server knows the members is nobody's.
func (m *fieldModel) applied(value any) *paths.Set {
	set := paths.NewSet()
	for _, p := range m.places(value) {
		fields, isMap := p.value.(map[string]any)
		if p.leaf || !p.named || isMap && len(fields) == 0 {
			set.Insert(p.path)
		}
	}
	return set
}

// changes returns the places that differ, and those that are new or gone.
func (m *fieldModel) changes(before, after any) (written, gone *paths.Set) {
	was, is := m.places(before), m.places(after)
	written, gone = paths.NewSet(), paths.NewSet()
	for id, p := range is {
		if old, had := was[id]; !had || p.leaf && story.AsJSON(old.value) != story.AsJSON(p.value) {
			written.Insert(p.path)
		}
	}
	for id, p := range was {
		if _, has := is[id]; !has {
			gone.Insert(p.path)
		}
	}
	return written, gone
}

// settle makes value the live one, which takes what is written or gone from everyone but the writer.
func (m *fieldModel) settle(writer string, value any) (written, gone *paths.Set) {
	written, gone = m.changes(m.live, value)
	for name, held := range m.claims {
		if name != writer {
			m.claims[name] = held.Difference(written).Difference(gone)
		}
	}
	m.live = m.kept(value)
	return written, gone
}

// kept returns a value as the server holds it: with its defaults, and for built-in kinds without what is empty.
func (m *fieldModel) kept(value any) any {
	value = m.shape.settled(value)
	if m.forgetsEmpty && (story.AsJSON(value) == "{}" || story.AsJSON(value) == "[]") {
		return nil
	}
	return value
}

// update is a create, a PUT or a patch that leaves value: the writer owns what it changed, groups included.
func (m *fieldModel) update(manager string, value any) {
	written, gone := m.settle(manager, m.shape.settled(value))
	m.claims[manager] = m.claim(manager).Difference(gone).Union(written)
}

// apply is a forced server-side apply: what the applier owned, leaves out and shares with nobody goes.
func (m *fieldModel) apply(manager string, value any) {
	last := m.named(m.claim(manager))
	m.claims[manager] = m.applied(value)
	managed := paths.NewSet()
	for _, held := range m.claims {
		managed = managed.Union(held)
	}
	merged := m.shape.merge(m.live, value)
	m.emptied = false
	m.settle(manager, m.shape.cut(m.root, merged, last.Difference(m.named(managed)), func() { m.emptied = !m.forgetsEmpty }))
}

// ours is our apply of a manifest with this value, or one that ignores the field, with what is released
// and taken over before and after.
func (m *fieldModel) ours(value any, ignored bool) {
	if ignored {
		m.claims[story.Us] = paths.NewSet()
		value = nil
	}
	dropped := paths.NewSet()
	said := m.places(value)
	paths.Walk(m.claim(story.Us), func(p paths.Path, _ bool) {
		if _, still := said[paths.ID(p)]; !still {
			dropped.Insert(p)
		}
	})
	for _, name := range m.takenOver {
		m.claims[name] = story.FullOf(m.claim(name), m.claim(name).Difference(dropped))
	}
	m.apply(story.Us, value)
	m.given = m.places(value)
	for _, name := range m.takenOver {
		m.claims[name] = story.FullOf(m.claim(name), m.claim(name).Difference(m.claim(story.Us)))
	}
	if m.emptied && value == nil {
		m.removeWhole()
	}
}

// removeWhole removes a field that we leave out if only managers that are taken over still own it, empty: the
// server would refuse that.
func (m *fieldModel) removeWhole() {
	field, held := paths.NewSet(m.root), paths.NewSet()
	for name, claim := range m.claims {
		if slices.Contains(m.takenOver, name) {
			m.claims[name] = claim.RecursiveDifference(field)
		}
		held = held.Union(m.claims[name])
	}
	if held.Empty() {
		m.live = nil
	}
}

// named returns a set with the structures' fields that lead to its members: the server reads a claim so where
// it decides what to remove.
func (m *fieldModel) named(set *paths.Set) *paths.Set {
	all := paths.NewSet() // A union with an empty set would share its parts with this one.
	paths.Walk(set, func(p paths.Path, _ bool) {
		all.Insert(p)
		at, named := m.shape, true
		for i := len(m.root); i < len(p); i++ {
			if named {
				all.Insert(p[:i])
			}
			named = at.kind == shapeStruct
			if name := p[i].FieldName; name != nil {
				at = at.member(*name)
			} else {
				at = *at.element
			}
		}
	})
	return all
}

// owners returns the names of the managers of each path, sorted.
func (m *fieldModel) owners(format func(paths.Path) string) map[string][]string {
	owners := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(m.claims)) {
		paths.Walk(m.claims[name], func(p paths.Path, _ bool) {
			owners[format(p)] = append(owners[format(p)], name)
		})
	}
	return owners
}

// managedState returns the live values of the leaves of what we own, without those that we give as empty maps and lists.
func (m *fieldModel) managedState(format func(paths.Path) string) map[string]string {
	state := map[string]string{}
	live := m.places(m.live)
	paths.Walk(m.claim(story.Us), func(p paths.Path, leaf bool) {
		given := story.AsJSON(m.given[paths.ID(p)].value)
		if at, has := live[paths.ID(p)]; leaf && has && given != "{}" && given != "[]" {
			state[format(p)] = textOf(at.value)
		}
	})
	return state
}

// textOf returns a value as managed_state shows it.
func textOf(value any) string {
	if text, isString := value.(string); isString {
		return text
	}
	return story.AsJSON(value)
}
