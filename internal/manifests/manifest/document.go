package manifest

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	yamlv3 "go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// Manifest is one parsed document.
type Manifest struct {
	// Identity is the one that the document states; Namespace is "" if it states none.
	Identity
	// Object is the document as JSON would decode it: maps, slices, string, bool, int64, float64, nil.
	// It lacks the blank fields of metadata that only the API server writes, and has the stringData of a Secret as
	// data. Do not mutate it: all who parse the same string share it.
	Object map[string]any
	// Text is the parsed string; "" for a manifest that Overlay made.
	Text string
}

// Defines returns the kind that a CustomResourceDefinition defines, without a version; the zero kind for other objects.
func (m Manifest) Defines() schema.GroupKind {
	if !m.IsDefinition() {
		return schema.GroupKind{}
	}
	spec, _ := m.Object["spec"].(map[string]any)
	names, _ := spec["names"].(map[string]any)
	group, _ := spec["group"].(string)
	kind, _ := names["kind"].(string)
	return schema.GroupKind{Group: group, Kind: kind}
}

// Error is a fault of a manifest, found before any call. Its strings have no word of a string that is not valid YAML:
// any word may be a secret. Of a valid string they have kinds, names and the paths of fields, and no values.
type Error struct {
	// Problem describes the mistake, in a sentence without its full stop.
	Problem string
	// Suggestion is a whole sentence that tells the user what to write instead.
	Suggestion string
}

func (e *Error) Error() string { return e.Problem + ". " + e.Suggestion }

// Parse reads a string that holds exactly one YAML (or JSON) document with an apiVersion, a kind and a
// metadata.name. Anchors, merge keys, comments and documents without content are fine. Scalars mean what
// they mean to kubectl: yes is a boolean. Every failure is an *Error.
func Parse(text string) (Manifest, error) {
	if m, known := parsed.get(text); known {
		return m, nil
	}
	m, err := parse(text)
	if err == nil {
		parsed.add(m)
	}
	return m, err
}

func parse(text string) (Manifest, error) {
	object, err := decodeObject(text, notAnObject)
	if err != nil {
		return Manifest{}, err
	}
	m, err := identify(object)
	if err != nil {
		return Manifest{}, err
	}
	m.Text = text
	return m, nil
}

// decodeObject reads a string that holds one document with an object. other returns the error of a document that is not
// an object.
func decodeObject(text string, other func(document any) *Error) (map[string]any, error) {
	if object := jsonObject(text); object != nil && len(text) <= largest {
		return object, nil
	}
	root, err := onlyDocument(text)
	if missing, ok := errors.AsType[*Error](err); ok && missing.Problem == noDocument {
		return nil, &Error{Problem: noDocument, Suggestion: other(nil).Suggestion}
	}
	if err != nil {
		return nil, err
	}
	return decodeRoot(text, root, other)
}

// ManyDocumentsError is a string with several documents.
type ManyDocumentsError struct{ Count int }

func (e *ManyDocumentsError) Error() string {
	return fmt.Sprintf("the text contains %d documents", e.Count)
}

// Decode reads a string that holds one document with any value, which it returns as JSON would decode it; nil without a
// document. Every failure is an *Error or a *ManyDocumentsError.
func Decode(text string) (any, error) {
	documents, err := contents(text)
	switch {
	case err != nil || len(documents) == 0:
		return nil, err
	case len(documents) > 1:
		return nil, &ManyDocumentsError{len(documents)}
	}
	return decodeAny(text, documents[0])
}

// decodeRoot does what decodeObject does, for a string whose one document has that root.
func decodeRoot(text string, root *yamlv3.Node, other func(document any) *Error) (map[string]any, error) {
	decoded, err := decodeAny(text, root)
	if err != nil {
		return nil, err
	}
	object, ok := decoded.(map[string]any)
	if !ok {
		return nil, other(decoded)
	}
	return object, nil
}

func decodeAny(text string, root *yamlv3.Node) (any, error) {
	// Before the string is converted, which expands all aliases, however large that is.
	if err := checkNode(root); err != nil {
		return nil, err
	}
	// Not from the node: only this conversion reads scalars as kubectl does, yes as true for example.
	text = strings.TrimPrefix(text, string(mark))
	asJSON, err := yaml.YAMLToJSON([]byte(blankBefore(asYAML(text), root)))
	if err != nil {
		return nil, decodeError(text, root)
	}
	var decoded any
	if err := utiljson.Unmarshal(asJSON, &decoded); err != nil {
		return nil, notJSON()
	}
	return decoded, nil
}

// another returns what makes the error of a document that is not an object.
func another(suggestion string) func(document any) *Error {
	return func(document any) *Error {
		return &Error{Problem: "the document is " + Describe(document) + ", not an object", Suggestion: suggestion}
	}
}

func notAnObject(document any) *Error {
	switch {
	case document == nil:
		return another(oneObject)(document)
	case isFileName(document):
		return another("Write file(...) around the name of a file for its content.")(document)
	}
	return another(oneObject + " For several objects, use one resource each.")(document)
}

func isFileName(document any) bool {
	text, _ := document.(string)
	return slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(text))
}

// Describe returns what a decoded JSON value is, for messages: "a list" or "an object", for example.
func Describe(value any) string {
	switch value.(type) {
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case nil:
		return "null"
	default:
		return "a number"
	}
}

// parsed has the manifests of the last strings: a plan of one resource parses the same string three times or more, and
// needs more time for it than for anything else.
var parsed = cache{limit: 64 << 10}

// mostKept is the highest limit.
const mostKept = 8 << 20

// Keep lets Parse keep the manifests of strings with that many bytes together, which will be parsed again.
func Keep(bytes int) {
	parsed.mu.Lock()
	defer parsed.mu.Unlock()
	parsed.limit = max(parsed.limit, min(bytes, mostKept))
}

// cache keeps manifests by their strings, in two generations. One that is asked for comes into the younger generation.
// Once its strings have more bytes than limit, it becomes the older one, and that one is forgotten. The object of a
// string takes about ten times as much memory.
type cache struct {
	mu             sync.Mutex
	limit          int
	younger, older map[string]Manifest
	// size is the length of the strings of the younger generation, in bytes.
	size int
}

// get returns the manifest of a string; false if the cache does not have it.
func (c *cache) get(text string) (Manifest, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if m, known := c.younger[text]; known {
		return m, true
	}
	m, known := c.older[text]
	if known {
		c.keep(m)
	}
	return m, known
}

// add keeps a manifest that was parsed, unless its string alone fills a generation.
func (c *cache) add(m Manifest) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.younger[m.Text]; !known && len(m.Text) <= c.limit {
		c.keep(m)
	}
}

func (c *cache) keep(m Manifest) {
	if c.size += len(m.Text); c.younger == nil || c.size > c.limit {
		c.older, c.younger, c.size = c.younger, map[string]Manifest{}, len(m.Text)
	}
	c.younger[m.Text] = m
}
