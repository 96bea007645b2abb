package arguments

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Undecided is a value of a manifest that is known only during the apply. A plan uses a stand-in.
type Undecided struct {
	// At leads to the value by names and positions.
	At paths.Path
	// IsOpen is true if the value may be a map or a list, so that its fields are not known. The manifest then
	// lacks the value.
	IsOpen bool
}

// NamesObject reports whether the value is part of the identity of the manifest's object.
func (u Undecided) NamesObject() bool {
	switch paths.Format(u.At) {
	case "apiVersion", "kind", "metadata", "metadata.name", "metadata.namespace":
		return true
	}
	return len(u.At) == 0
}

// UndecidedOf returns the values at the places where the manifest of an object has them: the stringData of a Secret is
// in its data.
func UndecidedOf(object manifest.Identity, values []Undecided) []Undecided {
	if !object.IsSecret() {
		return values
	}
	placed := slices.Clone(values)
	for i, value := range placed {
		if len(value.At) > 0 && value.At[0].FieldName != nil && *value.At[0].FieldName == "stringData" {
			placed[i].At = append(paths.Path{paths.Field("data")}, value.At[1:]...)
		}
	}
	return placed
}
