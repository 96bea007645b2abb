package prediction

import (
	"reflect"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// UnknownValues returns the keys of state whose value is known only after the apply, sorted: secret values whose digest
// key does not exist yet, values that the configuration does not know yet, and write-only ones that the apply sends.
// Attributes show write-only values alike before and after, so an unknown value is how the plan shows that the apply
// sets them.
func UnknownValues(state map[string]string, applied *paths.Set, w wanted.Wanted, names rendering.Formatter) []string {
	var fields []string
	for field, value := range state {
		if value == rendering.Redacted {
			fields = append(fields, field)
		}
	}
	sent := wanted.SentWriteOnly(w.Arguments, w.Prior)
	undecided, _ := w.UndecidedFields(applied)
	paths.Walk(applied, func(path paths.Path, _ bool) {
		field := names.Format(path)
		if _, shown := state[field]; shown && (sent.Match(path) || undecided.Has(path)) {
			fields = append(fields, field)
		}
	})
	return sortUnique(fields)
}

// mayChange returns a function that reports whether Terraform's second plan may give one of fields another value: a
// write-only one, or one that is not known yet.
func mayChange(w wanted.Wanted, fields *paths.Set) func(path paths.Path) bool {
	writeOnly := w.WriteOnly.Patterns()
	undecided, _ := w.UndecidedFields(fields)
	return func(path paths.Path) bool { return writeOnly.Match(path) || undecided.Has(path) }
}

// FieldsUnknown reports whether it is not known yet which of applied the object will have. body was sent and object is
// the answer to it: if the server has dropped values of the body, the stand-ins may be the reason. It does not store
// some zeros and empty strings in any case.
func FieldsUnknown(w wanted.Wanted, body, object map[string]any, applied *paths.Set) bool {
	if !w.IsUndecided() {
		return false
	}
	stored := projection.WithValues(object, applied)
	if _, keys := w.UndecidedFields(stored); keys {
		return true
	}
	sent := projection.NewReader(body)
	return !paths.Filter(applied.Difference(stored).Leaves(), func(path paths.Path) bool {
		value, _ := sent.Lookup(path)
		return value != nil && !projection.IsEmptyCollection(value) && !reflect.ValueOf(value).IsZero()
	}).Empty()
}

// UnknownOwners returns the fields that other managers hold and whose value is write-only or not known yet, sorted.
// Their owners after the apply depend on the value.
func UnknownOwners(claims ownership.Claims, applied *paths.Set, w wanted.Wanted, names rendering.Formatter) []string {
	var fields []string
	mayChange := mayChange(w, applied)
	paths.Walk(claims.Others(w.FieldManager).Fields(), func(path paths.Path, _ bool) {
		if mayChange(path) {
			fields = append(fields, names.Format(path))
		}
	})
	return sortUnique(fields)
}

// WriteOnlyDiffers returns a function that reports whether a body gives a write-only field a value other than the live
// one. If this run has not read the object, a field counts as different if we do not own it, or if the version is new.
// live is the object; nil if this run has not read it.
func WriteOnlyDiffers(w wanted.Wanted, live, body map[string]any) func(path paths.Path) bool {
	given := projection.NewReader(body)
	if live != nil {
		live := projection.NewReader(live)
		return func(path paths.Path) bool {
			gives, _ := given.Lookup(path)
			value, _ := live.Lookup(path)
			return projection.Fingerprint(gives) != projection.Fingerprint(value)
		}
	}
	isNew := w.WriteOnly.Version != w.Prior.Arguments.WriteOnly.Version
	own := w.Claims().Own(w.PreviousManager())
	return func(path paths.Path) bool { return isNew || !own.Has(path) }
}
