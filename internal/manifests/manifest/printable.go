package manifest

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// Printable returns a string from outside the provider in a form that is safe to print in a terminal, a report or the
// log of a CI job. It escapes characters that control a terminal or change the direction of writing, and breaks
// commands to a CI system, which stand at the beginning of a line, or after ##.
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

// Strings that GitHub Actions and Azure Pipelines execute as commands.
var (
	inLines  = regexp.MustCompile(`(?m)^(\s*)(::)`)
	commands = regexp.MustCompile(`##((?:vso)?\[)`)
)

// controls reports whether a character controls a terminal, or changes the direction of writing after it.
func controls(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }
