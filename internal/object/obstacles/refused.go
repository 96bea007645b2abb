package obstacles

import (
	"errors"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// ChangeRefusedError is a refusal of the change of an object to a body that the server takes for a new object.
type ChangeRefusedError struct{ RefusedError }

// OfChange returns a *ChangeRefusedError for a refusal in words that do not tell whether it is about the object or
// about its change, if acceptedAsNew reports that the server takes the body for a new object. Otherwise it returns err.
func OfChange(err error, acceptedAsNew func() bool) error {
	refusal, is := errors.AsType[*cluster.Error](err)
	invalid, isInvalid := errors.AsType[*cluster.InvalidError](err)
	if !is || err != error(refusal) || !isInvalid { //nolint:errorlint // It is the refusal, or an explanation of it.
		return err
	}
	isOfField := func(cause metav1.StatusCause) bool { return cause.Field != "" }
	if !slices.ContainsFunc(invalid.Causes, isOfField) {
		return err // A policy may refuse all changes for a time, and a new object later.
	}
	isOfStatus := func(cause metav1.StatusCause) bool { return strings.HasPrefix(cause.Field, "status.") }
	if slices.ContainsFunc(invalid.Causes, isOfStatus) {
		return err // Nothing in the body is wrong, and no new object is needed.
	}
	if len(invalid.Rules) > 0 || !refusals.IsOfObject(err) || !acceptedAsNew() {
		return err
	}
	return &ChangeRefusedError{RefusedError: RefusedError{refusal}}
}

// PinsRefusedError is a refusal of a manifest with its pinned values. The server takes the manifest without them.
type PinsRefusedError struct {
	RefusedError
	// Pinned are the pinned fields that the refusal is about, sorted; see [NamedPins].
	Pinned []string
	// Beside are the fields together with which the server refuses them; nil if they are not known.
	Beside []ownership.Change
}

// PinsRefused returns a *PinsRefusedError about pinned fields. err is the refusal, or a *BlockedError of it.
func PinsRefused(refusal *cluster.Error, err error, pinned []string) *PinsRefusedError {
	refused := &PinsRefusedError{RefusedError: RefusedError{refusal}, Pinned: pinned}
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

// UnremovableError is a refusal of the object without fields that the configuration removes from it.
type UnremovableError struct {
	RefusedError
	// Fields are the outermost of these fields, sorted by path.
	Fields []string
}

// Unremovable returns an *UnremovableError if the apply removes fields by a request of its own, and refusal otherwise.
func (a Apply) Unremovable(refusal error, removes *paths.Set) error {
	var refused *cluster.Error
	if !errors.As(refusal, &refused) || removes.Empty() {
		return refusal
	}
	err := &UnremovableError{RefusedError: RefusedError{refused}}
	names := a.Wanted.LiveRenderer().Names(a.Wanted.Claims().Formatter(removes))
	paths.Walk(paths.Outermost(removes), func(path paths.Path, _ bool) {
		err.Fields = append(err.Fields, names.Format(path))
	})
	return err
}

// HalfRemovedError is a refusal of list items or maps that leave the manifest but stay on the object, because other
// managers own parts of them. The server refuses them without our parts.
type HalfRemovedError struct {
	RefusedError
	// Fields are these items and maps, and Parts what other managers own in them.
	Fields []string
	Parts  []ownership.Change
	// TakeOver names the managers to take over so that the fields can be removed, including those that are taken over
	// already. It is nil if that does not help. Applies is true if one of the owners applies.
	TakeOver []string
	Applies  bool
	// Removed are the patterns of remove_fields that would remove the fields, too, including those that it has.
	Removed []string
}

// halfRemoved returns the *HalfRemovedError of a refusal; nil if the refusal is not about fields that leave the body.
func (a Apply) halfRemoved(refusal *cluster.Error, causes []metav1.StatusCause) *HalfRemovedError {
	lacking := slices.DeleteFunc(slices.Clone(causes), func(cause metav1.StatusCause) bool {
		return cause.Type != metav1.CauseTypeFieldValueRequired && cause.Type != metav1.CauseTypeForbidden &&
			!isOfZero(cause)
	})
	others := a.ClaimsBefore.Others(a.Wanted.FieldManager)
	held := others.Fields()
	names := a.Wanted.LiveRenderer().Names(paths.NewFormatter(a.Wanted.Claims().Fields()))
	half := &HalfRemovedError{RefusedError: RefusedError{refusal}}
	refused := a.Wanted.WhenPruneRefused(a.Wanted.Claims(), a.Wanted.PreviousManager(), refusalOf(lacking...))
	paths.Walk(refused.Removed, func(field paths.Path, _ bool) {
		stays := wanted.Within(held.Leaves(), []paths.Path{field})
		if stays.Empty() || !lacks(lacking, field, stays) {
			return
		}
		half.Fields = append(half.Fields, names.Format(field))
		parts := paths.Filter(stays, func(path paths.Path) bool { return !paths.IsKeyField(path) })
		if parts.Empty() {
			parts.Insert(field)
		}
		paths.Walk(parts, func(path paths.Path, _ bool) {
			half.Parts = append(half.Parts, ownership.Change{Field: names.Format(path), Owners: others.Holders(path)})
		})
	})
	if len(half.Fields) == 0 {
		return nil
	}
	half.Removed = append(paths.Texts(a.Wanted.Remove), half.Fields...)
	half.TakeOver = takeOverAny(ownersOf(half.Parts), a.Wanted.TakeOver)
	half.Applies = slices.ContainsFunc(ownersOf(half.Parts), applies)
	return half
}

// isOfZero reports whether a cause quotes the zero value of a type. The server may read a missing number or string as
// the zero value: "Invalid value: 0" for a probe without its port.
func isOfZero(cause metav1.StatusCause) bool {
	return slices.ContainsFunc(zeroValues, func(words string) bool { return strings.HasPrefix(cause.Message, words) })
}

var zeroValues = []string{"Invalid value: 0:", `Invalid value: "":`, `Unsupported value: "":`}

// lacks reports whether one of causes is about a field itself, or about a part that is not among those that stay.
func lacks(causes []metav1.StatusCause, field paths.Path, stay *paths.Set) bool {
	return slices.ContainsFunc(causes, func(cause metav1.StatusCause) bool {
		if !refusals.Refuses(refusalOf(cause), field) {
			return false
		}
		about := refusals.NamesIn(cause.Field)
		return len(about) <= len(field) && !isOfZero(cause) || paths.Filter(stay, func(path paths.Path) bool {
			return startsWith(refusals.NamesOf(path), about)
		}).Empty()
	})
}

// refusalOf returns a refusal for some causes alone.
func refusalOf(causes ...metav1.StatusCause) error {
	return &cluster.Error{Reason: cluster.ReasonInvalid, Details: &cluster.InvalidError{Causes: causes}}
}
