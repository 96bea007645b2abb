package paths

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// everything is the pattern that covers all fields of an object.
const everything = "*"

// isBare reports whether a field name can be written without quotes. Names with dots and slashes can, except for a dot
// at the end: Parse takes it as part of the name only at the end of the string.
func isBare(name string) bool {
	return isWord(name) ||
		name != "" && !strings.HasSuffix(name, ".") && isPrintable(name) && !strings.ContainsAny(name, `[]"`)
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

// isPrintable reports whether a page or a terminal shows a string as it is: without control characters, broken UTF-8,
// or space at the ends.
func isPrintable(name string) bool {
	for i, r := range name {
		if r == utf8.RuneError && !strings.HasPrefix(name[i:], string(utf8.RuneError)) || !strconv.IsPrint(r) {
			return false
		}
	}
	return strings.TrimSpace(name) == name
}
