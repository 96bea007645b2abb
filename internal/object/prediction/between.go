package prediction

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// Between returns a field with its live value and the one that body gives it, without a prediction: for a change that
// the server refuses.
func Between(w wanted.Wanted, body map[string]any, path paths.Path) Change {
	formatter := w.Claims().Formatter(paths.NewSet(path))
	before, renderer := w.Prior.Snapshot.Renderer(), w.LiveRenderer().Knowing(w.Prior.Live)
	change := Change{
		Field: renderer.Names(formatter).Format(path), Becomes: RemovedValue,
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
