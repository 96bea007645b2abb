package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
)

// largest is the maximum size in bytes of a document with its aliases expanded: several times what an API server
// accepts. Without a limit, a few lines of aliases to aliases could fill the memory.
const largest = 16 << 20

// onlyDocument returns the root of the one document of a text; documents without content do not count.
func onlyDocument(text string) (*yamlv3.Node, error) {
	documents, err := contents(text)
	if err != nil {
		return nil, err
	}
	switch len(documents) {
	case 0:
		return nil, &Error{
			Problem:    "the text contains no document",
			Suggestion: "Write one object with apiVersion, kind and metadata.name.",
		}
	case 1:
		return documents[0], nil
	default:
		return nil, &Error{
			Problem:    fmt.Sprintf("the text contains %d documents", len(documents)),
			Suggestion: oneEach,
		}
	}
}

// oneEach is the suggestion for a text with several objects.
const oneEach = "Write one resource per object, for example with for_each = provider::k8sconnect::documents(...)."

// contents returns the roots of the documents of a text; documents without content do not count.
func contents(text string) ([]*yamlv3.Node, error) {
	decoder := yamlv3.NewDecoder(bytes.NewReader([]byte(text)))
	var documents []*yamlv3.Node
	for {
		var node yamlv3.Node
		err := decoder.Decode(&node)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, syntaxError(text, err)
		}
		if len(node.Content) == 1 && node.Content[0].Tag != "!!null" {
			documents = append(documents, node.Content[0])
		}
	}
	return documents, nil
}

// blankBefore empties the lines before a node, which hold comments, markers and documents without content: the YAML
// decoder reads the first document, empty or not. Line numbers stay the same.
func blankBefore(text string, root *yamlv3.Node) string {
	lines := strings.SplitAfter(text, "\n")
	blank := max(0, min(root.Line-1, len(lines)))
	return strings.Repeat("\n", blank) + strings.Join(lines[blank:], "")
}

// checkNode returns an *Error for the first key that a map has twice, and for aliases that grow too large.
// A key that overrides a merged one does not count as twice.
func checkNode(root *yamlv3.Node) error {
	sizes := map[*yamlv3.Node]int{}
	size, err := expandedSize(root, sizes)
	if err == nil && size > largest {
		err = &Error{
			Problem:    fmt.Sprintf("the document is larger than %d MiB with its aliases expanded", largest>>20),
			Suggestion: "Write a smaller object: an API server accepts at most 3 MiB.",
		}
	}
	return err
}

// expandedSize returns the size of the texts of a node and of everything below, up to a little more than largest. sizes
// remembers anchored nodes; one that contains itself counts once and is left to the decoder.
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
	lines := make(map[string]int, len(node.Content)/2)
	for i := 0; i < len(node.Content); i += 2 {
		key := node.Content[i]
		if key.Kind == yamlv3.AliasNode {
			continue
		}
		if key.Kind != yamlv3.ScalarNode || key.ShortTag() == "!!null" {
			return &Error{
				Problem:    fmt.Sprintf("line %d has a key that is not a string", key.Line),
				Suggestion: "Write a string there. A string that starts with { or [ needs quotes.",
			}
		}
		if line, twice := lines[key.Value]; twice {
			problem := fmt.Sprintf("%s has a key that line %d has already", placeOf(key), line)
			if line == key.Line {
				problem = placeOf(key).String() + " has a key that is already in its map"
			}
			return &Error{Problem: problem, Suggestion: "Remove one of them."}
		}
		lines[key.Value] = key.Line
	}
	return nil
}

// checkNumber refuses the numbers that YAML has and JSON does not.
func checkNumber(node *yamlv3.Node) error {
	if node.Kind != yamlv3.ScalarNode || node.ShortTag() != "!!float" {
		return nil
	}
	switch strings.ToLower(strings.TrimLeft(node.Value, "+-")) {
	case ".inf", ".nan":
		return &Error{
			Problem:    fmt.Sprintf("line %d has the number %s, which an API server does not accept", node.Line, node.Value),
			Suggestion: "Write a finite number, or put the value in quotes.",
		}
	}
	return nil
}
