// Package manifest reads Kubernetes manifests: one YAML document, its identity, the import ID that
// names it, and the canonical form that two equal manifests share. It takes and returns plain Go.
package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	yamlv3 "go.yaml.in/yaml/v3"
)

// Manifest is one parsed document.
type Manifest struct {
	// Identity is what the document says of itself; Namespace is "" where it says nothing.
	Identity
	// Object is the document as JSON would decode it: maps, slices, string, bool, int64, float64, nil.
	// It is not to be mutated.
	Object map[string]any
}

// Error is a fault of a manifest, found before any call.
type Error struct {
	// Problem is what was wrong, a sentence without its full stop.
	Problem string
	// Suggestion is what to write instead, a whole sentence.
	Suggestion string
}

func (e *Error) Error() string { return e.Problem + ". " + e.Suggestion }

// Parse reads a text that holds exactly one YAML (or JSON) document with an apiVersion, a kind and a
// metadata.name. Anchors and comments are fine. Every failure is an *Error.
func Parse(text string) (Manifest, error) {
	if err := checkSingleDocument(text); err != nil {
		return Manifest{}, err
	}
	asJSON, err := yaml.YAMLToJSONStrict([]byte(text))
	if err != nil {
		return Manifest{}, &Error{
			Problem:    "the text is not valid YAML: " + strings.TrimPrefix(err.Error(), "yaml: "),
			Suggestion: "Correct the text; yamlencode({...}) always writes valid YAML.",
		}
	}
	var decoded any
	if err := utiljson.Unmarshal(asJSON, &decoded); err != nil {
		return Manifest{}, &Error{
			Problem:    "the text has a value that JSON cannot hold: " + err.Error(),
			Suggestion: "Use strings, numbers, booleans, lists and maps with string keys.",
		}
	}
	object, ok := decoded.(map[string]any)
	if !ok {
		return Manifest{}, &Error{
			Problem:    "the document is " + describe(decoded) + " and not an object",
			Suggestion: "Write one object with apiVersion, kind and metadata.name; for several objects use one resource each.",
		}
	}
	return identify(object)
}

func checkSingleDocument(text string) error {
	decoder := yamlv3.NewDecoder(bytes.NewReader([]byte(text)))
	documents := 0
	for {
		var node yamlv3.Node
		err := decoder.Decode(&node)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return &Error{
				Problem:    "the text is not valid YAML: " + strings.TrimPrefix(err.Error(), "yaml: "),
				Suggestion: "Correct the text; yamlencode({...}) always writes valid YAML.",
			}
		}
		if !isEmptyDocument(&node) {
			documents++
		}
	}
	switch documents {
	case 0:
		return &Error{
			Problem:    "the text holds no document",
			Suggestion: "Write one object with apiVersion, kind and metadata.name.",
		}
	case 1:
		return nil
	default:
		return &Error{
			Problem: fmt.Sprintf("the text holds %d documents", documents),
			Suggestion: "Write one resource per object, for instance with for_each over " +
				`split("\n---\n", file("objects.yaml")).`,
		}
	}
}

func isEmptyDocument(node *yamlv3.Node) bool {
	return len(node.Content) == 0 || len(node.Content) == 1 && node.Content[0].Tag == "!!null"
}

func describe(value any) string {
	switch value.(type) {
	case []any:
		return "a list"
	case string:
		return "a string"
	case nil:
		return "null"
	default:
		return "a single value"
	}
}
