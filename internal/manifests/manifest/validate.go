package manifest

import (
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
