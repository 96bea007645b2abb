package wanted

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
)

// NotIgnorableError reports that a pattern of ignore_fields covers a part of a field that has one owner as a whole.
type NotIgnorableError struct {
	Pattern string
	// Whole is the string of the smallest field that can be ignored instead.
	Whole string
	Why   projection.AtomicReason
}

func (e *NotIgnorableError) Error() string {
	if e.Why == projection.ItemKey {
		return e.Pattern + " is part of the key of the list item " + e.Whole + ", which can only be ignored as a whole"
	}
	return e.Pattern + " lies inside " + e.Whole + ", which is atomic: the API server gives it one owner as a whole"
}

// CheckSeparable returns a *NotIgnorableError for the first pattern whose fields cannot be released alone.
func (w Wanted) CheckSeparable(known *paths.Set) error {
	split := projection.SplitBody(w.Manifest.Object, w.Ignore, known)
	if len(split.NotIgnorable) == 0 {
		return nil
	}
	first := split.NotIgnorable[0]
	return &NotIgnorableError{
		Pattern: w.Ignore[first.Pattern].String(),
		Whole:   paths.NewFormatter(known).Format(first.Whole),
		Why:     first.Why,
	}
}
