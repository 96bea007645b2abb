package blame

import (
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

var howToRead = []string{
	"A comment names the owners of its line. If it says atomic, they own all lines below it too.",
	"Any other line without a comment has no owner.",
}

// header returns the comments above an object: its managers, the fields that have no line because they have no value,
// and how to read the lines that follow.
func header(object map[string]any, report Report, path paths.Patterns, labels map[ownership.Manager]string) string {
	title := "Who owns " + nameOf(object)
	for _, pattern := range path {
		title = "Who owns " + pattern.String() + " of " + nameOf(object)
	}
	parts := [][]string{{printable(title)}}
	if len(report.Managers) == 0 {
		parts[0] = append(parts[0], "Nobody owns any of it.")
	} else {
		parts = append(parts, managerTable(report.Managers, labels), howToRead)
	}
	if len(report.Stale) > 0 {
		parts = append(parts, staleTable(report.Stale, labels))
	}
	var out strings.Builder
	for i, part := range parts {
		if i > 0 {
			out.WriteString("#\n")
		}
		for _, text := range part {
			out.WriteString("# " + text + "\n")
		}
	}
	return out.String()
}

func managerTable(managers []Manager, labels map[ownership.Manager]string) []string {
	rows := [][]string{{"manager", "operation", "version", "fields", "last write"}}
	for _, manager := range managers {
		written := "-"
		if !manager.Time.IsZero() {
			written = manager.Time.UTC().Format(time.RFC3339)
		}
		rows = append(rows, []string{
			labels[manager.Manager], printable(string(manager.Operation)), printable(manager.APIVersion),
			fmt.Sprintf("%6d", manager.Fields), written,
		})
	}
	return table(rows)
}

func staleTable(fields []Field, labels map[ownership.Manager]string) []string {
	var rows [][]string
	for _, field := range fields {
		owners := make([]string, len(field.Owners))
		for i, owner := range field.Owners {
			owners[i] = labels[owner.Manager]
		}
		rows = append(rows, []string{printable(field.Path), strings.Join(owners, ", ")})
	}
	return append([]string{"Owned, but without a value:"}, table(rows)...)
}

// table returns rows of cells as lines, indented, with each column as wide as its widest cell.
func table(rows [][]string) []string {
	widths := map[int]int{}
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], width(cell))
		}
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		line := ""
		for j, cell := range row {
			line += strings.Repeat(" ", gap) + cell + strings.Repeat(" ", widths[j]-width(cell))
		}
		lines[i] = strings.TrimRight(line, " ")
	}
	return lines
}

// nameOf returns an object as diagnostics name it.
func nameOf(object map[string]any) string {
	return manifest.IdentityOf(&unstructured.Unstructured{Object: object}).String()
}
