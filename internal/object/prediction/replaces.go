package prediction

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
)

// replaces reports whether the body gives a scalar or a list to a field that is a map, because held has named parts of
// it. The server then replaces the map with all its parts. It merges maps, empty ones too, and leaves a map alone if
// the body contains null.
func replaces(held *paths.Set, field paths.Path, body *projection.Reader) bool {
	value, presence := body.Lookup(field)
	if presence != projection.Present || value == nil {
		return false
	}
	_, isMap := value.(map[string]any)
	return !isMap && ownership.HasNamedParts(held, field)
}

// ReplacesAny reports whether the body replaces a map that other managers hold in addition to its parts.
func ReplacesAny(body map[string]any, others *paths.Set) bool {
	reader, found := projection.NewReader(body), false
	paths.Walk(others, func(path paths.Path, leaf bool) {
		found = found || !leaf && replaces(others, path, reader)
	})
	return found
}
