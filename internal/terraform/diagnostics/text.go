package diagnostics

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// Most is the number of fields that a paragraph lists if it asks for no decision.
const Most = 10

// Paragraphs joins the strings that are not empty as paragraphs.
func Paragraphs(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), "\n\n")
}

// Lines returns a list of fields or objects, each on a line of its own. It only counts those after the first ten.
func Lines(fields []string) string {
	var text strings.Builder
	for i, field := range fields {
		if i == Most {
			fmt.Fprintf(&text, "\n  and %d more", len(fields)-Most)
			break
		}
		text.WriteString("\n  " + field)
	}
	return text.String()
}

// Of returns a warning or an error.
func Of(severity diag.Severity, summary, detail string) diag.Diagnostic {
	if severity == diag.SeverityWarning {
		return diag.NewWarningDiagnostic(summary, detail)
	}
	return diag.NewErrorDiagnostic(summary, detail)
}

// HCLString returns a string quoted as in HCL.
func HCLString(text string) string {
	escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "${", "$${", "%{", "%%{").Replace(text)
	return `"` + escaped + `"`
}

// QuoteAll returns quoted strings, with "and" between them.
func QuoteAll(texts []string) string { return strings.Join(HCLStrings(texts), " and ") }

// QuoteList returns the content of an HCL list, without its brackets.
func QuoteList(texts []string) string { return strings.Join(HCLStrings(texts), ", ") }

// HCLStrings returns strings quoted as in HCL.
func HCLStrings(texts []string) []string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = HCLString(text)
	}
	return quoted
}

// Alternatives returns "a", "a or b", "a, b or c".
func Alternatives(texts []string) string {
	last := len(texts) - 1
	if last == 0 {
		return texts[0]
	}
	return strings.Join(texts[:last], ", ") + " or " + texts[last]
}

// Entries returns a number of entries in words: "1 entry", "2 entries".
func Entries(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}

// Given returns text if attribute is not "", and "" otherwise.
func Given(attribute, text string) string {
	if attribute == "" {
		return ""
	}
	return text
}
