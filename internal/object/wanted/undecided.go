package wanted

import (
	"maps"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
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
		value, presence := lookup(last, path)
		if presence != projection.Present {
			w.HasStandIns = true
			value, presence = lookup(live, path)
		}
		if presence != projection.Present && !undecided.IsOpen {
			w.standInPaths = append(w.standInPaths, undecided.At)
		}
		if presence == projection.Present {
			w.Manifest.Object = projection.Replace(w.Manifest.Object, undecided.At, value)
			stored = projection.Replace(stored, undecided.At, value)
		}
	}
	w.WriteOnly.Stored.Object = stored
	return w
}

// lookup returns the value at a path. A key of a list item, which is a stand-in in the path, has the value that it has
// in the only item whose other keys are those of the path.
func lookup(in *projection.Reader, path paths.Path) (any, projection.Presence) {
	if !paths.IsKeyField(path) {
		return in.Lookup(path)
	}
	value, _ := in.Lookup(path[:len(path)-2])
	list, _ := value.([]any)
	key, keys := *path[len(path)-1].FieldName, paths.KeyFields(path[len(path)-2])
	// KeyFields returns a map of its own, so the path keeps the key.
	delete(keys, key)
	alike := slices.DeleteFunc(slices.Clone(list), func(item any) bool {
		fields, _ := item.(map[string]any)
		for name, value := range keys {
			if projection.JSON(fields[name]) != projection.JSON(value) {
				return true
			}
		}
		return fields[key] == nil
	})
	if len(alike) != 1 || len(keys) == 0 {
		return nil, projection.Absent
	}
	item, _ := alike[0].(map[string]any)
	return item[key], projection.Present
}

// Decided returns arguments without the values that are not known yet and that neither our last apply nor the object
// contains. The server may refuse the stand-ins for them. A list with one of them is left out as a whole.
func Decided(a arguments.Arguments, prior record.Prior) arguments.Arguments {
	a.Undecided = slices.Clone(a.Undecided)
	for _, at := range standIn(Wanted{Arguments: a, Prior: prior}).standInPaths {
		for at[len(at)-1].FieldName == nil {
			at = at[:len(at)-1]
		}
		around := at[:len(at)-1]
		parent, _ := projection.Lookup(a.Manifest.Object, around)
		if fields, isMap := parent.(map[string]any); isMap {
			fields = maps.Clone(fields)
			delete(fields, *at[len(at)-1].FieldName)
			a.Manifest.Object = projection.Replace(a.Manifest.Object, around, fields)
		}
		a.Undecided = slices.DeleteFunc(a.Undecided, func(u arguments.Undecided) bool {
			return len(u.At) >= len(at) && u.At[:len(at)].Equals(at)
		})
	}
	return a
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
	_, isMember := paths.ElementValue(path[len(path)-1])
	return isMember || paths.IsKeyField(path)
}
