package projection

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
)

// longest is the size in bytes up to which a fingerprint is the value itself.
const longest = 256

// Fingerprint returns a string that two values share if the API server takes them for equal: their JSON with sorted
// keys if that is short, its digest otherwise. 1 and 1.0 are equal, 1 and "1" are not.
func Fingerprint(value any) string {
	if text, isString := value.(string); isString && len(text)+len(`""`) <= longest && needsNoEscape(text) {
		return `"` + text + `"`
	}
	text, err := json.Marshal(CanonicalNumber(value))
	if err != nil {
		return "unprintable"
	}
	if len(text) <= longest {
		return string(text)
	}
	return digest(text)
}

// IsEmptyPrint reports whether a fingerprint is that of an empty map or list, or "", which stands for no value.
func IsEmptyPrint(print string) bool { return print == "" || print == "{}" || print == "[]" }

// needsNoEscape reports whether JSON writes a string without escapes.
func needsNoEscape(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		// json.Marshal escapes <, > and &, too.
		case c < ' ', c > '~', c == '"', c == '\\', c == '<', c == '>', c == '&':
			return false
		}
	}
	return true
}

// digest returns the digest of a JSON value. It starts with a character that no JSON value starts with.
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	// 15 bytes are 20 base64 characters, without padding.
	return "#" + base64.RawStdEncoding.EncodeToString(sum[:15])
}

// CanonicalNumber returns a value with its whole floats as integers, at any depth; the value itself if it has none.
func CanonicalNumber(value any) any {
	if !hasLooseNumber(value) {
		return value
	}
	switch v := value.(type) {
	case float64:
		// From 1<<53 on, a float may stand for several whole numbers.
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return int64(v)
		}
	case int:
		return int64(v)
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, item := range v {
			out[key] = CanonicalNumber(item)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = CanonicalNumber(item)
		}
		return out
	}
	return value
}

// hasLooseNumber reports whether a value holds a number that is not an int64.
func hasLooseNumber(value any) bool {
	switch v := value.(type) {
	case float64, int:
		return true
	case map[string]any:
		for _, item := range v {
			if hasLooseNumber(item) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, hasLooseNumber)
	}
	return false
}

func sortedNames(keys map[string]any) []string { return slices.Sorted(maps.Keys(keys)) }

// JSON returns a value as JSON with its whole floats as integers. It does not escape <, > and &, as a user's manifest
// does not.
func JSON(value any) string {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(CanonicalNumber(value)); err != nil {
		return "unprintable"
	}
	return strings.TrimSuffix(text.String(), "\n")
}
