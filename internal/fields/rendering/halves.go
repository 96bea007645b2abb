package rendering

import (
	"encoding/json"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/difference"
)

// Halves returns two values, given as attributes show them, as a reader compares them: of two long maps or two long
// lists the lines of the parts that differ, as [difference.Halves] has them; other values as they are.
func Halves(before, after string) (was, becomes string) {
	one, is := structureIn(before)
	other, isToo := structureIn(after)
	if !is || !isToo {
		return before, after
	}
	lines, more := difference.Halves(one, other)
	if lines == nil {
		return before, after
	}
	return strings.Join(lines, "\n"), strings.Join(more, "\n")
}

// structureIn returns the map or list whose JSON a string is; false for another string.
func structureIn(text string) (value any, is bool) {
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
		return nil, false
	}
	err := json.Unmarshal([]byte(text), &value)
	return value, err == nil
}
