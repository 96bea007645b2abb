package manifest

import (
	"strings"
)

// ServerMetadata returns the fields of metadata that only the API server writes.
func ServerMetadata() []string {
	return []string{
		"creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp", "generation", "managedFields",
		"resourceVersion", "selfLink", "uid",
	}
}

// dropServerOwned removes from metadata what only the API server writes, and returns the paths. An empty field is
// harmless, as generators write it (creationTimestamp: null). Any other value is an *Error: a string with a
// resourceVersion or a uid was copied from a cluster, and is about an object as it was then.
func dropServerOwned(metadata map[string]any) (dropped []string, err error) {
	var filled []string
	for _, field := range ServerMetadata() {
		value, has := metadata[field]
		switch {
		case !has:
		case isZero(value):
			delete(metadata, field)
			dropped = append(dropped, "metadata."+field)
		default:
			filled = append(filled, "metadata."+field)
		}
	}
	if len(filled) == 0 {
		return dropped, nil
	}
	them := "it"
	if len(filled) > 1 {
		them = "them"
	}
	return nil, &Error{
		Problem:    "only the API server writes " + enumerate(filled),
		Suggestion: "Remove " + them + " from the manifest.",
	}
}

// isZero reports whether a decoded value is the zero value of its type.
func isZero(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case string:
		return value == ""
	case int64:
		return value == 0
	case float64:
		return value == 0
	case []any:
		return len(value) == 0
	case map[string]any:
		return len(value) == 0
	default:
		return false
	}
}

// enumerate writes "a", "a and b", "a, b and c".
func enumerate(texts []string) string {
	last := len(texts) - 1
	if last == 0 {
		return texts[0]
	}
	return strings.Join(texts[:last], ", ") + " and " + texts[last]
}
