package blame

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// ParseObject reads one live object, as YAML or JSON, with the entries of its managedFields. Every
// failure is a *manifest.Error.
func ParseObject(text string) (map[string]any, []metav1.ManagedFieldsEntry, error) {
	decoded, err := decode(text)
	if err != nil {
		return nil, nil, err
	}
	object, isObject := decoded.(map[string]any)
	if !isObject {
		return nil, nil, &manifest.Error{Problem: "the text is not an object", Suggestion: howToPrint}
	}
	for _, part := range [][]string{{"apiVersion"}, {"kind"}, {"metadata", "name"}} {
		if text, _, _ := unstructured.NestedString(object, part...); text == "" && !manifest.IsList(object) {
			return nil, nil, &manifest.Error{Problem: "the object has no " + strings.Join(part, "."), Suggestion: howToPrint}
		}
	}
	entries, err := entriesOfObject(object)
	return object, entries, err
}

// ParseEntries reads managedFields from YAML or JSON: the list itself, or the object that contains it. Every failure is
// a *manifest.Error.
func ParseEntries(text string) ([]metav1.ManagedFieldsEntry, error) {
	var decoded any
	// JSON may contain tabs, which YAML does not accept.
	if err := json.Unmarshal([]byte(text), &decoded); err != nil {
		if decoded, err = decode(text); err != nil {
			return nil, err
		}
	}
	switch value := decoded.(type) {
	case []any:
		return entriesOf(value, field.NewPath("managedFields"))
	case map[string]any:
		return entriesOfObject(value)
	default:
		return nil, &manifest.Error{Problem: "the text is neither an object nor a list", Suggestion: howToPrint}
	}
}

// decode reads one document of YAML or JSON, with whole numbers as int64.
func decode(text string) (any, error) {
	if err := checkDocuments(text); err != nil {
		return nil, err
	}
	asJSON, err := yaml.YAMLToJSONStrict([]byte(text))
	if err != nil {
		return nil, notYAML(err)
	}
	var decoded any
	if err := utiljson.Unmarshal(asJSON, &decoded); err != nil {
		return nil, notYAML(err)
	}
	return decoded, nil
}

const howToPrint = "Print one object with kubectl get -o yaml --show-managed-fields."

func notYAML(err error) *manifest.Error {
	return &manifest.Error{
		Problem:    "the text is not valid YAML: " + strings.TrimSpace(strings.TrimPrefix(err.Error(), "yaml: ")),
		Suggestion: howToPrint,
	}
}

// checkDocuments returns an error if text contains more than one document. Documents without content do not count.
func checkDocuments(text string) error {
	decoder := yamlv3.NewDecoder(strings.NewReader(text))
	documents := 0
	for {
		var node yamlv3.Node
		err := decoder.Decode(&node)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return notYAML(err)
		}
		if len(node.Content) > 0 && node.Content[0].Tag != "!!null" {
			documents++
		}
	}
	if documents > 1 {
		return &manifest.Error{
			Problem:    fmt.Sprintf("the text contains %d documents", documents),
			Suggestion: "Split the text at the --- lines, and pass one document at a time.",
		}
	}
	return nil
}

func entriesOfObject(object map[string]any) ([]metav1.ManagedFieldsEntry, error) {
	if manifest.IsList(object) {
		return nil, &manifest.Error{
			Problem:    fmt.Sprintf("the object is a %s, which contains other objects", object["kind"]),
			Suggestion: "Pass one of its items at a time.",
		}
	}
	metadata, _ := object["metadata"].(map[string]any)
	if metadata["managedFields"] == nil {
		return nil, &manifest.Error{
			Problem:    "the object has no metadata.managedFields",
			Suggestion: "kubectl get prints them with --show-managed-fields.",
		}
	}
	return entriesOf(metadata["managedFields"], field.NewPath("metadata", "managedFields"))
}

// entriesOf decodes the value of managedFields, and rejects what the API server does not accept.
func entriesOf(value any, at *field.Path) ([]metav1.ManagedFieldsEntry, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, noEntries(at, err)
	}
	var entries []metav1.ManagedFieldsEntry
	if err := json.Unmarshal(text, &entries); err != nil {
		return nil, noEntries(at, err)
	}
	for _, problem := range validation.ValidateManagedFields(entries, at) {
		return nil, &manifest.Error{Problem: problem.Error(), Suggestion: "Pass managedFields as the API server wrote them."}
	}
	return entries, nil
}

func noEntries(at *field.Path, err error) *manifest.Error {
	return &manifest.Error{
		Problem:    at.String() + " cannot be read: " + err.Error(),
		Suggestion: "Pass managedFields as the API server wrote them.",
	}
}
