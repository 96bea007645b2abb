package paths

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Format returns the text of a path as the API server prints it, without the leading dot. A field
// name is quoted, and a list item written as JSON, only where Parse could not read the bare text.
// Two paths may share a text; Formatter tells them apart.
func Format(p Path) string { return format(p, nil) }

// format writes the elements in exact in the form that means only one element; nil means no element.
func format(p Path, exact []bool) string {
	text := make([]byte, 0, 128) // Room for most paths, on the stack.
	for i, pe := range p {
		text = appendElement(text, pe, exact != nil && exact[i])
	}
	return string(text)
}

// appendElement writes the next element of a path.
func appendElement(text []byte, pe PathElement, exact bool) []byte {
	switch first := len(text) == 0; {
	case pe.FieldName == nil:
		return appendSelector(text, pe, exact)
	case exact || !isBare(*pe.FieldName) || first && (strings.HasPrefix(*pe.FieldName, ".") || *pe.FieldName == everything):
		return append(strconv.AppendQuote(append(text, '['), *pe.FieldName), ']')
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
	text = append(text, id[min(len("k:"), len(id)):]...)
	return append(text, ']')
}

// appendBare writes a list item as name=value, false where it cannot be written so.
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

// isBare reports whether a field name can be written without quotes. Dots and slashes can, except for
// a dot at the end, which Parse takes as the end of a name only at the end of the text.
func isBare(name string) bool {
	return isWord(name) ||
		name != "" && !strings.HasSuffix(name, ".") && isPrintable(name) && !strings.ContainsAny(name, `[]"`)
}

// isWord knows at a glance most of the names that are bare.
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

// isPrintable excludes texts that get lost on a page or in a terminal: control characters, broken
// UTF-8, space at the ends.
func isPrintable(name string) bool {
	for i, r := range name {
		if r == utf8.RuneError && !strings.HasPrefix(name[i:], string(utf8.RuneError)) || !strconv.IsPrint(r) {
			return false
		}
	}
	return strings.TrimSpace(name) == name
}
