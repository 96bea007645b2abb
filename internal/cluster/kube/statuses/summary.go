package statuses

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
)

const refused = `^(?:(?:\S+ )?(?:"[^"]*" )?(?:is )?forbidden: )?`

// speakers are the words with which the API server introduces what others say, with what is shown instead of it: the
// name in the words takes the place of %s.
var speakers = []struct {
	words *regexp.Regexp
	who   string
}{
	{regexp.MustCompile(refused + `ValidatingAdmissionPolicy '([^']*)'(?: with binding '[^']*')? denied request: `),
		"the ValidatingAdmissionPolicy %s refuses it"},
	{regexp.MustCompile(refused + `policy ['"]([^'"]*)['"](?: with binding '[^']*')? denied request: `),
		"the MutatingAdmissionPolicy %s refuses it"},
	{regexp.MustCompile(`^admission webhook "([^"]*)" denied the request`), "the admission webhook %s refuses it"},
	{regexp.MustCompile(`^(?:Internal error occurred: )?failed calling webhook "([^"]*)": `),
		"the admission webhook %s fails"},
	{regexp.MustCompile(`^conversion webhook for .+? failed: `), "the conversion webhook of its kind fails"},
}

// ownWords are words of the API server that contain no value of an object.
var ownWords = []*regexp.Regexp{
	regexp.MustCompile(refused + `(exceeded quota: [a-z0-9.-]+), requested: `),
	regexp.MustCompile(refused + `(violates PodSecurity "[a-z]+:[a-z0-9.]+"): `),
	regexp.MustCompile(`\b(cannot unmarshal (?:number|string|bool|object|array) into Go (?:struct field|value) ` +
		`(?:[\w.]+ )?of type [\w.*\[\]]+)$`),
	regexp.MustCompile(`\b(illegal base64 data at input byte \d+)$`),
	regexp.MustCompile(`\b(cannot convert (?:int64|float64|bool|string|map|slice) to (?:int|bool|string|map|slice)\w*)`),
}

// fieldNamed matches the words about a field that the kind does not have, or that is there twice.
var fieldNamed = regexp.MustCompile(`(unknown|duplicate) field "([^"\\]+)"`)

// name matches the names of policies and webhooks.
var name = regexp.MustCompile(`^[a-z0-9.:-]+$`)

// Summary returns what is shown of an answer about an object with secret values: who refuses the object, for which
// reason, in which fields, and what kind of failure it is. The words themselves can quote any value, so they are not in
// it. shown returns what may be shown of a field that the answer names, unknown is true if the kind does not have it.
func Summary(status metav1.Status, shown func(field string, unknown bool) string) string {
	if who := Speaker(status); who != "" {
		return who
	}
	parts := []string{"the API server refuses it: " + reasonIn(status)}
	if status.Code >= http.StatusInternalServerError {
		parts[0] = "the API server failed: " + reasonIn(status)
	}
	add := func(part string) {
		if part != "" && !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	var causes []metav1.StatusCause
	if status.Details != nil {
		causes = status.Details.Causes
	}
	for _, cause := range causes {
		if cause.Field != "" && cause.Field != patched {
			add("field " + shown(cause.Field, false) + kindOf(cause))
		}
	}
	for _, words := range ownWords {
		if found := words.FindStringSubmatch(status.Message); found != nil {
			add(found[1])
		}
	}
	if _, strictly, is := strings.Cut(status.Message, strict); is || len(causes) == 1 && causes[0].Field == patched {
		for _, found := range fieldNamed.FindAllStringSubmatch(cmp.Or(strictly, status.Message), -1) {
			add(found[1] + " field " + strconv.Quote(shown(found[2], true)))
		}
	}
	return strings.Join(parts, ", ")
}

// Speaker returns who refuses an object, in words that go on with the next part of a sentence; "" if it is the API
// server itself.
func Speaker(status metav1.Status) string {
	for _, speaker := range speakers {
		found := speaker.words.FindStringSubmatch(status.Message)
		switch {
		case found == nil:
		case len(found) == 1:
			return speaker.who
		case name.MatchString(found[1]):
			return fmt.Sprintf(speaker.who, found[1])
		default:
			return strings.Replace(speaker.who, "%s ", "", 1)
		}
	}
	return ""
}

func reasonIn(status metav1.Status) string {
	return cmp.Or(string(status.Reason), strconv.Itoa(int(status.Code)))
}

// kindOf returns the kind of failure of a cause, in brackets.
func kindOf(cause metav1.StatusCause) string {
	if refusals.SaysImmutable(cause) {
		return " (cannot be changed)"
	}
	kinds := map[metav1.CauseType]string{
		metav1.CauseTypeFieldValueInvalid: "Invalid value", metav1.CauseTypeFieldValueRequired: "Required value",
		metav1.CauseTypeFieldValueDuplicate: "Duplicate value", metav1.CauseTypeForbidden: "Forbidden",
		metav1.CauseTypeFieldValueNotSupported: "Unsupported value", metav1.CauseTypeTooLong: "Too long",
		metav1.CauseTypeTooMany: "Too many", metav1.CauseTypeTypeInvalid: "Wrong type",
		metav1.CauseTypeFieldValueNotFound: "Not found",
	}
	if kind, is := kinds[cause.Type]; is {
		return " (" + kind + ")"
	}
	return ""
}

var (
	// policyWarning is how the API server introduces the warning of a policy.
	policyWarning = regexp.MustCompile(`^Validation failed for ValidatingAdmissionPolicy '([^']*)'`)
	// ownWarning matches warnings of the API server about an API.
	ownWarning = regexp.MustCompile(`^\S+ \S+ is deprecated in v[\d.]+\+(?:, unavailable in v[\d.]+\+)?` +
		`(?:; use \S+ \S+)?$`)
)

// WarningSummary is [Summary] of a warning. It returns the warning as it is and true if it has no value of an object.
func WarningSummary(warning string) (string, bool) {
	if ownWarning.MatchString(warning) {
		return warning, true
	}
	if found := policyWarning.FindStringSubmatch(warning); found != nil && name.MatchString(found[1]) {
		return "Validation failed for ValidatingAdmissionPolicy '" + found[1] + "'", false
	}
	return "An admission webhook or the API server warns", false
}

// problemWords are what the API server says of a value that does not fit its schema, without the value.
var problemWords = regexp.MustCompile(`^(?:expected [a-z]+(?:, got a (?:map|list))?|field not declared in schema|` +
	`duplicate entries|associative list without keys has an element that's a map type)`)

// HideValues makes details about an object with secret values tell no words of the server, apart from the causes of
// [cluster.InvalidError], which others compare. shown returns what may be shown of a field.
func HideValues(details error, shown func(field string, unknown bool) string) {
	problem := func(text string) string {
		for _, words := range ownWords {
			if found := words.FindStringSubmatch(text); found != nil {
				return found[1]
			}
		}
		return cmp.Or(problemWords.FindString(text), "the value does not fit the schema")
	}
	field := func(text, said string) string {
		return shown(text, strings.HasPrefix(said, "field not declared"))
	}
	switch details := details.(type) { //nolint:errorlint // Details wrap nothing and are not wrapped.
	case *cluster.InvalidError:
		for i, cause := range details.Causes {
			details.Causes[i].Field = shown(cause.Field, false)
		}
	case *cluster.FieldManagerConflictError:
		details.Causes = slices.Clone(details.Causes)
		for i, cause := range details.Causes {
			details.Causes[i].Field = shown(cause.Field, false)
		}
	case *cluster.SchemaMismatchError:
		details.Field, details.Problem = field(details.Field, details.Problem), problem(details.Problem)
		for i, p := range details.More {
			details.More[i] = cluster.FieldProblem{Field: field(p.Field, p.Problem), Problem: problem(p.Problem)}
		}
		for i, undeclared := range details.Undeclared {
			details.Undeclared[i].Path = shown(undeclared.Path, true)
			for n, nearest := range undeclared.Nearest {
				undeclared.Nearest[n] = shown(nearest, false)
			}
		}
	case *cluster.UnconvertibleError:
		at, said, _ := strings.Cut(strings.TrimPrefix(details.Problem, "."), ": ")
		if details.Problem = "the server cannot convert it"; problemWords.MatchString(said) {
			details.Problem = field(at, said) + ": " + problem(said)
		}
	}
}
