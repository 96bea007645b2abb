package record

import (
	"maps"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
)

// Refilled are the fingerprints of values that the API server has put back after an apply removed them, by paths.ID:
// defaults, for instance. To remove such a value again changes nothing.
type Refilled map[string]string

// Without returns fields without those that have in live the value that the API server puts back.
func (r Refilled) Without(fields *paths.Set, live map[string]any, renderer rendering.Renderer) *paths.Set {
	if len(r) == 0 {
		return fields
	}
	object := projection.NewReader(live)
	return paths.Filter(fields, func(path paths.Path) bool {
		value, _ := object.Lookup(path)
		return r[maskedID(path, renderer)] != renderer.Fingerprint(path, value)
	})
}

// With returns r with the values that fields have in live. r is not mutated.
func (r Refilled) With(fields *paths.Set, live map[string]any, renderer rendering.Renderer) Refilled {
	if fields.Empty() {
		return r
	}
	more, object := Refilled{}, projection.NewReader(live)
	maps.Copy(more, r)
	paths.Walk(fields, func(path paths.Path, _ bool) {
		value, _ := object.Lookup(path)
		more[maskedID(path, renderer)] = renderer.Fingerprint(path, value)
	})
	return more
}

// of returns those of r that are about fields.
func (r Refilled) of(fields *paths.Set, renderer rendering.Renderer) Refilled {
	var known Refilled
	paths.Walk(fields, func(path paths.Path, _ bool) {
		id := maskedID(path, renderer)
		if print, has := r[id]; has {
			if known == nil {
				known = Refilled{}
			}
			known[id] = print
		}
	})
	return known
}

func maskedID(path paths.Path, renderer rendering.Renderer) string {
	return paths.ID(renderer.MaskPath(path))
}
