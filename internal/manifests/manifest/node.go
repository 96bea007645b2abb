package manifest

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
	"sigs.k8s.io/yaml"
)

// largest is the maximum size in bytes of a document with its aliases expanded: several times what an API server
// accepts. Without a limit, a few lines of aliases to aliases could fill the memory.
const largest = 16 << 20

// onlyDocument returns the root of the one document of a string; documents without content do not count.
func onlyDocument(text string) (*yamlv3.Node, error) {
	documents, err := contents(text)
	if err != nil {
		return nil, err
	}
	switch len(documents) {
	case 0:
		return nil, &Error{Problem: noDocument, Suggestion: oneObject}
	case 1:
		return documents[0], nil
	default:
		return nil, &Error{Problem: fmt.Sprintf("the text contains %d documents", len(documents)), Suggestion: oneEach}
	}
}

const oneObject = "Write one object with apiVersion, kind and metadata.name."

// noDocument is the problem of a string without a document.
const noDocument = "the text contains no document"

// oneEach is the suggestion for a string with several objects.
const oneEach = "Write each object by itself: " + splits

const splits = "provider::k8sconnect::documents(...) gives them, for for_each or for manifests of k8sconnect_manifests."

// mark is what some editors begin a file with.
const mark = '\ufeff'

// contents returns the roots of the documents of a string; documents without content do not count.
func contents(text string) ([]*yamlv3.Node, error) {
	text = strings.TrimPrefix(text, string(mark))
	readable := asYAML(text)
	if values := jsonValues(text); values != nil {
		for n, value := range values {
			values[n] = asYAML(value)
		}
		readable = strings.Join(values, "\n---\n")
	}
	decoder := yamlv3.NewDecoder(strings.NewReader(readable))
	var documents []*yamlv3.Node
	for {
		var node yamlv3.Node
		err := decoder.Decode(&node)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, syntaxError(text)
		}
		if len(node.Content) == 1 && node.Content[0].Tag != "!!null" {
			documents = append(documents, node.Content[0])
		}
	}
	return documents, nil
}

// lineBreak matches what ends a line of YAML.
var lineBreak = regexp.MustCompile("\r\n|[\n\r\u0085\u2028\u2029]")

// blankBefore empties the lines before a node, which hold comments, markers and documents without content: the YAML
// decoder reads the first document, empty or not. Line numbers stay the same.
func blankBefore(text string, root *yamlv3.Node) string {
	blank := max(0, root.Line-1)
	for range blank {
		if end := lineBreak.FindStringIndex(text); end != nil {
			text = text[end[1]:]
		}
	}
	return strings.Repeat("\n", blank) + text
}

// checkNode returns an *Error for the first key that a map has twice, and for aliases that grow too large.
// A key that overrides a merged one does not count as twice.
func checkNode(root *yamlv3.Node) error {
	sizes := map[*yamlv3.Node]int{}
	size, err := expandedSize(root, sizes)
	if err == nil && size > largest {
		err = &Error{
			Problem:    fmt.Sprintf("the document is larger than %d MiB with its aliases expanded", largest>>20),
			Suggestion: "Reduce the object: API servers accept at most 3 MiB.",
		}
	}
	return err
}

// expandedSize returns the size of the strings of a node and of everything below, up to a little more than largest.
// sizes remembers anchored nodes; one that contains itself counts once and is left to the decoder.
func expandedSize(node *yamlv3.Node, sizes map[*yamlv3.Node]int) (int, error) {
	if node.Kind == yamlv3.AliasNode {
		return sizes[node.Alias] + 1, nil
	}
	if err := checkKeys(node); err != nil {
		return 0, err
	}
	if err := checkNumber(node); err != nil {
		return 0, err
	}
	size := len(node.Value) + 1
	for _, child := range node.Content {
		below, err := expandedSize(child, sizes)
		if err != nil {
			return 0, err
		}
		size = min(size+below, largest+1)
	}
	if node.Anchor != "" {
		sizes[node] = size
	}
	return size, nil
}

func checkKeys(node *yamlv3.Node) error {
	if node.Kind != yamlv3.MappingNode {
		return nil
	}
	seen := make(map[string]*yamlv3.Node, len(node.Content)/2)
	for i := 0; i < len(node.Content); i += 2 {
		key := node.Content[i]
		if key.Kind == yamlv3.AliasNode {
			key = key.Alias
		}
		if at := placeOf(node); key.Kind == yamlv3.MappingNode && placeOf(key) == (place{at.line, at.column + 1}) {
			return unrendered(at)
		}
		if key.Kind != yamlv3.ScalarNode || key.ShortTag() == "!!null" {
			return &Error{
				Problem:    fmt.Sprintf("line %d has a key that is not a string", key.Line),
				Suggestion: "Write a string there. A string that starts with { or [ needs quotes.",
			}
		}
		name := nameOf(key)
		if first, twice := seen[name]; twice {
			return keyTwice(key, first, name)
		}
		seen[name] = key
	}
	return nil
}

// keyTwice returns the error of a key that is, or becomes, the same as one before it in its map.
func keyTwice(key, first *yamlv3.Node, name string) *Error {
	fault := &Error{Problem: placeOf(key).String() + " repeats a key of its map", Suggestion: "Remove one of them."}
	if first.Line != key.Line {
		fault.Problem = fmt.Sprintf("%s repeats a key of line %d", placeOf(key), first.Line)
	}
	switch {
	case key.ShortTag() == "!!merge":
		fault.Suggestion = "Write one key << with a list: <<: [*a, *b]."
	case key.Value != first.Value:
		fault.Problem = fmt.Sprintf("%s has a key that means %q, and so does a key of line %d", placeOf(key), name,
			first.Line)
		fault.Suggestion = "Put them in quotes, or remove one of them."
	}
	return fault
}

// nameOf returns the name that a key has in JSON: yes, on and True are "true", 1.0 is "1".
func nameOf(key *yamlv3.Node) string {
	if key.Style&(yamlv3.DoubleQuotedStyle|yamlv3.SingleQuotedStyle) != 0 || !mayBeOther(key.Value) {
		return key.Value
	}
	object := map[string]any{}
	if err := yaml.Unmarshal([]byte(key.Value+": 0"), &object); err != nil || len(object) != 1 {
		return key.Value
	}
	for name := range object {
		return name
	}
	return key.Value
}

// mayBeOther reports whether a key without quotes may be a number or a boolean.
func mayBeOther(key string) bool {
	switch strings.ToLower(key) {
	case "y", "n", "yes", "no", "on", "off", "true", "false":
		return true
	}
	return key != "" && strings.ContainsAny(key[:1], "0123456789+-.")
}

// checkNumber refuses the numbers that YAML has and JSON does not.
func checkNumber(node *yamlv3.Node) error {
	if node.Kind != yamlv3.ScalarNode || node.ShortTag() != "!!float" {
		return nil
	}
	switch strings.ToLower(strings.TrimLeft(node.Value, "+-")) {
	case ".inf", ".nan":
		return &Error{
			Problem: fmt.Sprintf("line %d has the number %s, which an API server does not accept", node.Line,
				node.Value),
			Suggestion: "Write a finite number, or put the value in quotes.",
		}
	}
	return nil
}

// Lines tells where the fields of an object are written.
type Lines struct{ root *yamlv3.Node }

// LinesOf returns the lines of the one document of a string. They are those of nothing if it has another number of
// documents, or is not valid.
func LinesOf(text string) Lines {
	root, err := onlyDocument(text)
	if err != nil {
		return Lines{}
	}
	return Lines{root}
}

// Of returns the line of a field, counted from 1, or that of the innermost map or list around it which is written
// there; 0 if the lines are those of nothing. steps are names and positions: strings and ints.
func (l Lines) Of(steps []any) int {
	if l.root == nil {
		return 0
	}
	node, line := l.root, l.root.Line
	for _, step := range steps {
		key, value := entryAt(node, step)
		if value == nil {
			break
		}
		node, line = value, key.Line
	}
	return line
}

// entryAt returns an entry of a map by its name, or an item of a list by its position, and the node that has its line;
// nil if it is not there.
func entryAt(node *yamlv3.Node, step any) (key, value *yamlv3.Node) {
	if node.Kind == yamlv3.AliasNode {
		node = node.Alias
	}
	switch step := step.(type) {
	case string:
		for i := 0; node.Kind == yamlv3.MappingNode && i+1 < len(node.Content); i += 2 {
			if nameOf(node.Content[i]) == step {
				return node.Content[i], node.Content[i+1]
			}
		}
	case int:
		if node.Kind == yamlv3.SequenceNode && step < len(node.Content) {
			return node.Content[step], node.Content[step]
		}
	}
	return nil, nil
}
