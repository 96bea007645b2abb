package intents

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// UnpinnableError says that a pattern of Pin covers fields that another part of the intent decides about.
type UnpinnableError struct {
	Pattern string
	Why     UnpinnableReason
	// By is the text of the pattern that covers the same fields; "" if something other than a pattern decides.
	By string
}

// UnpinnableReason says what decides about the fields of a pattern.
type UnpinnableReason string

// What decides about fields that cannot be pinned.
const (
	Declared  UnpinnableReason = "Declared"
	LeftAlone UnpinnableReason = "LeftAlone"
	Secret    UnpinnableReason = "Secret"
)

func (e *UnpinnableError) Error() string { return e.Pattern + " cannot be pinned: " + string(e.Why) }

// CheckPins returns an error for each pattern of Pin that the manifest, Ignore or Sensitive covers, or that covers data of a
// Secret. A part of the intent that is not known is empty.
func (i Intent) CheckPins() []*UnpinnableError {
	var refused []*UnpinnableError
	for _, index := range projection.SplitBody(i.Manifest.Object, i.Pin, nil).Matched {
		refused = append(refused, &UnpinnableError{Pattern: i.Pin[index].String(), Why: Declared})
	}
	secrets := paths.Patterns{}
	if i.Manifest.IsSecret() {
		secrets = record.PatternsOf(manifest.SecretFields())
	}
	for _, pin := range i.Pin {
		if whole := around(pin, i.Ignore); whole != nil {
			refused = append(refused, &UnpinnableError{Pattern: pin.String(), Why: LeftAlone, By: whole.String()})
		}
		if whole := around(pin, i.Sensitive); whole != nil {
			refused = append(refused, &UnpinnableError{Pattern: pin.String(), Why: Secret, By: whole.String()})
		}
		if around(pin, secrets) != nil {
			refused = append(refused, &UnpinnableError{Pattern: pin.String(), Why: Secret})
		}
	}
	return refused
}

// around returns the first of patterns that covers all that pin does; nil if no pattern does.
func around(pin paths.Pattern, patterns paths.Patterns) *paths.Pattern {
	for n := range patterns {
		if pin.IsWithin(patterns[n]) {
			return &patterns[n]
		}
	}
	return nil
}
