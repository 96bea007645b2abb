package blame

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
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
			return nil, nil, &manifest.Error{
				Problem: "the object has no " + strings.Join(part, "."), Suggestion: howToPrint,
			}
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

const howToPrint = "Print one object with kubectl get -o yaml --show-managed-fields."

// decode reads one document of YAML or JSON, with whole numbers as int64.
func decode(text string) (any, error) {
	decoded, err := manifest.Decode(text)
	var fault *manifest.Error
	var many *manifest.ManyDocumentsError
	switch {
	case errors.As(err, &fault):
		return nil, &manifest.Error{Problem: fault.Problem, Suggestion: howToPrint}
	case errors.As(err, &many):
		return nil, &manifest.Error{
			Problem: many.Error(), Suggestion: "Split the text at the --- lines, and pass one document at a time.",
		}
	}
	return decoded, err
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
		return nil, noEntries(at.String() + " cannot be read")
	}
	var entries []metav1.ManagedFieldsEntry
	if err := json.Unmarshal(text, &entries); err != nil {
		return nil, noEntries(at.String() + " cannot be read" + typeOf(err))
	}
	for _, problem := range validation.ValidateManagedFields(entries, at) {
		return nil, noEntries(problem.Field + ": " + unquoted(problem))
	}
	return entries, nil
}

// typeOf returns the end of a sentence that names the field with a wrong type; "" for another error.
func typeOf(err error) string {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return ""
	}
	return fmt.Sprintf(": %s cannot be a JSON %s", cmp.Or(wrong.Field, "an entry"), strings.Fields(wrong.Value)[0])
}

// unquoted returns what is wrong with a field, without its value.
func unquoted(problem *field.Error) string {
	value := *problem
	value.BadValue = field.OmitValueType{}
	return value.ErrorBody()
}

func noEntries(problem string) *manifest.Error {
	return &manifest.Error{Problem: problem, Suggestion: "Pass managedFields as the API server wrote them."}
}
