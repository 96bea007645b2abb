package manifest

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// Printable returns text with what others say as a terminal, a report or the log of a CI job may print it: characters
// that control a terminal or turn the direction of the text are written as escapes, and nothing is a command to a CI
// system, which finds those at the beginning of a line, or after ##.
func Printable(text string) string {
	if strings.ContainsFunc(text, controls) {
		var printed strings.Builder
		for _, r := range strings.ReplaceAll(text, "\r\n", "\n") {
			switch {
			case r == '\n' || r == '\t' || !controls(r):
				printed.WriteRune(r)
			case r < 0x100:
				fmt.Fprintf(&printed, `\x%02x`, r)
			default:
				fmt.Fprintf(&printed, `\u%04x`, r)
			}
		}
		text = printed.String()
	}
	return commands.ReplaceAllString(inLines.ReplaceAllString(text, "$1| $2"), "## $1")
}

// PrintableName returns a name as Printable does, in one line.
func PrintableName(name string) string { return Printable(strings.ReplaceAll(name, "\n", `\n`)) }

// What GitHub Actions and Azure Pipelines take for commands.
var (
	inLines  = regexp.MustCompile(`(?m)^(\s*)(::)`)
	commands = regexp.MustCompile(`##((?:vso)?\[)`)
)

// controls reports whether a character controls a terminal, or turns the direction of the text after it.
func controls(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }
