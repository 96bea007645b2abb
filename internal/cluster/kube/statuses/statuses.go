// Package statuses reads an answer of the API server that is not a success.
//
//	status = statuses.Cut(status)                      // without the large values that it quotes
//	reason := statuses.ReasonOf(id, status, err)       // what went wrong
//	details := statuses.DetailsOf(reason, id, status)  // and with what
//
// For an object with secret values, [Words] are shown instead of the server's words.
package statuses

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// longest is the size in bytes of the largest value that a message keeps.
const longest = 256

// patched is the field of the cause by which the server refuses the result of a JSON, merge or strategic merge patch.
const patched = "patch"

// Cut returns a status whose message and causes are short enough to read: without large values, and without the object
// that the result of a patch is. It does not change the given status.
func Cut(status metav1.Status) metav1.Status {
	if status.Details != nil {
		details := *status.Details
		details.Causes = make([]metav1.StatusCause, len(status.Details.Causes))
		for i, cause := range status.Details.Causes {
			details.Causes[i] = cause
			details.Causes[i].Message = cutCause(cause)
			status.Message = replaceCause(status.Message, cause, details.Causes[i].Message)
		}
		status.Details = &details
	}
	status.Message = cutText(status.Message)
	return status
}

// replaceCause replaces a cause in the message that repeats it. A message about a patch is the cause alone: it names no
// object.
func replaceCause(message string, cause metav1.StatusCause, cut string) string {
	if cause.Field == patched && strings.Contains(message, cause.Field+": "+cause.Message) {
		return cut
	}
	if cause.Message == "" || cause.Message == cut {
		return message
	}
	return strings.ReplaceAll(message, cause.Message, cut)
}

// strict begins the reason if the server only refuses a field that it does not know, or one that is there twice.
const strict = "strict decoding error: "

func cutCause(cause metav1.StatusCause) string {
	_, quoted, is := strings.Cut(cause.Message, "Invalid value: ")
	if cause.Field != patched || !is {
		return cutText(cause.Message)
	}
	const seen = "the server cannot read the patched object"
	value, err := strconv.QuotedPrefix(quoted)
	if err != nil {
		return seen
	}
	reason := strings.TrimPrefix(strings.TrimPrefix(quoted[len(value):], ": "), strict)
	return seen + ": " + cutText(reason)
}

// cutText cuts the values after the words that end in "value: ".
func cutText(text string) string {
	var kept strings.Builder
	for {
		before, after, found := strings.Cut(text, " value: ")
		kept.WriteString(before)
		if !found {
			return kept.String()
		}
		kept.WriteString(" value: ")
		value := valueAt(after)
		kept.WriteString(short(value))
		text = after[len(value):]
	}
}

// valueAt returns the value at the beginning of text: a string in quotes, or JSON. It returns "" for anything else.
func valueAt(text string) string {
	if value, err := strconv.QuotedPrefix(text); err == nil {
		return value
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	var value json.RawMessage
	if decoder.Decode(&value) != nil {
		return ""
	}
	return text[:decoder.InputOffset()]
}

// short returns a value, or its size if it is large.
func short(value string) string {
	if len(value) <= longest {
		return value
	}
	return fmt.Sprintf("(%d bytes)", len(value))
}

// The API server answers 500 without a reason where values do not fit the schema. It names all of them, in any order.
var (
	unfits = regexp.MustCompile(
		`failed to (?:create typed (patch|live) object|convert new object) \([^)]*\)(?: to smd typed)?: ` +
			`(?:errors:\s+)?\.(.+?): (.*)`,
	)
	// alsoUnfits matches the lines of the other values. Lines of a value that the message quotes do not match it.
	alsoUnfits = regexp.MustCompile(
		`(?m)^  \.(.+?): (expected (?:map|list|string|numeric|boolean)\b.*|field not declared in schema)$`)
	// unreadables matches messages that name no field.
	unreadables = regexp.MustCompile(
		`failed to convert new object \([^)]*\) to proper version: ` +
			`unable to convert unstructured object to [^:]*: (.*)`)
	// values marks where a problem quotes a value in Go syntax.
	values = strings.NewReplacer("got &{map[", "got a map\x00", "got &{[", "got a list\x00", ", got &", "\x00")
)

// SchemaMismatchOf returns the field of an answer that does not fit the schema; nil if the answer is about something
// else.
func SchemaMismatchOf(status metav1.Status) *cluster.SchemaMismatchError {
	if status.Code != http.StatusInternalServerError {
		return nil
	}
	if found := unreadables.FindStringSubmatch(status.Message); found != nil {
		return &cluster.SchemaMismatchError{Problem: found[1], Of: cluster.MismatchInManifest}
	}
	found := unfits.FindStringSubmatch(status.Message)
	if found == nil {
		return nil
	}
	all := []cluster.FieldProblem{{Field: found[2], Problem: withoutValue(found[3])}}
	for _, more := range alsoUnfits.FindAllStringSubmatch(status.Message, -1) {
		problem := cluster.FieldProblem{Field: more[1], Problem: withoutValue(more[2])}
		if !slices.Contains(all, problem) {
			all = append(all, problem)
		}
	}
	slices.SortFunc(all, func(a, b cluster.FieldProblem) int { return cmp.Compare(a.Field, b.Field) })
	mismatch := &cluster.SchemaMismatchError{Field: all[0].Field, Problem: all[0].Problem, Of: cluster.MismatchInObject}
	if len(all) > 1 {
		mismatch.More = all[1:]
	}
	if found[1] == "patch" {
		mismatch.Of = cluster.MismatchInManifest
	}
	return mismatch
}

// withoutValue returns a problem without the value that it quotes in Go syntax.
func withoutValue(problem string) string {
	problem, _, _ = strings.Cut(values.Replace(problem), "\x00")
	return problem
}

// IsTooLarge reports whether an answer means that the object is too large: for etcd, for the client of etcd,
// or for the API server, which alone has a reason for it.
func IsTooLarge(status metav1.Status) bool {
	return status.Reason == metav1.StatusReasonRequestEntityTooLarge ||
		strings.Contains(status.Message, "etcdserver: request is too large") ||
		strings.Contains(status.Message, "trying to send message larger than max")
}

// The API server answers 500 without a reason if it cannot convert an object to the version of an entry of
// managedFields.
var (
	// unknownVersion is about a version that the CustomResourceDefinition does not have.
	unknownVersion = regexp.MustCompile(`request to convert CR to an invalid group/version: (\S+)`)
	// unfitVersion is about a version whose schema does not fit the object. Without words about a version, it is that
	// of any entry.
	unfitVersion = regexp.MustCompile(
		`^(?:failed .*?(?:at version (\S+)|to (last applied) version|object): )?` +
			`(\.\S.*?: (?:field not declared in schema|expected|duplicate entries).*)`)
)

// UnconvertibleOf returns the version to which the server cannot convert the object, and its reason; nil if the answer
// is about something else.
func UnconvertibleOf(status metav1.Status) *cluster.UnconvertibleError {
	if status.Code != http.StatusInternalServerError {
		return nil
	}
	if found := unknownVersion.FindStringSubmatch(status.Message); found != nil {
		return &cluster.UnconvertibleError{Version: found[1], Problem: found[0]}
	}
	found := unfitVersion.FindStringSubmatch(status.Message)
	if found == nil {
		return nil
	}
	problem, _, _ := strings.Cut(values.Replace(found[3]), "\x00")
	return &cluster.UnconvertibleError{Version: found[1], IsOwn: found[2] != "", Problem: problem}
}
