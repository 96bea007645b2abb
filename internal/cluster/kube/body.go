package kube

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"unicode"
	"unicode/utf8"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// encodeBody returns body as the JSON of an apply patch.
//
// The server reads an apply patch as YAML. YAML refuses some characters that JSON allows bare (DEL, most of C1) and
// folds others into spaces (NEL). So every character that does not print is escaped.
func encodeBody(body map[string]any) ([]byte, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	var escaped bytes.Buffer
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		// YAML takes every character above U+FFFF as it is, and \u has only four digits.
		if r >= 0x7f && r <= 0xffff && !unicode.IsPrint(r) {
			fmt.Fprintf(&escaped, `\u%04x`, r)
		} else {
			escaped.Write(text[:size])
		}
		text = text[size:]
	}
	return escaped.Bytes(), nil
}

// checkSecret refuses a Secret with a value that is not a string, without sending it: the server would
// refuse it too, and its message would quote the value.
func checkSecret(id manifest.Identity, body map[string]any) *cluster.Error {
	if !id.IsSecret() {
		return nil
	}
	var causes []metav1.StatusCause
	mistyped := func(field, want string) {
		causes = append(causes,
			metav1.StatusCause{Type: metav1.CauseTypeTypeInvalid, Field: field, Message: "must be " + want})
	}
	for _, field := range manifest.SecretFields() {
		values, isMap := body[field].(map[string]any)
		if !isMap && body[field] != nil {
			mistyped(field, "a map of strings")
		}
		for _, key := range slices.Sorted(maps.Keys(values)) {
			if _, isString := values[key].(string); !isString && values[key] != nil {
				mistyped(field+"["+key+"]", "a string; write numbers and booleans in quotes")
			}
		}
	}
	if causes == nil {
		return nil
	}
	message := causes[0].Field + ": " + causes[0].Message
	return &cluster.Error{
		Reason: cluster.ReasonInvalid, Object: id, Message: message, Details: &cluster.InvalidError{Causes: causes},
	}
}

// noVersion is a resourceVersion that no object ever has.
const noVersion = "9223372036854775807"

// asNew returns body for an apply that creates an object. If the object exists, the server compares resourceVersions
// and answers with a conflict. If it does not exist, the server ignores the one in the body. body is not mutated.
func asNew(body map[string]any) map[string]any {
	metadata, _ := body["metadata"].(map[string]any)
	metadata = maps.Clone(metadata)
	if metadata == nil {
		metadata = map[string]any{}
	}
	metadata["resourceVersion"] = noVersion
	body = maps.Clone(body)
	body["metadata"] = metadata
	return body
}
