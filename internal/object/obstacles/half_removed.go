package obstacles

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// HalfRemovedError is a refusal of list items or maps that leave the manifest but stay on the object, because other
// managers own parts of them. The server refuses them without our parts.
type HalfRemovedError struct {
	Refusal *cluster.Error
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

func (e *HalfRemovedError) Error() string { return e.Refusal.Error() }

// Unwrap returns the server's refusal.
func (e *HalfRemovedError) Unwrap() error { return e.Refusal }

// halfRemoved returns the *HalfRemovedError of a refusal; nil if the refusal is not about fields that leave the body.
func (a Apply) halfRemoved(refusal *cluster.Error, causes []metav1.StatusCause) *HalfRemovedError {
	lacking := slices.DeleteFunc(slices.Clone(causes), func(cause metav1.StatusCause) bool {
		return cause.Type != metav1.CauseTypeFieldValueRequired && cause.Type != metav1.CauseTypeForbidden &&
			!isOfZero(cause)
	})
	others := a.ClaimsBefore.Others(a.Wanted.FieldManager)
	held := others.Fields()
	names := a.Wanted.LiveRenderer().Names(paths.NewFormatter(a.Wanted.Claims().Fields()))
	half := &HalfRemovedError{Refusal: refusal}
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
