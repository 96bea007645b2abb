package refusals

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// exceptions matches the server's list of the parts of a field that may change.
var exceptions = regexp.MustCompile(`(?:other than|except) (.*)`)

// Changed returns those of changed that are at or below the field of a cause, without the parts that the server lists
// as exceptions, unless they are all that changed.
func Changed(cause metav1.StatusCause, changed []paths.Path) []paths.Path {
	field, err := paths.ParseAll([]string{cause.Field})
	if err != nil {
		return nil
	}
	var allowed paths.Patterns
	if listed := exceptions.FindStringSubmatch(cause.Message); listed != nil {
		for _, word := range strings.FieldsFunc(listed[1],
			func(r rune) bool { return strings.ContainsRune(" ,'`", r) }) {
			// For a StatefulSet the server lists names below the field, and for a Pod whole paths.
			allowed = append(allowed, paths.PatternsOf([]string{word, cause.Field + "." + word})...)
		}
	}
	about := field.AnyPosition()
	var below, refused []paths.Path
	for _, path := range changed {
		if !about.Match(path) && !isWhole(cause.Field, path) {
			continue
		}
		below = append(below, path)
		if !allowed.Match(path) {
			refused = append(refused, path)
		}
	}
	if len(refused) == 0 {
		return below
	}
	return refused
}

// forbidsChange matches the words by which the server reports that a field of an existing object cannot be changed:
// those of apimachinery/pkg/api/validation, of pkg/apis (Secrets, Pods, Services, PriorityClasses, RoleBindings), and
// the usual ones of rules of CustomResourceDefinitions. No validation of a new object contains them.
var forbidsChange = regexp.MustCompile(`immutable|unchangeable|` +
	`\bonce (?:it is |it has been |they are )?(?:set|created)\b|` +
	`\b(?:may|must|can|shall|should|could) ?not (?:be |remove or )?(?:chang|modif|updat|alter|edited)|` +
	`\bcan't (?:be )?(?:chang|modif|updat|alter)|` +
	`\bnot allowed to (?:be )?(?:chang|modif|updat)|` +
	`\b(?:chang|modif|updat)\w*(?: \S+){0,3} (?:is|are) (?:not (?:allowed|permitted|supported)|forbidden)`)

// forbidsUpdate matches the words by which the server forbids updates to a field: those of pkg/apis/apps (StatefulSet),
// pkg/apis/storage (CSIStorageCapacity) and pkg/apis/core (the containers of a Pod).
var forbidsUpdate = regexp.MustCompile(`updates (?:to|may not)\b`)

// quoted matches a string in quotes, such as the value that a cause is about.
var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// SaysImmutable reports whether a cause is about a field that cannot be changed.
func SaysImmutable(cause metav1.StatusCause) bool {
	if cause.Field == "" { // As in the refusal of a policy, which may allow some changes.
		return false
	}
	message := quoted.ReplaceAllString(strings.ToLower(cause.Message), `""`)
	switch cause.Type {
	case metav1.CauseTypeForbidden:
		return forbidsUpdate.MatchString(message) || forbidsChange.MatchString(message)
	case metav1.CauseTypeFieldValueInvalid:
		return forbidsChange.MatchString(message)
	default:
		return strings.Contains(message, "immutable")
	}
}

// part matches the path of a part of self or oldSelf.
const part = `(?:\.value\(\)|\.\??\w+|\[[^\[\]]*\])*`

var (
	// keepsValue matches a comparison of a field with its former value in a rule of a CustomResourceDefinition.
	keepsValue = regexp.MustCompile(`\bself` + part + `\s*==\s*oldSelf` + part + `|\boldSelf` + part +
		`\s*==\s*self` + part)
	// presence matches a test whether a field is there.
	presence = regexp.MustCompile(`\bhas\([^()]*\)`)
	// current matches the object of the apply.
	current = regexp.MustCompile(`\bself\b`)
)

// keeps reports whether a rule only lets a field keep its value. Another condition for the new value admits some
// changes, such as growth.
func keeps(rule string) bool {
	rest := keepsValue.ReplaceAllString(rule, "")
	return rest != rule && !current.MatchString(presence.ReplaceAllString(rest, ""))
}

// isImmutable reports whether one of the causes of an error is about a field that cannot be changed. The words of a
// rule do not matter: "cannot decrease once set" is about growth.
func isImmutable(invalid *cluster.InvalidError, cause int) bool {
	of := slices.IndexFunc(invalid.Rules, func(rule cluster.BrokenRule) bool { return rule.Cause == cause })
	if of < 0 {
		return !invalid.RulesUnclear && SaysImmutable(invalid.Causes[cause])
	}
	return keeps(invalid.Rules[of].Rule)
}

// isWhole reports whether a path is the list of which a cause names an item, "spec.clusterIPs[0]", or the field that
// stands for its first item.
func isWhole(field string, path paths.Path) bool {
	list, _, isItem := strings.Cut(field, "[")
	name := strings.Join(NamesOf(path), ".")
	return isItem && (name == list || list == "spec.clusterIPs" && name == "spec.clusterIP")
}

// Immutable returns the fields that cannot be changed according to an error; nil if the error is of another kind or
// also names another fault. Kubernetes has no status reason for it.
func Immutable(err error) []string {
	invalid, is := errors.AsType[*cluster.InvalidError](err)
	if !is || len(invalid.Causes) == 0 {
		return nil
	}
	var fields []string
	for i, cause := range invalid.Causes {
		if !isImmutable(invalid, i) {
			return nil
		}
		fields = append(fields, cause.Field)
	}
	return fields
}

// IsOfObject reports whether the server's validation refuses the object itself, and not a change of an immutable field.
func IsOfObject(err error) bool {
	return cluster.ReasonOf(err) == cluster.ReasonInvalid && Immutable(err) == nil
}

// IsOfValues reports whether err is a refusal of values: by the server's validation, or because they do not fit the
// schema of the kind in the version of the request.
func IsOfValues(err error) bool {
	return IsOfObject(err) || cluster.ReasonOf(err) == cluster.ReasonSchemaMismatch
}

// Fields returns patterns for the fields that a refusal names, in any item of a list.
func Fields(refusal error) paths.Patterns {
	var texts []string
	for _, cause := range cluster.CausesOf(refusal) {
		texts = append(texts, cause.Field)
	}
	if unfit, is := errors.AsType[*cluster.SchemaMismatchError](refusal); is {
		texts = append(texts, unfit.Field)
		for _, field := range unfit.Undeclared {
			texts = append(texts, field.Path)
		}
	}
	return paths.PatternsOf(texts).AnyPosition()
}
