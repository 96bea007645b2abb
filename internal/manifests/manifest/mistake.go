package manifest

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	yamlv3 "go.yaml.in/yaml/v3"
	yamlv4 "go.yaml.in/yaml/v4"
)

// mistake describes a mistake that makes a string invalid YAML. It quotes nothing: any word of a broken string may be a
// secret.
type mistake struct {
	// at is where the mistake is, begin where the construct around it begins. Either may be unknown.
	at, begin place
	// message is the error of the YAML library. It may quote the string.
	message string
}

// place is a line and a column of a string, both counted from 1; an unknown place has zeros.
type place struct{ line, column int }

func (p place) String() string { return fmt.Sprintf("line %d, column %d", p.line, p.column) }

func placeOf(node *yamlv3.Node) place { return place{node.Line, node.Column} }

// Messages of the YAML library. Of endsInQuotes and noBlank, the beginnings: about the end of a string or document in
// quotes, and about comments.
const (
	noKey        = "did not find expected key"
	noItem       = "did not find expected '-' indicator"
	noColon      = "could not find expected ':'"
	colonHere    = "mapping values are not allowed in this context"
	secondRoot   = "did not find expected <document start>"
	inList       = "did not find expected ',' or ']'"
	inMap        = "did not find expected ',' or '}'"
	endsInQuotes = "found unexpected "
	noBlank      = "found a comment without"
	otherYAML    = "found incompatible YAML document"
)

// correct is the suggestion for a mistake of no known kind.
const correct = "Correct the text. Values with special characters need quotes; yamlencode({...}) always writes " +
	"valid YAML."

// locate returns the mistake of a string; the zero mistake if it is not known. yaml/v3, which reads manifests, has no
// columns and often another line. yaml/v4 has both, but could not read manifests: it refuses a comment right behind a
// value or a bracket, which kubectl reads.
func locate(text string) mistake {
	decoder := yamlv4.NewDecoder(strings.NewReader(text))
	for {
		var node yamlv4.Node
		err := decoder.Decode(&node)
		if err == nil {
			continue
		}
		fault, is := errors.AsType[*yamlv4.LoadError](err)
		if errors.Is(err, io.EOF) || !is {
			return mistake{}
		}
		found := mistake{
			at:    place{fault.Mark.Line, fault.Mark.Column},
			begin: place{fault.ContextMark.Line, fault.ContextMark.Column}, message: fault.Message,
		}
		switch {
		case fault.Stage == yamlv4.ReaderStage:
			found.at = placeAt(text, min(fault.Mark.Index, len(text)))
		case strings.HasPrefix(found.message, noBlank) && charAt(text, found.at) == '#': // Else it would find it again.
			_, at := lineStart(text, found.at)
			return locate(text[:at] + " " + text[at:])
		}
		return found
	}
}

// syntaxError returns the error of a string that is not valid YAML.
func syntaxError(text string) *Error {
	found := locate(text)
	if at, has := found.braces(text); has {
		return unrendered(at)
	}
	if charAt(text, found.at) == '\t' {
		return invalid(found.at, "a tab is where YAML needs spaces", "Indent with spaces only.")
	}
	if at, has := found.quote(text); has {
		return invalid(at, "the quote that begins there is not closed at the end of its value",
			"Close it. Put a value that has quotes in it in quotes of the other kind.")
	}
	if at, has := found.indentation(text); has {
		return invalid(at, "the line is not indented as the others of its map or list",
			"Indent all keys of a map, and all items of a list, with the same number of spaces.")
	}
	what, at := "", found.cause(text)
	switch {
	case found.message == inList:
		what = "the [ of " + found.begin.String() + " is not closed, or a comma is missing"
	case found.message == inMap:
		what = "the { of " + found.begin.String() + " is not closed, or a comma is missing"
	case found.message == otherYAML:
		return invalid(at, "it asks for another version of YAML than 1.1, which is read", "Remove the line.")
	case charAt(text, at) == mark:
		return invalid(at, "a byte order mark is in the middle of the text", "Remove it.")
	}
	return invalid(at, what, correct)
}

// invalid returns the error of a string that is not valid YAML at a place. what is the reason; "" if that is not known.
func invalid(at place, what, next string) *Error {
	problem := "the text is not valid YAML"
	if at != (place{}) {
		problem = at.String() + " is not valid YAML"
	}
	if what != "" {
		problem += ": " + what
	}
	return &Error{Problem: problem, Suggestion: next}
}

// unrendered returns the error of the braces of a template.
func unrendered(at place) *Error {
	return invalid(at, "these braces are of a template that was not rendered",
		"Render it first, with templatefile(...) or the data source helm_template for example, or put the value "+
			"in quotes.")
}

// openBraces matches a line up to the braces of a template, without quotes or a comment before them.
var openBraces = regexp.MustCompile(`^[^"'#]*?\{[{%]`)

// braces returns the place of the braces of a template at a mistake, or before it on its line.
func (m mistake) braces(text string) (place, bool) {
	for _, near := range []place{m.at, m.begin} {
		start, at := lineStart(text, near)
		if found := openBraces.FindStringIndex(text[start:min(at+2, len(text))]); near.line > 0 && found != nil {
			return placeAt(text, start+found[1]-2), true
		}
	}
	return place{}, false
}

// quote returns the place of the quote that is not closed, or only by the next quote, on a later line.
func (m mistake) quote(text string) (place, bool) {
	if char := charAt(text, m.begin); strings.HasPrefix(m.message, endsInQuotes) && (char == '"' || char == '\'') {
		return m.begin, true
	}
	_, at := lineStart(text, m.at)
	read := strings.TrimRight(text[:at], " ")
	if m.message != noKey || !strings.HasSuffix(read, `"`) && !strings.HasSuffix(read, "'") {
		return place{}, false
	}
	last := lastScalar(read)
	return last, last.line > 0 && last.line < m.at.line
}

// field matches what begins with a key or with an item of a list.
var field = regexp.MustCompile(`^(?:-|["']?[\w./-]+["']?:)(?:\s|$)`)

// indentation returns the place of the first key or item that is indented too far or too little.
func (m mistake) indentation(text string) (place, bool) {
	start, at := lineStart(text, m.at)
	before := strings.TrimLeft(text[start:at], " ")
	switch m.message {
	case noKey:
		return m.at, before == "" && field.MatchString(text[at:]) && m.at.column != m.begin.column
	case noItem:
		return m.at, before == "" && field.MatchString(text[at:])
	case secondRoot:
		root := rootOf(text[:start])
		return m.at, before == "" && field.MatchString(text[at:]) && root != nil && root.Column > m.at.column
	case colonHere:
		// The value of the line before goes on in this line.
		last := lastScalar(text[:start])
		isKey := !strings.ContainsAny(strings.TrimPrefix(before, "- "), " \t")
		return placeAt(text, at-len(before)), isKey && last.line > 0 && !isFirst(text, last)
	}
	return place{}, false
}

// cause returns the place of a mistake, which the library may have noticed later.
func (m mistake) cause(text string) place {
	start, at := lineStart(text, m.at)
	switch {
	case m.message == noColon, charAt(text, m.begin) == '%':
		return m.begin
	case m.message == colonHere:
		// A line without a colon is a string, which goes on in the next line.
		if last := lastScalar(text[:start]); last.line > 0 && isFirst(text, last) {
			return last
		}
	case m.at.line > 0 && strings.TrimSpace(text[at:]) == "":
		return placeAt(text, len(strings.TrimRight(text, " \t\r\n")))
	}
	return m.at
}

// isFirst reports whether the line of a place has nothing before it but blanks and dashes.
func isFirst(text string, at place) bool {
	start, end := lineStart(text, at)
	return strings.Trim(text[start:end], " -") == ""
}

// lastScalar returns the place of the scalar at the end of a string; the zero place if the string is not valid.
func lastScalar(text string) place {
	node := rootOf(text)
	for node != nil && len(node.Content) > 0 {
		node = node.Content[len(node.Content)-1]
	}
	if node == nil || node.Kind != yamlv3.ScalarNode {
		return place{}
	}
	return placeOf(node)
}

// rootOf returns the root of the last document of a string; nil if the string is not valid.
func rootOf(text string) *yamlv3.Node {
	decoder := yamlv3.NewDecoder(strings.NewReader(text))
	var root *yamlv3.Node
	for {
		var document yamlv3.Node
		err := decoder.Decode(&document)
		switch {
		case errors.Is(err, io.EOF):
			return root
		case err != nil || len(document.Content) == 0:
			return nil
		}
		root = document.Content[0]
	}
}

func lineStart(text string, at place) (start, index int) {
	for range at.line - 1 {
		_, rest, _ := strings.Cut(text[start:], "\n")
		start = len(text) - len(rest)
	}
	index = start
	for range at.column - 1 {
		_, size := utf8.DecodeRuneInString(text[index:])
		index += size
	}
	return start, index
}

func placeAt(text string, index int) place {
	read := text[:index]
	start := strings.LastIndex(read, "\n") + 1
	return place{strings.Count(read, "\n") + 1, utf8.RuneCountInString(read[start:]) + 1}
}

// charAt returns the character at a place; another one without a place or at the end of the string.
func charAt(text string, at place) rune {
	if at.line == 0 {
		return utf8.RuneError
	}
	_, index := lineStart(text, at)
	char, _ := utf8.DecodeRuneInString(text[index:])
	return char
}

// decodeError returns the error of a string with a valid syntax whose values cannot be decoded. root is its document.
func decodeError(text string, root *yamlv3.Node) *Error {
	if node := undecodable(root); node != nil {
		return invalid(placeOf(node), "", correct)
	}
	return syntaxError(text)
}

// undecodable returns the first scalar, alias or merge of a node that cannot be decoded; nil without one.
func undecodable(node *yamlv3.Node) *yamlv3.Node {
	var merge *yamlv3.Node
	for _, child := range node.Content {
		if found := undecodable(child); found != nil {
			return found
		}
		if child.ShortTag() == "!!merge" {
			merge = child
		}
	}
	var decoded any
	switch {
	case merge != nil && node.Decode(&decoded) != nil:
		return merge
	case len(node.Content) == 0 && node.Decode(&decoded) != nil:
		return node
	}
	return nil
}
