package manifest

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
	"sigs.k8s.io/yaml"
)

// Located is an object of a string that may hold several.
type Located struct {
	// Manifest is the object. Its Text is a document of its own: the part of the string that contains the object, or,
	// for an item of a List, the item encoded as YAML.
	Manifest
	// Position is the place of the object in the string.
	Position Position
}

// Position is a place in a string that may hold several documents.
type Position struct {
	// Holder names the thing that contains the document, if that is not a string of documents; the document has no
	// number then.
	Holder string
	// Document counts the documents from 1, also those without content.
	Document int
	// Items count the items of a List, and of the Lists in it, from 1; nil for a document that is not a List.
	Items []int
	// Line counts the lines of the whole string from 1.
	Line int
}

// String returns the position for a sentence: "document 2, item 3 (line 41)".
func (p Position) String() string {
	text := cmp.Or(p.Holder, fmt.Sprintf("document %d", p.Document))
	for _, item := range p.Items {
		text += fmt.Sprintf(", item %d", item)
	}
	return fmt.Sprintf("%s (line %d)", text, p.Line)
}

// ParseAll reads a string that holds any number of YAML (or JSON) documents. It returns the objects in the order of the
// string. For a List it returns the items; documents without content do not count. Every failure is an *Error that
// begins with the position.
func ParseAll(text string) ([]Located, error) {
	var all []Located
	for _, part := range split(strings.TrimPrefix(text, string(mark))) {
		found, err := part.objects()
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// section is the part of a string that holds one document.
type section struct {
	text string
	// number counts the documents, and line is the line of the whole string with which text begins.
	number, line int
}

// split cuts a string at the lines that begin with --- or ... A line that begins so is a marker at any place, also in a
// block scalar.
func split(text string) []section {
	if values := jsonValues(text); values != nil {
		return sectionsOf(values)
	}
	var (
		all     []section
		current = section{line: 1}
		start   int
		marked  bool
	)
	end := func(at int) {
		current.text = text[start:at]
		if marked || hasContent(current.text) {
			current.number = len(all) + 1
			all = append(all, current)
		}
	}
	at, number := 0, 0
	for line := range strings.Lines(text) {
		next := at + len(line)
		number++
		switch {
		case isMarker(line, "---") && !marked && isDirectives(text[start:at]):
			marked = true
		case isMarker(line, "---"):
			end(at)
			current, start, marked = section{line: number}, at, true
			rest := strings.TrimLeft(line[len("---"):], " \t")
			if strings.HasPrefix(rest, "#") {
				start = next - len(rest)
			} else if strings.TrimSpace(rest) == "" {
				current.line, start = number+1, next
			}
		case isMarker(line, "..."):
			end(at)
			current, start, marked = section{line: number + 1}, next, false
		case start == at && strings.TrimSpace(line) == "":
			current.line, start = number+1, next
		}
		at = next
	}
	end(at)
	return all
}

// sectionsOf returns JSON objects that follow each other as documents.
func sectionsOf(values []string) []section {
	all := make([]section, len(values))
	line := 1
	for n, value := range values {
		trimmed := strings.TrimLeft(value, " \t\r\n")
		line += strings.Count(value[:len(value)-len(trimmed)], "\n")
		all[n] = section{text: trimmed, number: n + 1, line: line}
		line += strings.Count(trimmed, "\n")
	}
	return all
}

func isMarker(line, marker string) bool {
	rest, found := strings.CutPrefix(line, marker)
	return found && (rest == "" || strings.ContainsAny(rest[:1], " \t\r\n"))
}

// hasContent reports whether a string has a line that is neither blank nor a comment.
func hasContent(text string) bool {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return true
		}
	}
	return false
}

// isDirectives reports whether a string has a directive such as %YAML 1.2 and otherwise only blank lines and comments.
// This string belongs to the document after the next ---.
func isDirectives(text string) bool {
	found := false
	for line := range strings.Lines(text) {
		switch {
		case line[0] == '%':
			found = true
		case strings.TrimSpace(line) != "" && line[0] != '#':
			return false
		}
	}
	return found
}

// objects returns the object of a section, or the items of its List; nothing without content.
func (s section) objects() ([]Located, error) {
	position := Position{Document: s.number, Line: s.line}
	nodes, err := contents(s.text)
	switch {
	case err == nil && len(nodes) == 0:
		return nil, nil
	case err != nil || len(nodes) > 1:
		return nil, s.fault(err, position)
	}
	position.Line += nodes[0].Line - 1
	object, err := decodeRoot(s.text, nodes[0], notOneOfMany)
	if err != nil {
		return nil, s.fault(err, position)
	}
	if IsList(object) {
		return s.items(object, nodes[0], position)
	}
	m, err := identify(object)
	if err != nil {
		return nil, s.fault(err, position)
	}
	m.Text = s.text
	return []Located{{m, position}}, nil
}

// fault returns an error of this section with its position. The YAML reader counts the lines of its input. So fault
// makes it read the section once more, after as many empty lines as there are lines before the section in the whole
// string.
func (s section) fault(err error, at Position) error {
	if _, counted := decodeObject(strings.Repeat("\n", s.line-1)+s.text, notOneOfMany); counted != nil {
		err = counted
	}
	return at.Fault(err)
}

// Fault returns an *Error with the position before its problem. Other errors stay as they are.
func (p Position) Fault(err error) error {
	fault, is := errors.AsType[*Error](err)
	if !is {
		return err
	}
	located := *fault
	located.Problem = p.String() + ": " + located.Problem
	return &located
}

func notOneOfMany(document any) *Error {
	fault := notAnObject(document)
	if !isFileName(document) {
		fault.Suggestion = "Write an object with apiVersion, kind and metadata.name, or remove the document."
	}
	return fault
}

// items returns the objects of a List.
func (s section) items(list map[string]any, node *yamlv3.Node, at Position) ([]Located, error) {
	items, isList := list["items"].([]any)
	if !isList && list["items"] != nil {
		return nil, at.Fault(&Error{
			Problem:    "items is " + Describe(list["items"]) + ", not a list",
			Suggestion: "Write a list of objects there.",
		})
	}
	nodes := itemNodes(node)
	var all []Located
	for i, item := range items {
		position := Position{
			Document: at.Document, Items: append(at.Items[:len(at.Items):len(at.Items)], i+1), Line: at.Line,
		}
		var itemNode *yamlv3.Node
		if i < len(nodes) {
			itemNode = nodes[i]
			position.Line = s.line + itemNode.Line - 1
		}
		object, isObject := item.(map[string]any)
		if !isObject {
			return nil, position.Fault(notOneOfMany(item))
		}
		inferKind(object, list)
		if IsList(object) {
			nested, err := s.items(object, itemNode, position)
			if err != nil {
				return nil, err
			}
			all = append(all, nested...)
			continue
		}
		m, err := ofItem(object, itemNode)
		if err != nil {
			return nil, position.Fault(err)
		}
		all = append(all, Located{m, position})
	}
	return all, nil
}

// inferKind sets apiVersion and kind of an item without both to those of its list: the items of a DeploymentList are
// Deployments.
func inferKind(item, list map[string]any) {
	kind, _ := list["kind"].(string)
	kind = strings.TrimSuffix(kind, "List")
	if item["apiVersion"] == nil && item["kind"] == nil && kind != "" {
		item["apiVersion"], item["kind"] = list["apiVersion"], kind
	}
}

// itemNodes returns the nodes of the items of a List; nil if they are not written there, but by an alias.
func itemNodes(list *yamlv3.Node) []*yamlv3.Node {
	if items := valueOf(list, "items"); items != nil && items.Kind == yamlv3.SequenceNode {
		return items.Content
	}
	return nil
}

// ofItem returns an item as a manifest. Its string keeps the comments, unless the item has an alias of something
// outside it, or leaves out the apiVersion and kind that its list gives.
func ofItem(item map[string]any, node *yamlv3.Node) (Manifest, error) {
	// Before identify, which removes empty fields of the API server from item: Text keeps them, as the user wrote them.
	asYAML, err := yaml.Marshal(item)
	if err != nil {
		return Manifest{}, notJSON()
	}
	m, err := identify(item)
	if err != nil {
		return Manifest{}, err
	}
	m.Text = string(asYAML)
	if text, err := textOf(node); err == nil && m.IsText(text) {
		m.Text = text
	}
	return m, nil
}

// textOf writes a node as a document, with its comments.
func textOf(node *yamlv3.Node) (string, error) {
	if node == nil {
		return "", errors.New("no node")
	}
	var text strings.Builder
	encoder := yamlv3.NewEncoder(&text)
	encoder.SetIndent(2)
	err := errors.Join(encoder.Encode(node), encoder.Close())
	return text.String(), err
}

// valueOf returns the value of a key of a map; nil without it.
func valueOf(node *yamlv3.Node, key string) *yamlv3.Node {
	if node == nil || node.Kind != yamlv3.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			return node.Content[i+1]
		}
	}
	return nil
}
