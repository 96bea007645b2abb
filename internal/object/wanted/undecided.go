package wanted

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
)

// A plan uses a stand-in instead of a value that is not known yet. Most fields accept this string, because it is a
// name, a number with or without a unit, a version, and base64.
const (
	StandInText   = "1000"
	StandInNumber = int64(1)
	StandInBool   = true
)

// standIn gives the manifest stand-ins for the values that are not known yet: those of our last apply, or else the live
// ones.
func standIn(w Wanted) Wanted {
	if !w.IsUndecided() {
		return w
	}
	last, live, known := projection.NewReader(
		w.Prior.LastBody()), projection.NewReader(w.Prior.Live), w.Claims().Fields()
	stored := w.WriteOnly.Stored.Object
	for _, undecided := range w.Undecided {
		path := projection.PathOf(w.Manifest.Object, undecided.At, known)
		if undecided.IsOpen { // The manifest does not have it: only what is around it has elements.
			path = projection.PathOf(w.Manifest.Object, undecided.At[:len(undecided.At)-1], known)
		}
		path = slices.Concat(path, undecided.At[len(path):]) // The items of a list with one owner have positions.
		value, presence := last.Lookup(path)
		if presence != projection.Present {
			w.Guesses = true
			value, presence = live.Lookup(path)
		}
		if presence == projection.Present {
			w.Manifest.Object = projection.Replace(w.Manifest.Object, undecided.At, value)
			stored = projection.Replace(stored, undecided.At, value)
		}
	}
	w.WriteOnly.Stored.Object = stored
	return w
}

// UndecidedFields returns the members of fields whose values are not known yet: the values themselves, and maps and
// lists with one owner around them. keys reports whether it is not even known which fields there will be. A value that
// turns out to be null, or an empty string that the API server does not store, is not foreseen.
func (w Wanted) UndecidedFields(fields *paths.Set) (undecided *paths.Set, keys bool) {
	undecided = paths.NewSet()
	for _, value := range w.Undecided {
		if w.Ignored().Match(value.At) {
			continue
		}
		path := projection.PathOf(w.Manifest.Object, value.At, fields)
		if len(path) == 0 || !fields.Has(path) || ownership.HasParts(fields, path) || isIdentifying(path) ||
			dropsZero(w.Manifest.APIVersion, w.Manifest.Kind, value.At) {
			keys = true
			continue
		}
		undecided.Insert(path)
	}
	return undecided, keys
}

// isIdentifying reports whether a value identifies a list item.
func isIdentifying(path paths.Path) bool {
	if len(path) == 0 {
		return false
	}
	_, isMember := paths.ElementValue(path[len(path)-1])
	return isMember || paths.IsKeyField(path)
}
