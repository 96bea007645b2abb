package patches

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	kjson "sigs.k8s.io/json"
)

const validJSON = "Correct the text; jsonencode(...) always writes valid JSON."

// decodeBody returns the value of a JSON document, with whole numbers as int64, as the API server reads it.
func decodeBody(body string) (any, error) {
	if strings.TrimSpace(body) == "" {
		return nil, emptyPatch()
	}
	var decoded any
	repeated, err := kjson.UnmarshalStrict([]byte(body), &decoded, kjson.DisallowDuplicateFields)
	if err != nil {
		return nil, &Error{Problem: "the body is not valid JSON" + placeOf(body, err), Suggestion: validJSON}
	}
	if len(repeated) > 0 {
		problem := "the body has a field twice"
		var named kjson.FieldError
		if errors.As(repeated[0], &named) {
			problem = fmt.Sprintf("the body has the field %q twice", named.FieldPath())
		}
		return nil, &Error{Problem: problem, Suggestion: "Remove one of them."}
	}
	return recode(decoded)
}

// EqualBody reports whether two bodies are the same JSON, however they are written. Strings that are not JSON are not
// equal.
func EqualBody(a, b string) bool {
	one, err := decodeBody(a)
	if err != nil {
		return false
	}
	other, err := decodeBody(b)
	return err == nil && reflect.DeepEqual(one, other)
}

// placeOf returns the position at which the decoder stopped. It does not quote the body, which may be secret.
func placeOf(body string, err error) string {
	isSyntax, offset := kjson.SyntaxErrorOffset(err)
	if !isSyntax {
		return ""
	}
	before := body[:max(0, min(int(offset)-1, len(body)))]
	if strings.Contains(err.Error(), "unexpected end") {
		return ": it ends too early"
	}
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return fmt.Sprintf(" at line %d, column %d", strings.Count(before, "\n")+1, utf8.RuneCountInString(line)+1)
}

// canonical returns a copy of a value as the API server writes and reads it, without fields that are null: whole
// numbers are int64, however Go or the user wrote them.
func canonical(value any) (any, error) {
	copied, err := recode(value)
	remove(copied, isNull)
	return copied, err
}

func recode(value any) (any, error) {
	text, err := utiljson.Marshal(value)
	if err != nil {
		return nil, notJSON()
	}
	return decode(text)
}

func decode(text []byte) (any, error) {
	var decoded any
	if err := utiljson.Unmarshal(text, &decoded); err != nil {
		return nil, notJSON()
	}
	return decoded, nil
}

func canonicalObject(object map[string]any) (map[string]any, error) {
	copied, err := canonical(object)
	if err != nil {
		return nil, err
	}
	fields, _ := copied.(map[string]any)
	return fields, nil
}

func notJSON() *Error {
	return &Error{
		Problem: "a value cannot be written as JSON", Suggestion: "Use texts, numbers, booleans, lists and maps.",
	}
}

// remove removes fields from a value, which it mutates. Items of lists stay.
func remove(value any, isRemoved func(field any) bool) {
	switch value := value.(type) {
	case map[string]any:
		for name, field := range value {
			if isRemoved(field) {
				delete(value, name)
				continue
			}
			remove(field, isRemoved)
		}
	case []any:
		for _, item := range value {
			remove(item, isRemoved)
		}
	}
}

func isNull(field any) bool { return field == nil }

// isEmptyList recognizes empty lists, which are for built-in kinds the same as missing ones.
func isEmptyList(field any) bool {
	list, isList := field.([]any)
	return isList && len(list) == 0
}

// encode returns JSON as the API server writes it. That makes its tests of equal values succeed.
func encode(value any) ([]byte, error) {
	text, err := utiljson.Marshal(value)
	if err != nil {
		return nil, notJSON()
	}
	return text, nil
}

func isScalar(value any) bool {
	switch value.(type) {
	case nil, map[string]any, []any:
		return false
	default:
		return true
	}
}

func sortedNames(fields map[string]any) []string { return slices.Sorted(maps.Keys(fields)) }
