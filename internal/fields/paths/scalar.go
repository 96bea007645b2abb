package paths

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// maxExact limits the floats that represent exactly one whole number.
const maxExact = 1 << 53

// plain reduces the numbers of Go and JSON to int64 if they are whole, and to float64 otherwise. Other values are
// returned as they are.
func plain(v any) any {
	switch n := v.(type) {
	case int:
		return int64(n)
	case int8:
		return int64(n)
	case int16:
		return int64(n)
	case int32:
		return int64(n)
	case uint:
		return int64(n) //nolint:gosec // No API server sends a number past int64 as an integer.
	case uint8:
		return int64(n)
	case uint16:
		return int64(n)
	case uint32:
		return int64(n)
	case float32:
		return plain(float64(n))
	case float64:
		if n == math.Trunc(n) && math.Abs(n) <= maxExact {
			return int64(n)
		}
	case json.Number:
		if number := parseNumber(n.String()); number != nil {
			return number
		}
	}
	return v
}

// isScalar reports whether a plain value is a scalar, not a list or map.
func isScalar(v any) bool {
	switch v.(type) {
	case nil, string, bool, int64, float64:
		return true
	}
	return false
}

// bareText returns a scalar as a string without quotes.
func bareText(v any) string {
	switch s := v.(type) {
	case nil:
		return "null"
	case string:
		return s
	}
	return fmt.Sprint(v)
}

// appendScalar appends a scalar as the API server prints it. Whole numbers have no exponent, whether they were read
// from JSON or from an object.
func appendScalar(text []byte, v any) []byte {
	switch s := v.(type) {
	case string:
		if isWord(s) {
			return append(append(append(text, '"'), s...), '"')
		}
		return appendQuoted(text, s)
	case int64:
		return strconv.AppendInt(text, s, 10)
	}
	return append(text, bareText(v)...)
}

// parseNumber returns a decimal number as int64 or float64, and nil for any other string.
func parseNumber(text string) any {
	// ParseFloat also accepts inf, nan, hexadecimal digits and underscores, which are strings here.
	if text == "" || strings.Trim(text, "0123456789+-.eE") != "" {
		return nil
	}
	if whole, err := strconv.ParseInt(text, 10, 64); err == nil {
		return whole
	}
	if number, err := strconv.ParseFloat(text, 64); err == nil {
		return plain(number)
	}
	return nil
}

// operand is the value that a selector compares with.
type operand struct {
	text   string
	quoted bool
	number any // of an unquoted string; nil if it is not a number
}

func (o operand) matches(v any) bool {
	v = plain(v)
	switch s := v.(type) {
	case string:
		return s == o.text
	case nil, bool:
		return !o.quoted && o.text == bareText(v)
	case int64, float64:
		return !o.quoted && o.number != nil && sameValue(o.number, v)
	}
	return !o.quoted && readsAs(o.text, v, func(rest string) bool { return rest == "" })
}

// mayEqual reports whether both may match one value. The API server prints the fields of a map in random order.
func (o operand) mayEqual(other operand) bool {
	switch {
	case o.text == other.text:
		return true
	case o.quoted || other.quoted:
		return false
	case o.number != nil && other.number != nil:
		return sameValue(o.number, other.number)
	}
	return strings.Contains(o.text, "[") && strings.Contains(other.text, "[")
}

// readsAs reports whether text begins with v as the API server prints it and the rest satisfies then.
// The API server prints the fields of a map one after the other, in random order.
func readsAs(text string, v any, then func(rest string) bool) bool {
	switch composite := plain(v).(type) {
	case []any:
		rest, ok := strings.CutPrefix(text, "[")
		return ok && listReadsAs(rest, composite, "", then)
	case map[string]any:
		names := make([]string, 0, len(composite))
		for name := range composite {
			names = append(names, name)
		}
		return mapReadsAs(text, composite, names, then)
	default:
		rest, ok := strings.CutPrefix(text, string(appendScalar(nil, composite)))
		return ok && then(rest)
	}
}

func listReadsAs(text string, items []any, separator string, then func(rest string) bool) bool {
	if len(items) == 0 {
		rest, ok := strings.CutPrefix(text, "]")
		return ok && then(rest)
	}
	rest, ok := strings.CutPrefix(text, separator)
	return ok && readsAs(rest, items[0], func(rest string) bool {
		return listReadsAs(rest, items[1:], ",", then)
	})
}

func mapReadsAs(text string, fields map[string]any, names []string, then func(rest string) bool) bool {
	if len(names) == 0 {
		return then(text)
	}
	for i, name := range names {
		rest, ok := strings.CutPrefix(text, name+"=")
		if ok && readsAs(rest, fields[name], func(rest string) bool {
			return mapReadsAs(rest, fields, slices.Delete(slices.Clone(names), i, i+1), then)
		}) {
			return true
		}
	}
	return false
}
