// Package statuses reads an answer of the API server that is not a success.
//
//	status = statuses.Cut(status)                      // without the objects that it quotes
//	reason := statuses.ReasonOf(id, status, err)       // what went wrong
//	details := statuses.DetailsOf(reason, id, status)  // and with what
//
// [Cut] removes quoted objects because they may contain values that are not part of the Terraform run. [Remarks] finds
// what admission policies, webhooks, and rules of a CustomResourceDefinition wrote into the message.
package statuses

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// longest is the size in bytes of the largest value that a message keeps.
const longest = 256

// patched is the field of the cause by which the server refuses the result of a JSON, merge or strategic merge patch.
const patched = "patch"

// Cut returns a status whose message and causes quote no object and no large value. It does not change the given
// status.
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

const lacksKey = "a list item does not have the merge key "

// cuts are the ways in which the server prints objects without quotes. Values can contain every character, so that each
// of them reaches as far as the string may be a value.
var cuts = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`(?s)map: map\[.*\] does not contain declared merge key: `), lacksKey},
	{regexp.MustCompile("(?s)cannot find merge key (`[^`]*`) in merging list element:.*"), lacksKey + "$1"},
	{
		regexp.MustCompile(`(?s)The order in patch list:.* doesn't match (\S+) list:.*`),
		"the order of a list in the patch does not match its $1 list",
	},
	{regexp.MustCompile(`(?s)unknown patch type: (\S*) in map: .*`), "unknown patch type: $1"},
	{regexp.MustCompile(`(?s)(Unexpected returned value from \w+): .*`), "$1"},
	{regexp.MustCompile(`(?s)(invalid element type in merging list):.*`), "$1"},
	{regexp.MustCompile(`(?s)(list element types are not identical): .*`), "$1"},
	{regexp.MustCompile(`(?s)(yaml marshal failed):.*`), "$1"},
	{regexp.MustCompile(`(?s), error found in #\d+ byte of .*`), ""},
}

// cutText cuts what cuts names, and the values after the words that end in "value: ".
func cutText(text string) string {
	for _, cut := range cuts {
		text = cut.pattern.ReplaceAllString(text, cut.with)
	}
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

// valueAt returns the value with which a text begins: a string in quotes, an object as JSON, or one in Go syntax. It
// returns "" for anything else.
func valueAt(text string) string {
	if value, err := strconv.QuotedPrefix(text); err == nil {
		return value
	}
	opening := goSyntax.FindString(text)
	if opening == "" {
		return ""
	}
	return text[:bracketed(text, len(opening)-1)]
}

// goSyntax matches the beginning of an object as JSON or as Go prints it: {, [, map[, core.Secret{, []core.Port{.
var goSyntax = regexp.MustCompile(`^(?:(?:[&*(]|\[\]|map\[[\w.]+\])*[\w./*]*(?: \{\})?\{|\[|map\[)`)

// bracketed returns where the bracket at a position of text is closed: the end of text if it is not.
func bracketed(text string, at int) int {
	depth := 0
	for at < len(text) {
		switch text[at] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"', '`':
			if value, err := strconv.QuotedPrefix(text[at:]); err == nil {
				at += len(value) - 1
			}
		}
		if at++; depth == 0 {
			return at
		}
	}
	return len(text)
}

// short returns a value, or its size if it is large, or in Go syntax, which no user writes.
func short(value string) string {
	if value == "" || len(value) <= longest && (value[0] == '"' || json.Valid([]byte(value))) {
		return value
	}
	return fmt.Sprintf("(%d bytes)", len(value))
}
