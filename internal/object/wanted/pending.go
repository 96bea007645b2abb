package wanted

import (
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// Pending reports whether an apply is due, because something has changed since our last one: the manifest, the
// patterns, the field manager, the fields that we own, a declared value, the fields left to ignored managers, or those
// of managers that are taken over. A value that is not known yet counts as different. Pending sends no request.
func Pending(a arguments.Arguments, prior record.Prior) bool {
	return a.IsUndecided() || PendingAnyway(a, prior)
}

// PendingAnyway reports whether something has changed since our last apply, apart from the values that are not known
// yet. Changed arguments are found without running the steps: the plan that follows runs them.
func PendingAnyway(a arguments.Arguments, prior record.Prior) bool {
	w := standIn(Wanted{Arguments: a, Prior: prior, Keys: prior.DefaultKeys().Assuming(a.Manifest.Object)})
	snapshot := prior.Snapshot
	switch {
	case w.HasStandIns || snapshot.AppliedState == "" || !w.Equal(prior.Arguments) ||
		!slices.Equal(snapshot.WriteOnly, w.WriteOnly.Fields):
		return true
	case w.Patch != nil:
		return snapshot.IsLost() || snapshot.Patched.IsPending()
	}
	return isDue(For(a, prior))
}

// isDue reports whether the object differs from its state after our last apply, which had the same arguments.
func isDue(w Wanted) bool {
	snapshot, own := w.Prior.Snapshot, w.Claims().Own(w.FieldManager)
	switch {
	case snapshot.LiveState != snapshot.AppliedState, lostAny(w, own), w.pinsPending(own):
		return true
	case len(w.Remove) > 0 && !paths.OrEmpty(snapshot.Fields.Unwanted).Empty(),
		// Additions, since the patterns of the configuration are the same.
		len(w.Remove) > len(w.Prior.Arguments.Remove):
		return true
	}
	return !slices.Equal(w.LeftTexts(), snapshot.IgnoredByManager) || w.AfterApply(w.Claims()).Changes(w.Claims())
}

// lostAny reports whether own, the fields that we own, are not those that our last apply left with us. Pins in list
// items that the object lacks do not count, and neither do empty maps and lists of which another manager owns parts.
func lostAny(w Wanted, own *paths.Set) bool {
	fields := w.Prior.Snapshot.Fields
	shared := record.OwnedInParts(fields.Empty, w.Claims(), w.FieldManager)
	declared := paths.OrEmpty(fields.Declared).RecursiveDifference(w.Prior.Snapshot.Pins.Gone(w.Claims()))
	return !own.Difference(shared).Equals(declared.Difference(shared).Difference(lostZeros(w, declared, own)))
}

// lostZeros returns those of declared that a part sets to 0 or false, that the API server does not store, and that we
// do not own any more. Another manager has taken them, and set them to 0 or false too, so an apply would change no
// value.
func lostZeros(w Wanted, declared, own *paths.Set) *paths.Set {
	if !w.IsPart {
		return paths.NewSet()
	}
	lost := declared.Difference(own)
	names := w.Prior.Snapshot.Renderer().Names(w.Claims().Formatter(lost))
	reader := projection.NewReader(w.Manifest.Object)
	id := w.Prior.Object
	return paths.Filter(lost, func(path paths.Path) bool {
		_, isShown := w.Prior.ManagedState[names.Format(path)]
		value, _ := reader.Lookup(path)
		isZero := projection.JSON(value) == "0" || value == false
		return isZero && !isShown && dropsZero(id.APIVersion, id.Kind, path)
	})
}

// dropsZero reports whether the API server does not store 0 and false in a field, according to the Go type of its kind:
// in a Deployment, paused: false is the same as no paused. The path leads to the field by names and positions. It is
// false for kinds and fields that are not built in.
func dropsZero(apiVersion, kind string, path paths.Path) bool {
	object, err := scheme.Scheme.New(schema.FromAPIVersionAndKind(apiVersion, kind))
	if err != nil {
		return false
	}
	at, omitted := reflect.TypeOf(object), false
	for _, element := range path {
		for at.Kind() == reflect.Pointer {
			at = at.Elem()
		}
		switch {
		case at.Kind() == reflect.Struct && element.FieldName != nil:
			field, options, has := fieldOf(at, *element.FieldName)
			if !has {
				return false
			}
			at, omitted = field.Type, strings.Contains(options, "omitempty")
		case at.Kind() == reflect.Map || at.Kind() == reflect.Slice:
			at, omitted = at.Elem(), false
		default:
			return false
		}
	}
	switch at.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int32, reflect.Int64, reflect.Float64:
		return omitted
	}
	return false
}

// fieldOf returns the field of a struct that has a name in JSON, and the options of its tag.
func fieldOf(of reflect.Type, name string) (field reflect.StructField, options string, has bool) {
	for _, field := range reflect.VisibleFields(of) {
		if tag, options, _ := strings.Cut(field.Tag.Get("json"), ","); tag == name {
			return field, options, true
		}
	}
	return reflect.StructField{}, "", false
}
