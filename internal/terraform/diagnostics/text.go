package diagnostics

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Most is the number of fields that a paragraph lists if it asks for no decision.
const Most = 10

// Paragraphs joins the strings that are not empty as paragraphs.
func Paragraphs(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), "\n\n")
}

// Lines returns a list of fields or objects, each on a line of its own. It only counts those after the first ten.
func Lines(fields []string) string { return FirstLines(fields, Most) }

// AllLines returns a list with all of its items.
func AllLines(items []string) string { return FirstLines(items, len(items)) }

// FirstLines returns a list of which it only counts the items after the first most.
func FirstLines(items []string, most int) string {
	var text strings.Builder
	for i, field := range items {
		if i == most {
			fmt.Fprintf(&text, "\n  and %d more", len(items)-most)
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

// Scrub returns diags without secret values of 8 bytes and more, and as they may be printed.
func Scrub(diags diag.Diagnostics, secrets ...rendering.Secrets) diag.Diagnostics {
	var clean diag.Diagnostics
	for _, d := range diags {
		summary, detail := d.Summary(), d.Detail()
		for _, s := range secrets {
			summary, detail = s.ScrubLong(summary), s.ScrubLong(detail)
		}
		clean.Append(like(d, manifest.Printable(summary), manifest.Printable(detail)))
	}
	return clean
}

// like returns a diagnostic with the severity and the attribute path of d.
func like(d diag.Diagnostic, summary, detail string) diag.Diagnostic {
	if summary == d.Summary() && detail == d.Detail() {
		return d
	}
	rewritten := Of(d.Severity(), summary, detail)
	if placed, is := d.(diag.DiagnosticWithPath); is {
		return diag.WithPath(placed.Path(), rewritten)
	}
	return rewritten
}
