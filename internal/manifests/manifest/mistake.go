package manifest

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	yamlv3 "go.yaml.in/yaml/v3"
	yamlv4 "go.yaml.in/yaml/v4"
)

// mistake is what makes a string invalid YAML. It quotes nothing: any word of a broken string may be a secret.
type mistake struct {
	// at is where the mistake is, begin where the construct around it begins. Either may be unknown.
	at, begin place
	// message is what the YAML library says. It may quote the string.
	message string
}

// place is a line and a column of a string, both counted from 1. A column of 0 is unknown, and so is a line of 0.
type place struct{ line, column int }

func (p place) String() string {
	switch {
	case p.line == 0:
		return ""
	case p.column == 0:
		return fmt.Sprintf("line %d", p.line)
	default:
		return fmt.Sprintf("line %d, column %d", p.line, p.column)
	}
}

// syntaxError returns the error of a string that is not valid YAML. err is what a YAML library said of it. Its words
// are not used, because they may quote the string.
func syntaxError(text string, err error) *Error { return mistakeIn(text, err).fault(text) }

// fault returns the error about a mistake of a string.
func (m mistake) fault(text string) *Error {
	kind := kindOf(m.message, charAt(text, m.at))
	if kind.atBegin && m.begin.line > 0 {
		m.at = m.begin
	}
	problem := "the text is not valid YAML"
	if m.at.line > 0 {
		problem += ": " + m.at.String()
	}
	if kind.what != "" {
		problem += ": " + kind.what
	}
	if kind.within != "" && m.begin.line > 0 {
		problem += fmt.Sprintf(" in the %s that begins at %s", kind.within, m.begin)
	}
	next := kind.next
	if next != noTabs {
		next = strings.TrimSuffix(cmp.Or(next, "Correct the text."), ".") +
			"; yamlencode({...}) always writes valid YAML."
	}
	return &Error{Problem: problem, Suggestion: next}
}

// lineOf matches the line that a YAML library puts before its message. It is anchored, because the message may quote a
// string with such words.
var lineOf = regexp.MustCompile(`^(?:yaml: )?(?:unmarshal errors:\n +)?line (\d+): `)

// mistakeIn returns the mistake of a string. yaml/v3, which reads manifests, has no columns, and gives the line of the
// construct around a mistake, or the line before it. So the string is read once more.
func mistakeIn(text string, err error) mistake {
	if found, has := located(text); has {
		return found.refined(text)
	}
	found := mistake{message: strings.TrimPrefix(err.Error(), "yaml: ")}
	if line := lineOf.FindStringSubmatch(err.Error()); line != nil {
		found.at.line, _ = strconv.Atoi(line[1])
		found.message = err.Error()[len(line[0]):]
	}
	return found
}

// located returns the mistake that yaml/v4 finds in a string, if any.
func located(text string) (mistake, bool) {
	decoder := yamlv4.NewDecoder(strings.NewReader(text))
	for {
		var node yamlv4.Node
		err := decoder.Decode(&node)
		if err == nil {
			continue
		}
		var fault *yamlv4.LoadError
		if errors.Is(err, io.EOF) || !errors.As(err, &fault) {
			return mistake{}, false
		}
		return mistake{
			at:      place{fault.Mark.Line, fault.Mark.Column},
			begin:   place{fault.ContextMark.Line, fault.ContextMark.Column},
			message: fault.Message,
		}, true
	}
}

// refined returns a mistake with the place that is its cause, where the library noticed it later.
func (m mistake) refined(text string) mistake {
	read := before(text, m.at)
	isAtEnd := strings.TrimSpace(text[len(read):]) == ""
	switch {
	case m.at.line == 0:
		m.at = firstUnreadable(text)
	case m.message == expectedKey:
		// A quote that is not closed lasts until the next quote, which may be on a later line.
		last := lastScalar(read)
		if last.is(inQuotes) && last.at.line < m.at.line && endsInQuote(read) {
			return mistake{at: last.at, message: quoteEndsLater}
		}
	case m.message == noColonHere:
		// A line without a colon is a string, which goes on in the next line.
		line := read[strings.LastIndex(read, "\n")+1:]
		lines := read[:len(read)-len(line)]
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if last := lastScalar(lines); last.is(0) && last.at.line > 0 && last.at.column == indent+1 {
			return mistake{at: last.at, message: noColon}
		}
	case strings.HasPrefix(m.message, noContent) && isAtEnd:
		// The string ends in a list or map that is not closed. Two values without a comma make the library report
		// which.
		if open, has := located(text + "\n\"\" \"\"\n"); has && strings.HasPrefix(open.message, noComma) {
			return mistake{at: open.begin, message: notClosed}
		}
	case strings.HasPrefix(m.message, noComma) && (isAtEnd || m.begin.line < m.at.line && charAt(text, m.at) == ':'):
		return mistake{at: m.begin, message: notClosed}
	}
	return m
}

// before returns the part of a string before a place.
func before(text string, at place) string {
	rest := text
	for range at.line - 1 {
		_, after, found := strings.Cut(rest, "\n")
		if !found {
			return text
		}
		rest = after
	}
	for range at.column - 1 {
		_, size := utf8.DecodeRuneInString(rest)
		rest = rest[size:]
	}
	return text[:len(text)-len(rest)]
}

const inQuotes = yamlv4.DoubleQuotedStyle | yamlv4.SingleQuotedStyle

// scalarAt is a scalar of a string.
type scalarAt struct {
	at    place
	style yamlv4.Style
}

// is reports whether the scalar has one of the styles; a style of 0 is that of a scalar without quotes.
func (s scalarAt) is(styles yamlv4.Style) bool {
	return s.style&styles != 0 || s.style == 0 && styles == 0
}

// lastScalar returns the scalar at the end of a string; the zero scalarAt if the string is not valid.
func lastScalar(text string) scalarAt {
	var document yamlv4.Node
	if yamlv4.Unmarshal([]byte(text), &document) != nil {
		return scalarAt{}
	}
	node := &document
	for len(node.Content) > 0 {
		node = node.Content[len(node.Content)-1]
	}
	if node.Kind != yamlv4.ScalarNode {
		return scalarAt{}
	}
	return scalarAt{place{node.Line, node.Column}, node.Style}
}

func endsInQuote(text string) bool {
	text = strings.TrimRight(text, " ")
	return strings.HasSuffix(text, `"`) || strings.HasSuffix(text, "'")
}

// firstUnreadable returns the place of the first character that YAML does not allow in any string.
func firstUnreadable(text string) place {
	at := place{1, 1}
	for i, char := range text {
		_, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case char == utf8.RuneError && size == 1, char < ' ' && !strings.ContainsRune("\t\n\r", char),
			char >= 0x7f && char < 0xa0 && char != 0x85, char == 0xfffe, char == 0xffff, char == '\ufeff' && i > 0:
			return at
		case char == '\n':
			at = place{at.line + 1, 1}
		default:
			at.column++
		}
	}
	return place{}
}

// charAt returns the character at a place; 0 behind the end of the string.
func charAt(text string, at place) rune {
	char, _ := utf8.DecodeRuneInString(strings.TrimPrefix(text, before(text, at)))
	return char
}

func placeOf(node *yamlv3.Node) place { return place{node.Line, node.Column} }

// decodeError returns the error of a string with a valid syntax whose values cannot be decoded. root is its document.
func decodeError(text string, root *yamlv3.Node, err error) *Error {
	found := mistakeIn(text, err)
	if found.at.column > 0 {
		return found.fault(text)
	}
	node := find(root, nil, func(node *yamlv3.Node, around []*yamlv3.Node) bool {
		switch {
		case strings.HasPrefix(found.message, "map merge requires"):
			return isWrongMerge(node, around)
		case strings.HasPrefix(found.message, "anchor '"):
			return node.Kind == yamlv3.AliasNode && slices.Contains(around, node.Alias)
		case strings.HasPrefix(found.message, "cannot decode"), strings.HasPrefix(found.message, "!!binary"):
			var decoded any
			return node.Kind == yamlv3.ScalarNode && node.Style&yamlv3.TaggedStyle != 0 && node.Decode(&decoded) != nil
		}
		return false
	})
	if node == nil {
		return found.fault(text)
	}
	found.at = placeOf(node)
	return found.fault(text)
}

// isWrongMerge reports whether a node is the value of a key << and neither a map nor a list of maps.
func isWrongMerge(node *yamlv3.Node, around []*yamlv3.Node) bool {
	if len(around) == 0 || around[len(around)-1].Kind != yamlv3.MappingNode || isKey(node, around) {
		return false
	}
	fields := around[len(around)-1].Content
	if fields[slices.Index(fields, node)-1].ShortTag() != "!!merge" {
		return false
	}
	if node.Kind == yamlv3.SequenceNode {
		return slices.ContainsFunc(node.Content, isNoMap)
	}
	return isNoMap(node)
}

// isKey reports whether a node is a key of the map around it.
func isKey(node *yamlv3.Node, around []*yamlv3.Node) bool {
	if len(around) == 0 || around[len(around)-1].Kind != yamlv3.MappingNode {
		return false
	}
	return slices.Index(around[len(around)-1].Content, node)%2 == 0
}

// isNoMap reports whether a node is neither a map nor an alias of one.
func isNoMap(node *yamlv3.Node) bool {
	if node.Kind == yamlv3.AliasNode {
		node = node.Alias
	}
	return node.Kind != yamlv3.MappingNode
}

// nodeTest reports whether a node is the one that is looked for. around are the nodes above it, outer ones first.
type nodeTest func(node *yamlv3.Node, around []*yamlv3.Node) bool

// find returns the first node for which is returns true; nil without one.
func find(node *yamlv3.Node, around []*yamlv3.Node, is nodeTest) *yamlv3.Node {
	if is(node, around) {
		return node
	}
	// The limit on the capacity makes append copy: the callers of siblings share the slice.
	around = append(around[:len(around):len(around)], node)
	for _, child := range node.Content {
		if found := find(child, around, is); found != nil {
			return found
		}
	}
	return nil
}
