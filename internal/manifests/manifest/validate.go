package manifest

import (
	"encoding/base64"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

func identify(object map[string]any) (Manifest, error) {
	apiVersion, err := requireText(object, "apiVersion", "apiVersion", `a version such as "v1" or "apps/v1"`)
	if err != nil {
		return Manifest{}, err
	}
	if !isVersion(apiVersion) {
		return Manifest{}, &Error{
			Problem: "apiVersion is not of the form group/version", Suggestion: `Write for example "v1" or "apps/v1".`,
		}
	}
	kind, err := requireText(object, "kind", "kind", `a kind such as "Deployment"`)
	if err != nil {
		return Manifest{}, err
	}
	if IsList(object) {
		return Manifest{}, &Error{
			Problem:    "the document is a " + kind + ", which contains other objects",
			Suggestion: "Write each of its items by itself: " + splits,
		}
	}
	if kind == "Kustomization" && strings.HasPrefix(apiVersion, "kustomize.config.k8s.io/") {
		return Manifest{}, &Error{
			Problem:    "the document is a Kustomization, which is a file of kustomize and no object",
			Suggestion: "Build its folder with the data source k8sconnect_kustomize.",
		}
	}
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		problem := "metadata is missing"
		if object["metadata"] != nil {
			problem = "metadata is " + Describe(object["metadata"]) + ", not an object"
		}
		return Manifest{}, &Error{Problem: problem, Suggestion: "Write metadata with at least a name."}
	}
	if metadata["generateName"] != nil && metadata["name"] == nil {
		return Manifest{}, &Error{
			Problem:    "metadata.generateName asks the server for a name",
			Suggestion: "Write metadata.name: Terraform has to know which object a resource manages.",
		}
	}
	name, err := requireText(metadata, "name", "metadata.name", "the object's name")
	if err != nil {
		return Manifest{}, err
	}
	namespace, err := optionalText(metadata, "namespace", "metadata.namespace")
	if err != nil {
		return Manifest{}, err
	}
	if err := dropServerOwned(metadata); err != nil {
		return Manifest{}, err
	}
	id := Identity{APIVersion: apiVersion, Kind: kind, Namespace: namespace, Name: name}
	object = withoutNulls(object, apiVersion, kind)
	if id.IsSecret() {
		object = StringDataAsData(object)
	}
	return Manifest{Identity: id, Object: object}, nil
}

// CheckTexts returns an *Error about the first label or annotation that is not a string: the API server refuses it.
func (m Manifest) CheckTexts() error {
	metadata, _ := m.Object["metadata"].(map[string]any)
	for _, field := range []string{"labels", "annotations"} {
		texts, _ := metadata[field].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			if _, err := optionalText(texts, name, "metadata."+field+"."+name); err != nil {
				return err
			}
		}
	}
	return nil
}

// IsList reports whether an object contains others instead of being one: the List of kubectl get, or a kind's own list.
func IsList(object map[string]any) bool {
	kind, _ := object["kind"].(string)
	_, hasItems := object["items"].([]any)
	return kind == "List" || hasItems && strings.HasSuffix(kind, "List")
}

// isVersion reports whether a string is a version or group/version with nothing left out.
func isVersion(apiVersion string) bool {
	_, err := schema.ParseGroupVersion(apiVersion)
	return err == nil && strings.Trim(apiVersion, "/") == apiVersion
}

func requireText(object map[string]any, key, path, want string) (string, error) {
	text, err := optionalText(object, key, path)
	if err == nil && text == "" {
		return "", &Error{Problem: path + " is missing", Suggestion: "Write " + want + "."}
	}
	return text, err
}

func optionalText(object map[string]any, key, path string) (string, error) {
	switch value := object[key].(type) {
	case nil:
		return "", nil
	case string:
		return value, nil
	case []any, map[string]any:
		return "", &Error{
			Problem: path + " is " + Describe(value) + ", not a string", Suggestion: "Write a string there.",
		}
	default:
		return "", &Error{
			Problem: path + " is " + Describe(value) + ", not a string", Suggestion: "Put the value in quotes.",
		}
	}
}

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

// StringDataAsData returns a Secret as the API server keeps it: with stringData in base64 under data, in place of the
// value of the same key. The server would do so too, and record stringData as a field of its own, which no other
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
