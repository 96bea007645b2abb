package manifest

import (
	"encoding/base64"
	"maps"
	"slices"
	"strings"
)

// ServerMetadata returns the fields of metadata that only the API server writes.
func ServerMetadata() []string {
	return []string{
		"creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp", "generation", "managedFields",
		"resourceVersion", "selfLink", "uid",
	}
}

// dropServerOwned removes from metadata what only the API server writes. A blank field is harmless, as generators write
// it (creationTimestamp: null). Any other value is an *Error: a string with a resourceVersion or a uid was copied from
// a cluster, and is about an object as it was then.
func dropServerOwned(metadata map[string]any) error {
	var filled []string
	for _, field := range ServerMetadata() {
		value, has := metadata[field]
		switch {
		case !has:
		case IsBlank(value):
			delete(metadata, field)
		default:
			filled = append(filled, "metadata."+field)
		}
	}
	if len(filled) == 0 {
		return nil
	}
	them := "it"
	if len(filled) > 1 {
		them = "them"
	}
	return &Error{
		Problem:    "only the API server writes " + enumerate(filled),
		Suggestion: "Remove " + them + " from the manifest.",
	}
}

// IsBlank reports whether a decoded value is null, "", 0, or a map or list that contains only blank values. Booleans
// are never blank.
func IsBlank(value any) bool {
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
		return !slices.ContainsFunc(value, isFilled)
	case map[string]any:
		return !slices.ContainsFunc(slices.Collect(maps.Values(value)), isFilled)
	default:
		return false
	}
}

func isFilled(value any) bool { return !IsBlank(value) }

// enumerate writes "a", "a and b", "a, b and c".
func enumerate(texts []string) string {
	last := len(texts) - 1
	if last == 0 {
		return texts[0]
	}
	return strings.Join(texts[:last], ", ") + " and " + texts[last]
}

// The fields of a Secret that hold its values.
const (
	SecretData = "data"
	// SecretStringData holds values as they are, for the server to move into SecretData.
	SecretStringData = "stringData"
)

// SecretFields returns the fields of a Secret that hold its values.
func SecretFields() []string { return []string{SecretData, SecretStringData} }

// IsSecretField reports whether a field of a Secret holds its values.
func IsSecretField(name string) bool { return slices.Contains(SecretFields(), name) }

// IsSecret reports whether objects of the kind hold secret data.
func (i Identity) IsSecret() bool { return i.APIVersion == "v1" && i.Kind == "Secret" }

// StringDataAsData returns a Secret as the API server keeps it: with stringData in base64 under data, where it replaces
// the value of the same key. The server would do so too, and record stringData as a field of its own, which no other
// manager owns and which has no value. A value that is not a string stays where it is, and is refused there. object is
// not mutated.
func StringDataAsData(object map[string]any) map[string]any {
	written, has := object[SecretStringData]
	texts, isMap := written.(map[string]any)
	data, hasData := object[SecretData].(map[string]any)
	if !has || written != nil && !isMap || !hasData && object[SecretData] != nil {
		return object
	}
	kept, data := map[string]any{}, maps.Clone(data)
	for key, value := range texts {
		text, isText := value.(string)
		if !isText && value != nil {
			kept[key] = value
			continue
		}
		if data == nil {
			data = map[string]any{}
		}
		data[key] = base64.StdEncoding.EncodeToString([]byte(text)) // Null is an empty string to the server.
	}
	moved := maps.Clone(object)
	delete(moved, SecretStringData)
	if len(kept) > 0 {
		moved[SecretStringData] = kept
	}
	if data != nil {
		moved[SecretData] = data
	}
	return moved
}
