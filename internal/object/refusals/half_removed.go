package refusals

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
)

// HalfRemovedError is a refusal of what an apply would leave of list items or maps that are not in the manifest any more:
// they stay, because others hold parts of them, and they lack what was ours.
type HalfRemovedError struct {
	Refusal *cluster.Error
	// Fields are such items and maps, and Parts what others hold in them.
	Fields []string
	Parts  []LiveField
	// TakeOver names the managers to take over so that the fields can be removed, including those that are taken over
	// already. It is nil if that does not help.
	TakeOver []string
}

func (e *HalfRemovedError) Error() string { return e.Refusal.Error() }

// Unwrap returns the server's refusal.
func (e *HalfRemovedError) Unwrap() error { return e.Refusal }

// halfRemoved returns the *HalfRemovedError of a refusal; nil if the refusal is not about fields that leave the body.
func halfRemoved(a prediction.Attempt, meets ownership.Claims, refusal *cluster.Error, causes []metav1.StatusCause) *HalfRemovedError {
	lacking := slices.DeleteFunc(slices.Clone(causes), func(cause metav1.StatusCause) bool {
		return cause.Type != metav1.CauseTypeFieldValueRequired && cause.Type != metav1.CauseTypeForbidden
	})
	others := meets.Others(a.Intent.FieldManager)
	held := others.Fields()
	names := a.Intent.Renderer(a.Prior.Object, a.Prior.Snapshot).Names(paths.NewFormatter(a.Claims.Fields()))
	half := &HalfRemovedError{Refusal: refusal}
	paths.Walk(a.WhenPruneRefused(refusalOf(lacking...)).Removed, func(field paths.Path, _ bool) {
		stays := intents.Within(held.Leaves(), []paths.Path{field})
		if stays.Empty() || !lacks(lacking, field, stays) {
			return
		}
		half.Fields = append(half.Fields, names.Format(field))
		parts := paths.Filter(stays, func(path paths.Path) bool { return !paths.IsKeyField(path) })
		if parts.Empty() {
			parts.Insert(field)
		}
		paths.Walk(parts, func(path paths.Path, _ bool) {
			half.Parts = append(half.Parts, LiveField{Field: names.Format(path), Owners: others.Holders(path)})
		})
	})
	if len(half.Fields) == 0 {
		return nil
	}
	half.TakeOver = takeOverOf(half.Parts, a.Intent.TakeOver)
	return half
}

// lacks reports whether one of causes is about a field itself, or about a part that is not among those that stay.
func lacks(causes []metav1.StatusCause, field paths.Path, stay *paths.Set) bool {
	return slices.ContainsFunc(causes, func(cause metav1.StatusCause) bool {
		if !intents.Refuses(refusalOf(cause), field) {
			return false
		}
		about := intents.NamesIn(cause.Field)
		return len(about) <= len(field) || paths.Filter(stay, func(path paths.Path) bool {
			return len(path) >= len(about) && slices.Equal(intents.NamesOf(path[:len(about)]), about)
		}).Empty()
	})
}

// refusalOf returns a refusal for some causes alone.
func refusalOf(causes ...metav1.StatusCause) error {
	return &cluster.Error{Reason: cluster.ReasonInvalid, Details: &cluster.InvalidError{Causes: causes}}
}

// takeOverOf returns names and the owners of fields. It returns nil if names has all the owners, or if one of them cannot
// be taken over.
func takeOverOf(fields []LiveField, names []string) []string {
	taking := ownership.Rewrite{TakeOver: slices.Clone(names)}
	for _, field := range fields {
		for _, owner := range field.Owners {
			if !slices.Contains(taking.TakeOver, owner.Name) {
				taking.TakeOver = append(taking.TakeOver, owner.Name)
			}
			if !taking.TakesOver(owner.Manager) {
				return nil
			}
		}
	}
	if len(taking.TakeOver) == len(names) {
		return nil
	}
	return taking.TakeOver
}
