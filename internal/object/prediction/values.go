package prediction

import (
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

const (
	// noValue is shown for a field without a value.
	noValue = "(none)"
	// anotherValue is shown for a value of which only a digest is recorded.
	anotherValue = "(another value)"
	// undecidedValue is shown for a value that the configuration does not know yet.
	undecidedValue = "(known after apply)"
)

// valueBefore returns the live value of a field: from managed_state if we declared it, else from the
// object if this run has read it, else from its fingerprint if that is the value itself.
func valueBefore(prior record.Prior, field string, renderer rendering.Renderer, path paths.Path) string {
	if value, declared := prior.ManagedState[field]; declared {
		if renderer.IsSecret(path) && !prior.Snapshot.Renderer().IsSecret(path) {
			return rendering.Redacted
		}
		return value
	}
	if value, presence := projection.Lookup(prior.Live, path); presence == projection.Present && value != nil {
		return shownValue(path, value, renderer, prior.Snapshot.Renderer())
	}
	print, has := prior.Snapshot.Values[paths.ID(path)]
	if !has {
		return noValue
	}
	var value any
	if err := utiljson.Unmarshal([]byte(print), &value); err != nil {
		return anotherValue
	}
	return renderer.Text(path, value)
}

// Recorded returns the value before a conflict, if the state or its snapshot recorded it; nil otherwise.
func Recorded(conflict ownership.Change) *string {
	if conflict.Was == noValue || conflict.Was == anotherValue {
		return nil
	}
	return &conflict.Was
}

// shownValue returns a live value as a string: in clear only if the value neither was nor is secret.
func shownValue(path paths.Path, value any, renderer, before rendering.Renderer) string {
	if before.IsSecret(path) && !renderer.IsSecret(path) {
		return before.Text(path, value)
	}
	return renderer.Text(path, value)
}

// differenceOf returns how two long values of a field differ: nil if one of them is secret, or was.
func differenceOf(path paths.Path, was, becomes any, renderer, before rendering.Renderer) []string {
	if before.Difference(path, was, becomes) == nil {
		return nil
	}
	return renderer.Difference(path, was, becomes)
}

// partsOf returns the parts in which two values differ, however long they are: nil if one of them is secret, or was.
func partsOf(path paths.Path, was, becomes any, renderer, before rendering.Renderer) []string {
	if before.Parts(path, was, becomes) == nil {
		return nil
	}
	return renderer.Parts(path, was, becomes)
}
