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
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

const refused = `^(?:(?:\S+ )?(?:"[^"]*" )?(?:is )?forbidden: )?`

// speakers are the words with which the API server introduces messages of other programs, and the strings that are
// shown instead of these messages: the name in the words takes the place of %s.
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
	{regexp.MustCompile(`^(?:failed [^:]*: )*conversion webhook for .+? (?:failed|returned)\b`),
		"the conversion webhook of its kind fails"},
}

// ownWords are words of the API server that contain no value of an object.
var ownWords = []*regexp.Regexp{
	regexp.MustCompile(refused + `(exceeded quota: [a-z0-9.-]+), requested: `),
	regexp.MustCompile(refused + `(violates PodSecurity "[a-z]+:[a-z0-9.]+"): `),
	regexp.MustCompile(`\b(cannot unmarshal (?:number|string|bool|object|array) into Go (?:struct field|value) ` +
		`(?:[\w.]+ )?of type [\w.*\[\]]+)$`),
	regexp.MustCompile(`\b(illegal base64 data at input byte \d+)$`),
	regexp.MustCompile(`\b(cannot convert (?:int64|float64|bool|string|map|slice) to ` +
		`(?:int|bool|string|map|slice)\w*)`),
}

// fieldNamed matches the words about a field that the kind does not have, or that is there twice.
var fieldNamed = regexp.MustCompile(`(unknown|duplicate) field "([^"\\]+)"`)

// name matches the names of policies and webhooks.
var name = regexp.MustCompile(`^[a-z0-9.:-]+$`)

// Words describes an answer about an object with secret values without the server's own words, which can quote any of
// the values. The description names the program that refuses the object, the reason, the fields and the kind of
// failure.
type Words struct {
	Of manifest.Identity
	// Method is the one of the request.
	Method string
	// Command does the same as the request, if Method does not tell that.
	Command string
	// Field returns what may be shown of a field that the answer names; unknown is true if the kind does not have it.
	Field func(field string, unknown bool) string
	// OwnedField does it for a field that another manager owns.
	OwnedField func(field string) string
}

// Hide makes an error show no words of the answer. Its own words remain, to be compared.
func (w *Words) Hide(failed *cluster.Error, status metav1.Status) {
	failed.Words = failed.Message
	if speaker(status) != "" {
		ofOthers(failed, status)
	}
	w.HideDetails(failed.Details)
	switch details := failed.Details.(type) { //nolint:errorlint // Details wrap nothing and are not wrapped.
	case nil, *cluster.InvalidError, *cluster.FieldManagerConflictError:
		failed.Message = w.summary(status) + ". " + w.notShown()
	default:
		failed.Message = details.Error()
	}
	switch {
	case failed.Reason == cluster.ReasonNotFound:
		failed.Message = "it does not exist"
	case failed.Reason == cluster.ReasonConflict && status.Reason == metav1.StatusReasonAlreadyExists:
		failed.Message = "it exists already"
	case failed.Reason == cluster.ReasonConflict:
		failed.Message = "it has changed meanwhile"
	case failed.Reason == cluster.ReasonUnauthorized:
		failed.Message = "the server did not accept the credentials"
	case failed.Reason == cluster.ReasonTooLarge:
		failed.Message = "the API server or its storage does not take it"
	}
}

// ofOthers drops the details of a refusal by a policy or a webhook: it can have written each of them.
func ofOthers(failed *cluster.Error, status metav1.Status) {
	switch {
	case failed.Reason == cluster.ReasonWebhookUnreachable: // It has written nothing.
	case failed.Reason == cluster.ReasonInvalid:
		failed.Details = &cluster.InvalidError{}
	case status.Code >= http.StatusInternalServerError:
		failed.Reason, failed.Details = cluster.ReasonServer, nil
	default:
		failed.Reason, failed.Details = cluster.ReasonForbidden, nil
	}
}

// notShown returns the sentence about a message that is not shown, with a command that shows it.
func (w *Words) notShown() string {
	command := cmp.Or(w.Command, w.Of.Kubectl("get"))
	switch w.Method {
	case http.MethodPatch:
		command = "kubectl apply --server-side --dry-run=server -f FILE"
	case http.MethodDelete:
		command = w.Of.Kubectl("delete --dry-run=server")
	}
	return "Its message is not shown, because the object has secret values. To see it, run " + command
}

func (w *Words) summary(status metav1.Status) string {
	if who := speaker(status); who != "" {
		return who
	}
	reason := cmp.Or(string(status.Reason), strconv.Itoa(int(status.Code)))
	parts := []string{"the API server refuses it: " + reason}
	if status.Code >= http.StatusInternalServerError {
		parts[0] = "the API server failed: " + reason
	}
	isPatch := false
	if status.Details != nil {
		for _, cause := range status.Details.Causes {
			if isPatch = cause.Field == patched; cause.Field != "" && !isPatch {
				parts = append(parts, "field "+strings.TrimPrefix(w.fieldOf(cause), ".")+kindOf(cause))
			}
		}
	}
	if own := ownWordsIn(status.Message); own != "" {
		parts = append(parts, own)
	}
	if _, strictly, is := strings.Cut(status.Message, strict); is || isPatch {
		for _, found := range fieldNamed.FindAllStringSubmatch(cmp.Or(strictly, status.Message), -1) {
			parts = append(parts, found[1]+" field "+strconv.Quote(w.Field(found[2], true)))
		}
	}
	slices.Sort(parts[1:])
	return strings.Join(slices.Compact(parts), ", ")
}

// speaker returns who refuses an object, in words that go on with the next part of a sentence; "" if it is the API
// server itself.
func speaker(status metav1.Status) string {
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

func ownWordsIn(text string) string {
	for _, words := range ownWords {
		if found := words.FindStringSubmatch(text); found != nil {
			return found[1]
		}
	}
	return ""
}

var kinds = map[metav1.CauseType]string{
	metav1.CauseTypeFieldValueInvalid: "Invalid value", metav1.CauseTypeFieldValueRequired: "Required value",
	metav1.CauseTypeFieldValueDuplicate: "Duplicate value", metav1.CauseTypeForbidden: "Forbidden",
	metav1.CauseTypeFieldValueNotSupported: "Unsupported value", metav1.CauseTypeTooLong: "Too long",
	metav1.CauseTypeTooMany: "Too many", metav1.CauseTypeTypeInvalid: "Wrong type",
	metav1.CauseTypeFieldValueNotFound: "Not found",
}

// kindOf returns the kind of failure of a cause, in brackets. The API server alone writes the causes of a conflict.
func kindOf(cause metav1.StatusCause) string {
	kind := kinds[cause.Type]
	switch {
	case cause.Type == metav1.CauseTypeFieldManagerConflict:
		kind = cause.Message
	case refusals.SaysImmutable(cause):
		kind = "cannot be changed"
	case kind == "":
		return ""
	}
	return " (" + kind + ")"
}

var (
	// policyWarning is how the API server introduces the warning of a policy.
	policyWarning = regexp.MustCompile(`^Validation failed for ValidatingAdmissionPolicy '([^']*)'`)
	// ownWarning matches warnings of the API server about an API.
	ownWarning = regexp.MustCompile(`^\S+ \S+ is deprecated in v[\d.]+\+(?:, unavailable in v[\d.]+\+)?` +
		`(?:; use \S+ \S+)?$`)
)

// Warning returns what is shown of a warning: all of it if it is about an API.
func (w *Words) Warning(warning string) string {
	who := "An admission webhook or the API server warns"
	if ownWarning.MatchString(warning) {
		return warning
	}
	if found := policyWarning.FindStringSubmatch(warning); found != nil && name.MatchString(found[1]) {
		who = "Validation failed for ValidatingAdmissionPolicy '" + found[1] + "'"
	}
	return who + "\n\n" + w.notShown()
}

// problemWords match the API server's description of a value that does not fit its schema, without the value.
var problemWords = regexp.MustCompile(`^(?:expected (?:map|list|string|numeric|boolean)(?:, got a (?:map|list))?|` +
	`field not declared in schema|duplicate entries|associative list without keys has an element that's a map type)`)

// HideDetails makes details tell no words of the server, apart from the causes of [cluster.InvalidError], which others
// compare.
func (w *Words) HideDetails(details error) {
	problem := func(at, said string) cluster.FieldProblem {
		return cluster.FieldProblem{
			Field:   w.Field(at, strings.HasPrefix(said, "field not declared")),
			Problem: cmp.Or(ownWordsIn(said), problemWords.FindString(said), "the value does not fit the schema"),
		}
	}
	switch details := details.(type) { //nolint:errorlint // Details wrap nothing and are not wrapped.
	case *cluster.InvalidError:
		w.hideCauses(details.Causes)
	case *cluster.FieldManagerConflictError:
		details.Causes = slices.Clone(details.Causes)
		w.hideCauses(details.Causes)
	case *cluster.SchemaMismatchError:
		first := problem(details.Field, details.Problem)
		details.Field, details.Problem = first.Field, first.Problem
		for i, p := range details.More {
			details.More[i] = problem(p.Field, p.Problem)
		}
		for i, undeclared := range details.Undeclared {
			details.Undeclared[i].Path = w.Field(undeclared.Path, true)
			for n, nearest := range undeclared.Nearest {
				undeclared.Nearest[n] = w.Field(nearest, false)
			}
		}
	case *cluster.UnconvertibleError:
		at, said, _ := strings.Cut(strings.TrimPrefix(details.Problem, "."), ": ")
		if details.Problem = "the server cannot convert it"; problemWords.MatchString(said) {
			shown := problem(at, said)
			details.Problem = shown.Field + ": " + shown.Problem
		}
	}
}

func (w *Words) hideCauses(causes []metav1.StatusCause) {
	for i, cause := range causes {
		causes[i].Field = w.fieldOf(cause)
	}
}

func (w *Words) fieldOf(cause metav1.StatusCause) string {
	if cause.Type == metav1.CauseTypeFieldManagerConflict {
		return w.OwnedField(cause.Field)
	}
	return w.Field(cause.Field, false)
}
