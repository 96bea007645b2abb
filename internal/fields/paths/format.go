package paths

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Format returns a path as the API server prints it, without the leading dot. A field name is quoted, and a list item
// written as JSON, only if Parse could not read the bare string. Two paths may have the same string; [Formatter] tells
// them apart.
func Format(p Path) string { return format(p, nil) }

// Join returns the string of a field in the map at a path, for messages about fields that are in no field set. Names
// with dots are quoted.
func Join(path, name string) string {
	switch {
	case strings.ContainsAny(name, `.[]"`):
		return path + "[" + strconv.Quote(name) + "]"
	case path == "":
		return name
	default:
		return path + "." + name
	}
}

// format writes each element that exact marks in the form that matches only that element; nil marks no element.
func format(p Path, exact []bool) string {
	text := make([]byte, 0, 128) // Room for most paths, on the stack.
	for i, pe := range p {
		text = appendElement(text, pe, exact != nil && exact[i])
	}
	return string(text)
}

func appendElement(text []byte, pe PathElement, exact bool) []byte {
	switch first := len(text) == 0; {
	case pe.FieldName == nil:
		return appendSelector(text, pe, exact)
	case exact || !isBare(*pe.FieldName) || first && strings.HasPrefix(*pe.FieldName, "."):
		return append(appendQuoted(append(text, '['), *pe.FieldName), ']')
	case first:
		return append(text, *pe.FieldName...)
	default:
		return append(append(text, '.'), *pe.FieldName...)
	}
}

func appendSelector(text []byte, pe PathElement, exact bool) []byte {
	if pe.Index != nil {
		return append(strconv.AppendInt(append(text, '['), int64(*pe.Index), 10), ']')
	}
	if !exact {
		if written, ok := appendBare(text, pe); ok {
			return written
		}
	}
	text = append(text, '[')
	if pe.Value != nil {
		text = append(text, "=="...)
	}
	id, _ := serialize(pe)
	text = append(text, escaped(id[min(len("k:"), len(id)):])...)
	return append(text, ']')
}

// appendBare appends a list item as name=value, and returns false if it cannot be written in that form.
func appendBare(text []byte, pe PathElement) ([]byte, bool) {
	if v, isValue := ElementValue(pe); isValue {
		return append(appendScalar(append(text, "[="...), v), ']'), isScalar(v)
	}
	if pe.Key == nil || len(*pe.Key) == 0 {
		return text, false
	}
	separator, previous := byte('['), ""
	for _, field := range *pe.Key {
		v := plain(field.Value.Unstructured())
		if !isBareKey(field.Name) || !isScalar(v) || field.Name == previous {
			return text, false
		}
		text = append(append(append(text, separator), field.Name...), '=')
		text = appendScalar(text, v)
		separator, previous = ',', field.Name
	}
	return append(text, ']'), true
}

// Formatter prints the paths of one object. No two of them print as the same string. It is not safe for concurrent use.
type Formatter struct {
	marks map[string]mark // by ID of a path; empty for all but unusual objects

	// last is the previous path, text its string, and starts holds the offset in text at which each of its elements
	// begins: fields come in order, and share most of their path with the previous one.
	last   Path
	text   []byte
	starts []int
	// kept holds the latest strings, one after the other.
	kept strings.Builder
}

// mark selects the elements of a path, and of the paths below, that are written in their exact form: those from
// position from to the last one.
type mark struct{ from int }

// NewFormatter returns a Formatter for the paths in the given sets and all their ancestors. It takes time proportional
// to the number of elements. Nil sets are empty.
func NewFormatter(sets ...*Set) *Formatter {
	if !mayShareText(sets) {
		return &Formatter{last: make(Path, 0, 16), text: make([]byte, 0, 128), starts: make([]int, 0, 16)}
	}
	return &Formatter{marks: ambiguityMarks(sets)}
}

// Format returns a path as the package's Format does. In addition, it quotes names from the first element in which they
// differ, if paths of the sets, or their ancestors, would otherwise print as the same string. A list item is written as
// JSON if its string would also match another item.
func (f *Formatter) Format(p Path) string {
	if len(f.marks) == 0 {
		return f.formatNext(p)
	}
	exact := make([]bool, len(p))
	var id []byte
	for i, pe := range p {
		id = appendID(id, pe)
		m, ok := f.marks[string(id)]
		for j := m.from; ok && j <= i; j++ {
			exact[j] = true
		}
	}
	return format(p, exact)
}

// formatNext returns the string of a path without exact elements. It reuses the prefix that p shares with the previous
// path.
func (f *Formatter) formatNext(p Path) string {
	shared := 0
	// This compares pointers: the paths of one walk share their elements. An equal element of another walk is formatted
	// again.
	for shared < min(len(p), len(f.last)) && p[shared] == f.last[shared] {
		shared++
	}
	if shared < len(f.last) {
		f.text = f.text[:f.starts[shared]]
	}
	f.last, f.starts = append(f.last[:shared], p[shared:]...), f.starts[:shared]
	for _, pe := range p[shared:] {
		f.starts = append(f.starts, len(f.text))
		f.text = appendElement(f.text, pe, false)
	}
	return f.keep(f.text)
}

// keep returns a string with the bytes of text, in memory that many strings share.
func (f *Formatter) keep(text []byte) string {
	if f.kept.Cap()-f.kept.Len() < len(text) {
		size := min(max(512, 2*f.kept.Cap()), 8192)
		f.kept = strings.Builder{}
		f.kept.Grow(max(size, len(text)))
	}
	start := f.kept.Len()
	f.kept.Write(text)
	return f.kept.String()[start:]
}

// everything is the pattern that covers all fields of an object.
const everything = "*"

// isBare reports whether a field name can be written without quotes. Names with dots and slashes can, except for a dot
// at the end: Parse takes it as part of the name only at the end of the string. A word that begins with * would look
// like the wildcard of another language.
func isBare(name string) bool {
	return isWord(name) ||
		name != "" && !strings.HasSuffix(name, ".") && isPrintable(name) && !strings.ContainsAny(name, `[]"`) &&
			!strings.Contains("."+name, ".*")
}

// isWord recognizes most bare names quickly.
func isWord(name string) bool {
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '/':
		default:
			return false
		}
	}
	return name != ""
}

func isBareKey(name string) bool {
	return name != "" && !strings.ContainsRune("*-+0123456789", rune(name[0])) &&
		(isWord(name) || isPrintable(name) && !strings.ContainsAny(name, `[]",={}`))
}

// isPrintable reports whether a page or a terminal shows a string as it is, and Terraform keeps it: without control
// characters, broken UTF-8, space at the ends, or characters that Unicode composes.
func isPrintable(name string) bool {
	for i, r := range name {
		if r == utf8.RuneError && !strings.HasPrefix(name[i:], string(utf8.RuneError)) || !strconv.IsPrint(r) {
			return false
		}
	}
	return strings.TrimSpace(name) == name && norm.NFC.IsNormalString(name)
}

// escaped returns JSON with escapes for what Terraform would compose.
func escaped(text string) string {
	if norm.NFC.IsNormalString(text) {
		return text
	}
	var ascii strings.Builder
	for _, r := range text {
		if r < utf8.RuneSelf {
			ascii.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&ascii, `\u%04x`, unit)
		}
	}
	return ascii.String()
}

// appendQuoted appends a string in quotes, with escapes for what Terraform would compose: it normalizes every string.
func appendQuoted(text []byte, s string) []byte {
	if norm.NFC.IsNormalString(s) {
		return strconv.AppendQuote(text, s)
	}
	return strconv.AppendQuoteToASCII(text, s)
}
