package rules

import (
	"fmt"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// label returns how messages name a rule.
func (r Rule) label() string { return fmt.Sprintf("rules[%d] of %s", r.place, r.source) }

// By returns the label of the first rule that adds what concerns subject to an argument; "" without one. The subject of
// a list of paths is a path at or below one of them, and that of a list of managers is a manager. For an argument that
// is not a list, it is "".
func (a Added) By(argument, subject string) string {
	first := -1
	for value, rule := range a.by[argument] {
		if concerns(argument, value, subject) && (first < 0 || rule < first) {
			first = rule
		}
	}
	if first < 0 {
		return ""
	}
	return a.all[first].label()
}

// Adds returns the label of the rule that adds exactly this value to an argument that is a list; "" without one.
func (a Added) Adds(argument, value string) string {
	if rule, is := a.by[argument][value]; is {
		return a.all[rule].label()
	}
	return ""
}

func concerns(argument, value, subject string) bool {
	switch argument {
	case IgnoreFields, RemoveFields, SensitiveFields:
		whole, err := paths.Parse(value)
		field, invalid := paths.Parse(subject)
		return err == nil && invalid == nil && field.IsWithin(whole)
	case IgnoreManagers:
		if prefix, isPrefix := strings.CutSuffix(value, "*"); isPrefix {
			return strings.HasPrefix(subject, prefix)
		}
	}
	return value == subject
}
