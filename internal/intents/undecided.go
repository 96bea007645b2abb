package intents

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
)

// Undecided is a value of a manifest that is known only during the apply. A plan makes do with a stand-in.
type Undecided struct {
	// At leads to the value by names and positions.
	At paths.Path
	// IsOpen says that the value may be a map or a list, so that nobody knows which fields it has. The manifest is without it.
	IsOpen bool
}

// A stand-in is what a plan tries in the place of a value that is not known yet. Most fields accept this text: it is a name, a
// number with a unit or without one, a version, and base64. Some built-in kinds have no field where a bool is false. What false has,
// true has too.
const (
	StandInText   = "1000"
	StandInNumber = int64(1)
	StandInBool   = false
)

// IsUndecided reports whether parts of the manifest are known only during the apply.
func (i Intent) IsUndecided() bool { return len(i.Undecided) > 0 }

// WithStandIns returns the intent with the values of our last apply in the place of those that are not known yet. guesses says
// that some had none then, so that the server may refuse what a plan tries.
func (i Intent) WithStandIns(prior record.Prior) (intent Intent, guesses bool) {
	if !i.IsUndecided() {
		return i, false
	}
	last, known := prior.LastBody(), prior.Snapshot.Claims.Fields()
	for _, undecided := range i.Undecided {
		path := projection.PathOf(i.Manifest.Object, undecided.At, known)
		if undecided.IsOpen { // The manifest does not have it: only what is around it has elements.
			path = projection.PathOf(i.Manifest.Object, undecided.At[:len(undecided.At)-1], known)
			path = paths.Below(path, undecided.At[len(undecided.At)-1])
		}
		value, presence := projection.Lookup(last, path)
		if _, isBool := value.(bool); isBool {
			presence = projection.Absent
		}
		if len(path) < len(undecided.At) || presence != projection.Present {
			guesses = true
			continue
		}
		i.Manifest.Object = projection.Replace(i.Manifest.Object, undecided.At, value)
	}
	return i, guesses
}

// UndecidedFields returns the members of fields whose values are not known yet: the values themselves, and maps and lists with one
// owner around them. keys says that it is not even known which fields there will be.
func (i Intent) UndecidedFields(fields *paths.Set) (undecided *paths.Set, keys bool) {
	undecided = paths.NewSet()
	for _, value := range i.Undecided {
		if i.Ignored().Match(value.At) {
			continue
		}
		path := projection.PathOf(i.Manifest.Object, value.At, fields)
		if len(path) == 0 || !fields.Has(path) || ownership.HasParts(fields, path) || isIdentifying(path) {
			keys = true
			continue
		}
		undecided.Insert(path)
	}
	return undecided, keys
}

// isIdentifying reports whether a value tells a list item from others.
func isIdentifying(path paths.Path) bool {
	if len(path) == 0 {
		return false
	}
	_, isMember := paths.ElementValue(path[len(path)-1])
	return isMember || paths.IsKeyField(path)
}
