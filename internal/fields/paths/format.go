package paths

import (
	"strconv"
	"strings"
)

// Format returns a path as the API server prints it, without the leading dot. A field name is quoted, and a list item
// written as JSON, only if Parse could not read the bare string. Two paths may have the same string; [Formatter] tells
// them apart.
func Format(p Path) string { return format(p, nil) }

// Join returns the string of a field in the map at a path, for messages about what no field set holds. Names with dots
// are quoted.
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

// appendElement appends the next element of a path.
func appendElement(text []byte, pe PathElement, exact bool) []byte {
	switch first := len(text) == 0; {
	case pe.FieldName == nil:
		return appendSelector(text, pe, exact)
	case exact || !isBare(*pe.FieldName) ||
		first && (strings.HasPrefix(*pe.FieldName, ".") || *pe.FieldName == everything):
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
