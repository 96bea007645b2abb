package manifest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
)

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
