package prediction

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/rendering"
)

// fieldDiff finds out the ownership.Facts of fields.
type fieldDiff struct {
	Prediction
	// declared is what our last apply left with us.
	declared *paths.Set
	// before is what the configuration said at our last apply, now what it says.
	before, now desired
	// ignored is what the configuration leaves to others.
	ignored *paths.Set
	// undecided are the fields whose values are not known yet.
	undecided *paths.Set
	// after are the claims of others once the apply is done. taken are the managers that lose a field by it.
	after     ownership.Claims
	taken     map[string][]ownership.Holder
	shown     map[string]string
	formatter *paths.Formatter
	// answer is what the server makes of the body.
	answer *projection.Reader
	// priorRenderer shows values as the prior state does, renderer as the plan does: sensitive_fields may have changed.
	priorRenderer, renderer rendering.Renderer
}

// priorField returns the text of a path in the prior state.
func (f fieldDiff) priorField(path paths.Path) string {
	return f.priorRenderer.Names(f.formatter).Format(path)
}

func (f fieldDiff) of(path paths.Path) ownership.Facts {
	facts := ownership.Facts{
		OwnedBefore: paths.Touches(f.declared, path),
		OwnedAfter:  paths.Touches(f.Applied, path),
	}
	was, is := f.before.of(path, f.priorRenderer), f.now.of(path, f.priorRenderer)
	facts.Configured = was != is
	switch {
	case !facts.OwnedAfter:
		value, held := f.Prior.Snapshot.Values[paths.ID(path)]
		facts.Contested = held && value != was.value
	case len(f.taken[paths.ID(path)]) > 0:
		facts.Contested = true
	case facts.OwnedBefore && !facts.Configured && len(f.priorRenderer.RedactedPath(path)) == len(path):
		// The manager that gave the field this value has released it since.
		field := f.priorField(path)
		becomes, known := f.shown[field]
		live, shown := f.Prior.ManagedState[field]
		facts.Contested = known && shown && becomes != live && f.asks(path, f.priorRenderer) != live
	}
	return facts
}

// asks returns the value that the configuration gives a field, as attributes show values.
func (f fieldDiff) asks(path paths.Path, renderer rendering.Renderer) string {
	if paths.OrEmpty(f.undecided).Has(path) {
		return undecidedValue
	}
	value, _ := f.now.sent.Lookup(path)
	return renderer.Text(path, value)
}
