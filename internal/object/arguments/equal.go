package arguments

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Equal reports whether a asks the same of an object as before: Manifest without write-only values, or Patch, under the
// same FieldManager, with the same Ignore, Sensitive, Remove, Pin and Repin, and the same version of write-only values.
// Patterns are equal if they are written in the same way. All other arguments need no apply if they change, or need one
// only for some objects.
func (a Arguments) Equal(before Arguments) bool {
	return a.sameBody(before) && a.FieldManager == before.FieldManager &&
		a.WriteOnly.Version == before.WriteOnly.Version &&
		a.Repin == before.Repin && samePatterns(a.Ignore, before.Ignore) &&
		samePatterns(a.Sensitive, before.Sensitive) &&
		samePatterns(a.Remove, before.Remove) && samePatterns(a.Pin, before.Pin)
}

// sameBody reports whether two arguments have the same patch or manifest. No manifest is the same as one that cannot be
// parsed.
func (a Arguments) sameBody(before Arguments) bool {
	if a.Patch != nil || before.Patch != nil {
		return a.Patch != nil && before.Patch != nil && a.Patch.Text == before.Patch.Text
	}
	one, other := a.Stored(), before.Stored()
	if one.Text != "" && one.Text == other.Text {
		return true
	}
	return other.Object != nil && manifest.Equal(one, other)
}

func samePatterns(one, other paths.Patterns) bool {
	return slices.EqualFunc(one, other, func(a, b paths.Pattern) bool { return a.String() == b.String() })
}
