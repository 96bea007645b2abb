package arguments

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// LengthError reports that the manifest contradicts a limit, or that the limit contradicts itself.
type LengthError struct {
	ListLength
	Why LengthProblem
	// Declared is the number of entries in the manifest.
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

// UnpinnableError reports that a pattern of Pin covers fields that another part of the intent decides about.
type UnpinnableError struct {
	Pattern string
	Why     UnpinnableReason
	// By is the string of the pattern that covers the same fields; "" if something other than a pattern decides.
	By string
}

// UnpinnableReason describes what decides about the fields of a pattern.
type UnpinnableReason string

// The reasons why a field cannot be pinned.
const (
	Declared  UnpinnableReason = "Declared"
	LeftAlone UnpinnableReason = "LeftAlone"
	Secret    UnpinnableReason = "Secret"
)

func (e *UnpinnableError) Error() string { return e.Pattern + " cannot be pinned: " + string(e.Why) }

// CheckPins returns an error for each pattern of Pin that the manifest, Ignore or Sensitive covers, or that covers data
// of a Secret. A part of the intent that is not known is empty.
func (a Arguments) CheckPins() []*UnpinnableError {
	var refused []*UnpinnableError
	for _, index := range projection.SplitBody(a.Manifest.Object, a.Pin, nil, a.defaultKeys()).Matched {
		refused = append(refused, &UnpinnableError{Pattern: a.Pin[index].String(), Why: Declared})
	}
	secrets := paths.Patterns{}
	if a.Manifest.IsSecret() {
		secrets = paths.PatternsOf(manifest.SecretFields())
	}
	for _, pin := range a.Pin {
		if whole := pin.Covering(a.Ignore); whole != nil {
			refused = append(refused, &UnpinnableError{Pattern: pin.String(), Why: LeftAlone, By: whole.String()})
		}
		if whole := pin.Covering(a.Sensitive); whole != nil {
			refused = append(refused, &UnpinnableError{Pattern: pin.String(), Why: Secret, By: whole.String()})
		}
		if pin.Covering(secrets) != nil {
			refused = append(refused, &UnpinnableError{Pattern: pin.String(), Why: Secret})
		}
	}
	return refused
}

func (a Arguments) defaultKeys() projection.DefaultKeys {
	return projection.DefaultKeys{}.Assuming(a.Manifest.Object)
}

// SetAndRemoved returns the patterns of Remove that cover fields of the manifest.
func (a Arguments) SetAndRemoved() []string {
	var both []string
	for _, index := range projection.SplitBody(a.Manifest.Object, a.Remove, nil, a.defaultKeys()).Matched {
		both = append(both, a.Remove[index].String())
	}
	return both
}
