package intents

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/builtin"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// A plan uses a stand-in instead of a value that is not known yet. Most fields accept this text, because it is a name, a number with or
// without a unit, a version, and base64.
const (
	StandInText   = "1000"
	StandInNumber = int64(1)
	StandInBool   = true
)

// NamesObject reports whether the value is part of the identity of the manifest's object.
func (u Undecided) NamesObject() bool {
	switch paths.Format(u.At) {
	case "apiVersion", "kind", "metadata", "metadata.name", "metadata.namespace":
		return true
	}
	return len(u.At) == 0
}

// UndecidedOf returns the values at the places where the manifest of an object has them: the stringData of a Secret is in its data.
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

// WithStandIns returns the intent with stand-ins for the values that are not known yet: those of our last apply, or else the live
// ones. guesses says that our last apply sent no value for some of them, so that the server may refuse the dry-run.
func (i Intent) WithStandIns(prior record.Prior) (intent Intent, guesses bool) {
	if !i.IsUndecided() {
		return i, false
	}
	last, live, known := projection.NewReader(prior.LastBody()), projection.NewReader(prior.Live), prior.Snapshot.Claims.Fields()
	stored := i.WriteOnly.Stored.Object
	for _, undecided := range i.Undecided {
		path := projection.PathOf(i.Manifest.Object, undecided.At, known)
		if undecided.IsOpen { // The manifest does not have it: only what is around it has elements.
			path = projection.PathOf(i.Manifest.Object, undecided.At[:len(undecided.At)-1], known)
		}
		path = slices.Concat(path, undecided.At[len(path):]) // The items of a list with one owner have positions.
		value, presence := last.Lookup(path)
		if presence != projection.Present {
			guesses = true
			value, presence = live.Lookup(path)
		}
		if presence == projection.Present {
			i.Manifest.Object = projection.Replace(i.Manifest.Object, undecided.At, value)
			stored = projection.Replace(stored, undecided.At, value)
		}
	}
	i.WriteOnly.Stored.Object = stored
	return i, guesses
}

// PendingAnyway reports whether something differs from what our last apply left, apart from the values that are not known yet.
func PendingAnyway(intent Intent, prior record.Prior) bool {
	intent, guesses := intent.WithStandIns(prior)
	intent.Undecided = nil
	return guesses || Pending(intent, prior)
}

// UndecidedFields returns the members of fields whose values are not known yet: the values themselves, and maps and lists with one
// owner around them. keys says that it is not even known which fields there will be. A value that turns out to be null, or an empty
// text where the API server stores none, is not foreseen.
func (i Intent) UndecidedFields(fields *paths.Set) (undecided *paths.Set, keys bool) {
	undecided = paths.NewSet()
	for _, value := range i.Undecided {
		if i.Ignored().Match(value.At) {
			continue
		}
		path := projection.PathOf(i.Manifest.Object, value.At, fields)
		if len(path) == 0 || !fields.Has(path) || ownership.HasParts(fields, path) || isIdentifying(path) ||
			builtin.DropsZero(i.Manifest.APIVersion, i.Manifest.Kind, value.At) {
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
