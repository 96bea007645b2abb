package obstacles

import (
	"errors"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// UnremovableError is a refusal of the object without fields that the configuration removes from it.
type UnremovableError struct {
	Refusal *cluster.Error
	// Fields are the outermost of these fields, in order of their paths. Lists are their lists, if they are removed
	// because the lists are too long; none if remove_fields covers them.
	Fields, Lists []string
}

func (e *UnremovableError) Error() string { return e.Refusal.Error() }

// Unwrap returns the server's refusal.
func (e *UnremovableError) Unwrap() error { return e.Refusal }

// Unremovable returns an *UnremovableError if the apply removes fields by a request of its own, and refusal otherwise.
// lists are those whose lengths are limited.
func (a Apply) Unremovable(refusal error, removes *paths.Set, lists []wanted.CountedList) error {
	var refused *cluster.Error
	if !errors.As(refusal, &refused) || removes.Empty() {
		return refusal
	}
	err := &UnremovableError{Refusal: refused}
	names := a.Wanted.LiveRenderer().Names(a.Wanted.Claims().Formatter(removes))
	paths.Walk(paths.Outermost(removes), func(path paths.Path, _ bool) {
		err.Fields = append(err.Fields, names.Format(path))
	})
	for _, list := range lists {
		if len(list.Removed) > 0 && len(a.Wanted.Remove) == 0 {
			err.Lists = append(err.Lists, list.Field)
		}
	}
	return err
}
