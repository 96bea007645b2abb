package arguments

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
)

// LengthError reports that the manifest contradicts a limit, or that the limit contradicts itself.
type LengthError struct {
	ListLength
	Why LengthProblem
	// Declared is how many entries the manifest has.
	Declared int
}

// LengthProblem describes what is wrong with a limit.
type LengthProblem string

// The problems of limits.
const (
	MaxBelowMin      LengthProblem = "MaxBelowMin"
	MaxBelowDeclared LengthProblem = "MaxBelowDeclared"
	MinBelowDeclared LengthProblem = "MinBelowDeclared"
	NotAList         LengthProblem = "NotAList"
)

func (e *LengthError) Error() string {
	return e.Pattern.String() + " cannot have such a length: " + string(e.Why)
}

// CheckLengths returns an error for each of Lengths that contradicts itself or the manifest. A manifest that is not
// known is empty.
func (a Arguments) CheckLengths() []*LengthError {
	var refused []*LengthError
	for _, limit := range a.Lengths {
		refuse := func(why LengthProblem, declared int) {
			refused = append(refused, &LengthError{ListLength: limit, Why: why, Declared: declared})
		}
		if limit.Max > 0 && limit.Max < limit.Min {
			refuse(MaxBelowMin, 0)
			continue
		}
		for _, list := range projection.Lists(a.Manifest.Object, limit.Pattern, paths.NewSet()) {
			declared := len(list.Entries)
			switch {
			case list.Form == projection.NoList:
				refuse(NotAList, 0)
			case limit.Max > 0 && limit.Max < declared:
				refuse(MaxBelowDeclared, declared)
			case limit.Min > 0 && limit.Min < declared:
				refuse(MinBelowDeclared, declared)
			}
		}
	}
	return refused
}
