package manifest

import (
	"fmt"
	"strings"
	"unicode"
)

// Printable returns what others say as a terminal, a report or the log of a CI job may print it: characters that control
// a terminal or turn the direction of the text are written as escapes, and each line after the first has a prefix, since
// some CI systems take a line that begins with certain characters for a command.
func Printable(text string) string {
	if !strings.ContainsFunc(text, controls) {
		return text
	}
	var printed strings.Builder
	for _, r := range strings.ReplaceAll(text, "\r\n", "\n") {
		switch {
		case r == '\n':
			printed.WriteString("\n  | ")
		case r == '\t' || !controls(r):
			printed.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&printed, `\x%02x`, r)
		default:
			fmt.Fprintf(&printed, `\u%04x`, r)
		}
	}
	return printed.String()
}

// PrintableName returns a name as Printable does, in one line.
func PrintableName(name string) string {
	return Printable(strings.ReplaceAll(name, "\n", `\n`))
}

// controls reports whether a character controls a terminal, or turns the direction of the text after it.
func controls(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }
