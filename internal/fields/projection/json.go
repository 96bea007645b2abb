package projection

import (
	"encoding/json"
	"strings"
)

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
