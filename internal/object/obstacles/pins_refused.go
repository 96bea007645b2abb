package obstacles

import (
	"errors"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// PinsRefusedError is a refusal of a manifest with its pinned values. The server takes the manifest without them.
type PinsRefusedError struct {
	Refusal *cluster.Error
	// Pinned are the pinned fields that the refusal is about, sorted; see [NamedPins].
	Pinned []string
	// Beside are the fields beside which the server refuses them; nil if they are not known.
	Beside []LiveField
}

func (e *PinsRefusedError) Error() string { return e.Refusal.Error() }

// Unwrap returns the server's refusal.
func (e *PinsRefusedError) Unwrap() error { return e.Refusal }

// PinsRefused returns a *PinsRefusedError about pinned fields. err is the refusal, or a *BlockedError of it.
func PinsRefused(refusal *cluster.Error, err error, pinned []string) *PinsRefusedError {
	refused := &PinsRefusedError{Refusal: refusal, Pinned: pinned}
	if blocked, is := errors.AsType[*BlockedError](err); is {
		refused.Beside = blocked.Fields
	}
	return refused
}

// NamedPins returns the pins that a refusal names. If it names none, they are those in the map of a field that it
// names, or in a part of that map, as of another member of a union. Without such pins, it returns all.
func NamedPins(refusal error, pins record.Pins) record.Pins {
	named, _ := projection.Covered(pins.Fields, refusals.Fields(refusal), pins.Values)
	if named.Empty() {
		named = paths.Filter(pins.Fields, func(path paths.Path) bool { return isBesideCause(refusal, path) })
	}
	if named.Empty() {
		return pins
	}
	return pins.Only(named)
}

// isBesideCause reports whether a field is in the map of a field that a refusal names, or in a part of that map.
func isBesideCause(refusal error, path paths.Path) bool {
	return slices.ContainsFunc(cluster.CausesOf(refusal), func(cause metav1.StatusCause) bool {
		about := namesIn(cause)
		return len(about) > 1 && startsWith(refusals.NamesOf(path), about[:len(about)-1])
	})
}
