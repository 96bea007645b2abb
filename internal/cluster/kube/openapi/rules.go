package openapi

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// reasonsOfRules are the types of cause that a rule of a definition can give.
var reasonsOfRules = []metav1.CauseType{
	metav1.CauseTypeFieldValueInvalid, metav1.CauseTypeFieldValueRequired, metav1.CauseTypeFieldValueDuplicate,
	metav1.CauseTypeForbidden,
}

// MayBeRule reports whether a cause may be about a rule of a CustomResourceDefinition. The server's causes do not
// distinguish these rules from the validation of a schema.
func MayBeRule(cause metav1.StatusCause) bool { return slices.Contains(reasonsOfRules, cause.Type) }

// BrokenRules returns the rules of the kind's CustomResourceDefinition that causes are about. isUnclear is true if a
// cause may be about a rule for changes and does not tell which: several have its message, or one computes its own.
func (k *Kind) BrokenRules(causes []metav1.StatusCause) (broken []cluster.BrokenRule, isUnclear bool) {
	for i, cause := range causes {
		field, rules := k.rulesOf(cause)
		switch isForChanges := slices.ContainsFunc(rules, validationRule.isForChanges); {
		case len(rules) == 1 && rules[0].MessageExpression == "":
			broken = append(broken, cluster.BrokenRule{Cause: i, Field: field, Rule: strings.TrimSpace(rules[0].Rule)})
		case isForChanges:
			isUnclear = true
		}
	}
	return broken, isUnclear
}

// validationRule is one of x-kubernetes-validations.
type validationRule struct {
	Rule      string `json:"rule"`
	Message   string `json:"message"`
	FieldPath string `json:"fieldPath"`
	// MessageExpression computes the message.
	MessageExpression string `json:"messageExpression"`
}

func (r validationRule) isForChanges() bool { return strings.Contains(r.Rule, "oldSelf") }

// below returns the names on the way to the field that the rule is about, from where the rule is.
func (r validationRule) below() []string {
	names := stepsOf(strings.TrimPrefix(r.FieldPath, "."))
	for i, name := range names {
		names[i] = strings.Trim(name, "'\"")
	}
	return names
}

// isQuotedIn reports whether a message of the server is about the rule.
func (r validationRule) isQuotedIn(message string) bool {
	if text := strings.TrimSpace(r.Message); text != "" {
		return strings.HasSuffix(message, ": "+text)
	}
	return strings.HasSuffix(message, "failed rule: "+strings.TrimSpace(r.Rule))
}

// rulesOf returns the rules that a cause may be about, and where the definition has them: those of the field, or of a
// map or list around it that names the field. If one has the message of the cause, it returns none that computes its
// message.
func (k *Kind) rulesOf(cause metav1.StatusCause) (of string, found []validationRule) {
	at, field := k.root, ""
	names := append([]string{""}, stepsOf(cause.Field)...)
	for i, name := range names {
		if i > 0 {
			isItem := k.schemas.item(at) != nil
			if at = k.schemas.part(at, name); at == nil {
				break
			}
			if field = paths.Join(field, name); isItem {
				field = strings.TrimSuffix(field, "."+name) + "[" + name + "]"
			}
		}
		var rules []validationRule
		if at.Extensions.GetObject("x-kubernetes-validations", &rules) != nil {
			continue
		}
		rules = slices.DeleteFunc(rules, func(rule validationRule) bool {
			return !slices.Equal(rule.below(), names[i+1:])
		})
		quoted := slices.DeleteFunc(slices.Clone(rules), func(rule validationRule) bool {
			return !rule.isQuotedIn(cause.Message)
		})
		if len(quoted) > 0 { // Another rule may have the same message.
			return field, quoted
		}
		for _, rule := range rules {
			if rule.MessageExpression != "" {
				found = append(found, rule)
			}
		}
	}
	return field, found
}

// part returns the schema of a field, of a map's value or of a list's item, whose name is the position; nil if the
// schema does not describe it.
func (s schemas) part(at *spec.Schema, name string) *spec.Schema {
	if item := s.item(at); item != nil {
		return item
	}
	return s.member(at, name)
}

// stepsOf returns the names and positions in a field as causes write it: spec.routes[0].headers[a.b].
func stepsOf(field string) []string {
	var steps []string
	for field != "" && field != "<nil>" {
		if inner, isBracket := strings.CutPrefix(field, "["); isBracket {
			name, rest, _ := strings.Cut(inner, "]")
			steps, field = append(steps, name), strings.TrimPrefix(rest, ".")
			continue
		}
		end := strings.IndexAny(field, ".[")
		if end < 0 {
			return append(steps, field)
		}
		steps, field = append(steps, field[:end]), strings.TrimPrefix(field[end:], ".")
	}
	return steps
}
