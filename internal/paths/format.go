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

// format writes the elements in exact in the form that means one element only; nil is none.
func format(p Path, exact []bool) string {
	var text strings.Builder
	for i, pe := range p {
		explicit := exact != nil && exact[i]
		switch {
		case pe.FieldName == nil:
			writeSelector(&text, pe, explicit)
		case explicit || !isBare(*pe.FieldName) || i == 0 && strings.HasPrefix(*pe.FieldName, "."):
			text.WriteString("[" + strconv.Quote(*pe.FieldName) + "]")
		default:
			if i > 0 {
				text.WriteByte('.')
			}
			text.WriteString(*pe.FieldName)
		}
	}
	return text.String()
}

func writeSelector(text *strings.Builder, pe PathElement, exact bool) {
	text.WriteByte('[')
	switch v, isValue := ElementValue(pe); {
	case pe.Index != nil:
		text.WriteString(strconv.Itoa(*pe.Index))
	case exact || isValue && !isScalar(v) || pe.Key != nil && !hasBareKeys(pe):
		if isValue {
			text.WriteString("==")
		}
		id, _ := serialize(pe)
		text.WriteString(id[min(len("k:"), len(id)):])
	case isValue:
		text.WriteString("=" + scalarText(v))
	default:
		separator := ""
		eachKey(pe, func(name string, v any) {
			text.WriteString(separator + name + "=" + scalarText(v))
			separator = ","
		})
	}
	text.WriteByte(']')
}

// isBare says whether a field name can be written without quotes. Dots and slashes can, except for
// a dot at the end, which Parse takes as the end of a name only at the end of the text.
func isBare(name string) bool {
	return name != "" && !strings.HasSuffix(name, ".") && isPrintable(name) && !strings.ContainsAny(name, `[]"`)
}

// hasBareKeys says whether each key of an item can be written as name=value.
func hasBareKeys(pe PathElement) bool {
	bare := len(*pe.Key) > 0
	previous := ""
	eachKey(pe, func(name string, v any) {
		bare = bare && isBareKey(name) && isScalar(v) && name != previous
		previous = name
	})
	return bare
}

func isBareKey(name string) bool {
	return name != "" && isPrintable(name) && !strings.ContainsAny(name, `[]",={}`) &&
		strings.Trim(name[:1], "*-+0123456789") != ""
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
