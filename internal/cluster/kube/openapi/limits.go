package openapi

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// outside returns which limit of its schema a scalar value breaks; "" if it breaks none. The server checks limits only
// when everything has the right type, so its refusal of another value does not name them. The problem does not quote
// the value, which may be secret.
func outside(at *spec.Schema, value any) string {
	if value == nil {
		return ""
	}
	isEqual := func(allowed any) bool { return fmt.Sprint(allowed) == fmt.Sprint(value) }
	if len(at.Enum) > 0 && !slices.ContainsFunc(at.Enum, isEqual) {
		texts := make([]string, len(at.Enum))
		for i, allowed := range at.Enum {
			texts[i] = fmt.Sprint(allowed)
		}
		return "supported values: " + strings.Join(texts, ", ")
	}
	switch value := value.(type) {
	case int64:
		return outOfRange(at, float64(value))
	case float64:
		return outOfRange(at, value)
	case string:
		return badText(at, value)
	}
	return ""
}

func outOfRange(at *spec.Schema, value float64) string {
	switch {
	case at.Minimum != nil && at.ExclusiveMinimum && value <= *at.Minimum:
		return fmt.Sprintf("has to be greater than %v", *at.Minimum)
	case at.Minimum != nil && value < *at.Minimum:
		return fmt.Sprintf("has to be at least %v", *at.Minimum)
	case at.Maximum != nil && at.ExclusiveMaximum && value >= *at.Maximum:
		return fmt.Sprintf("has to be less than %v", *at.Maximum)
	case at.Maximum != nil && value > *at.Maximum:
		return fmt.Sprintf("has to be at most %v", *at.Maximum)
	}
	return ""
}

func badText(at *spec.Schema, value string) string {
	length := int64(utf8.RuneCountInString(value))
	switch {
	case at.MinLength != nil && length < *at.MinLength:
		return fmt.Sprintf("has to have at least %d characters", *at.MinLength)
	case at.MaxLength != nil && length > *at.MaxLength:
		return fmt.Sprintf("may have at most %d characters", *at.MaxLength)
	}
	if pattern, err := regexp.Compile(at.Pattern); err == nil && !pattern.MatchString(value) {
		return "has to match " + at.Pattern
	}
	return ""
}
