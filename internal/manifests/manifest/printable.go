package manifest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
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

// leastLine is the length in bytes from which on a line of a secret value counts by itself.
const leastLine = 16

// QuotedForms returns the forms in which messages and copies quote a secret value: plain, in base64, escaped once and
// twice as in JSON, escaped as in Go, in YAML and by jsonschema, and its longer lines.
func QuotedForms(text string) []string {
	trimmed := strings.TrimSpace(text)
	once := escaped(trimmed, false)
	inGo := strconv.Quote(trimmed)
	inGo = inGo[1 : len(inGo)-1]
	forms := []string{
		trimmed, once, escaped(once, false), escaped(trimmed, true), inGo,
		strings.NewReplacer(`\"`, `"`, `'`, `\'`).Replace(inGo), strings.ReplaceAll(trimmed, "'", "''"),
		strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(text)), "="),
		strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(trimmed)), "="),
	}
	if !strings.Contains(trimmed, "\n") {
		return forms
	}
	for line := range strings.Lines(trimmed) {
		if line = strings.TrimSpace(line); len(line) >= leastLine && !strings.HasPrefix(line, "-----") {
			forms = append(forms, line)
		}
	}
	return forms
}

// escaped returns a string as it is inside of a JSON string, which may escape what HTML has to.
func escaped(text string, inHTML bool) string {
	var quoted bytes.Buffer
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(inHTML)
	_ = encoder.Encode(text) // A string has no error.
	return strings.TrimSuffix(quoted.String()[1:], "\"\n")
}
