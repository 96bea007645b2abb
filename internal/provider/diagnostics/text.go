package diagnostics

import (
	"fmt"
	"slices"
	"strings"
)

// most is how many fields a paragraph lists if it asks for no decision.
const most = 10

// paragraphs joins those of texts that are not empty.
func paragraphs(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), "\n\n")
}

// lines returns a list of fields, each on a line of its own.
func lines(fields []string) string {
	var text strings.Builder
	for i, field := range fields {
		if i == most {
			fmt.Fprintf(&text, "\n  and %d more", len(fields)-most)
			break
		}
		text.WriteString("\n  " + field)
	}
	return text.String()
}

// hclString returns text as a quoted HCL string.
func hclString(text string) string {
	escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "${", "$${", "%{", "%%{").Replace(text)
	return `"` + escaped + `"`
}

func quoteAll(texts []string) string { return strings.Join(hclStrings(texts), " and ") }

// quoteList returns the text between the brackets of an HCL list.
func quoteList(texts []string) string { return strings.Join(hclStrings(texts), ", ") }

func hclStrings(texts []string) []string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = hclString(text)
	}
	return quoted
}

// alternatives writes "a", "a or b", "a, b or c".
func alternatives(texts []string) string {
	last := len(texts) - 1
	if last == 0 {
		return texts[0]
	}
	return strings.Join(texts[:last], ", ") + " or " + texts[last]
}
