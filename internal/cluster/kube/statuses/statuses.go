// Package statuses reads an answer of the API server that is not a success.
//
//	status = statuses.Cut(status)                      // without the large values that it quotes
//	reason := statuses.ReasonOf(id, status, err)       // what went wrong
//	details := statuses.DetailsOf(reason, id, status)  // and with what
//
// For an object with secret values, [Words] are shown instead of the server's words.
package statuses

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
