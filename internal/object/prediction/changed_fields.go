package prediction

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// ChangedFields returns the fields whose value in body differs from that in the object, those that body adds, and those
// that left it.
func ChangedFields(w wanted.Wanted, body map[string]any) []paths.Path {
	p, known := w.Prior, w.Claims().Fields()
	before, now := desiredBefore(w, known), desiredBy(w, body)
	declared := p.DeclaredBefore()
	renderer := p.Snapshot.Renderer()
	names := renderer.Names(w.Claims().Formatter())
	var changed []paths.Path
	paths.Walk(known.Leaves(), func(path paths.Path, _ bool) {
		was, is := before.of(path, renderer), now.of(path, renderer)
		if is.sent == projection.Absent {
			if was.sent == projection.Present && declared.Has(path) {
				changed = append(changed, path)
			}
			return
		}
		value, _ := now.sent.Lookup(path)
		live, others := p.Snapshot.Values[paths.ID(path)]
		shown, ours := p.ManagedState[names.Format(path)]
		switch {
		case ours && was == is:
		case now.writeOnly.Match(path):
			changed = append(changed, path)
		case others && live == is.value, ours && shown == renderer.Text(path, value):
		default:
			changed = append(changed, path)
		}
	})
	return addedFields(body, known, nil, changed)
}

// addedFields appends to found the fields of value that known does not hold, each without its parts.
func addedFields(value any, known *paths.Set, at paths.Path, found []paths.Path) []paths.Path {
	visit := func(element paths.PathElement, part any) {
		below, path := paths.Children(known, element), paths.Below(at, element)
		switch {
		case below != nil:
			found = addedFields(part, below, path, found)
		case !paths.Has(known, element):
			found = append(found, path)
		}
	}
	switch value := value.(type) {
	case map[string]any:
		for name, part := range value {
			visit(paths.Field(name), part)
		}
	case []any:
		for i, element := range projection.NameItems(value, known) {
			visit(element, value[i])
		}
	}
	return found
}

// Between returns a field with its live value and the one that body gives it, without a prediction: for a change that
// the server refuses.
func Between(w wanted.Wanted, body map[string]any, path paths.Path) ownership.Change {
	formatter := w.Claims().Formatter(paths.NewSet(path))
	before, renderer := w.Prior.Snapshot.Renderer(), w.LiveRenderer().Knowing(w.Prior.Live)
	change := ownership.Change{
		Field: renderer.Names(formatter).Format(path), Becomes: ownership.RemovedValue,
		Was: valueBefore(w.Prior, before.Names(formatter).Format(path), renderer, path),
	}
	undecided, _ := w.UndecidedFields(paths.NewSet(path))
	value, presence := projection.Lookup(body, path)
	switch {
	case undecided.Has(path):
		change.Becomes = undecidedValue
	case presence == projection.Present:
		change.Becomes = renderer.Text(path, value)
	}
	return change
}
