package blame

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
)

const (
	// pageWidth is the width that comments keep to if the YAML leaves them room.
	pageWidth = 100
	// leastColumn is the column up to which comments may start, however long they are.
	leastColumn = 50
	// gap is the number of blanks between the YAML and a comment.
	gap = 2
)

// annotate returns a tree as YAML with the owners of each line in a comment.
func annotate(tree *ownedNode, claims ownership.Claims, labels map[ownership.Manager]string) string {
	p := page{lines: tree.lines()}
	for _, claim := range claims {
		p.labels = append(p.labels, labels[claim.Manager])
	}
	return p.String()
}

// page is lines of YAML with the labels of the owners that they name.
type page struct {
	lines  []line
	labels []string
}

// String returns the page with its comments in one column, two blanks to the right of the longest line that leaves them
// room. If a line has too many owners, the rest of them go to a line of their own below it.
func (p page) String() string {
	column := p.column()
	var out strings.Builder
	for _, l := range p.lines {
		rows := p.rows(l, column)
		at := max(column, width(l.text)+gap)
		beside := len(rows) > 0 && (l.block || at == column || len(rows) == 1 && at+width(rows[0]) <= pageWidth)
		out.WriteString(l.text)
		if beside {
			out.WriteString(strings.Repeat(" ", at-width(l.text)) + rows[0])
			rows = rows[1:]
		}
		out.WriteByte('\n')
		for _, row := range rows {
			out.WriteString(strings.Repeat(" ", column) + row + "\n")
		}
	}
	return out.String()
}

// column returns the column in which the comments start.
func (p page) column() int {
	widest := 0
	for _, l := range p.lines {
		widest = max(widest, width(strings.Join(p.rows(l, 0), " ")))
	}
	limit := max(pageWidth-widest, leastColumn)
	column := 0
	for _, l := range p.lines {
		if at := width(l.text) + gap; len(l.owners) > 0 && at <= limit {
			column = max(column, at)
		}
	}
	return column
}

// rows returns the owners of a line as comments that start at a column, on as many lines as they need.
func (p page) rows(l line, column int) []string {
	if len(l.owners) == 0 {
		return nil
	}
	row := "# "
	if l.atomic {
		row = "# atomic: "
	}
	var rows []string
	for i, owner := range l.owners {
		label := p.labels[owner]
		if i < len(l.owners)-1 {
			label += ","
		}
		switch {
		case i == 0:
			row += label
		case !l.block && column+width(row)+1+width(label) > pageWidth:
			rows, row = append(rows, row), "# "+label
		default:
			row += " " + label
		}
	}
	return append(rows, row)
}

func width(text string) int { return utf8.RuneCountInString(text) }

// labelsOf returns a short and unique name for each manager: its name with its subresource, and with operation and API
// version if those tell it from another manager with the same name and subresource.
func labelsOf(claims ownership.Claims) map[ownership.Manager]string {
	labels := make(map[ownership.Manager]string, len(claims))
	for _, claim := range claims {
		manager := claim.Manager
		var details []string
		if manager.Subresource != "" {
			details = append(details, printable(manager.Subresource))
		}
		operations, versions := namesakes(manager, claims)
		if operations {
			details = append(details, printable(string(manager.Operation)))
		}
		if versions {
			details = append(details, printable(manager.APIVersion))
		}
		label := printable(manager.Name)
		if len(details) > 0 {
			label += " (" + strings.Join(details, ", ") + ")"
		}
		labels[manager] = label
	}
	return labels
}

// namesakes reports whether managers of the same name and subresource have other operations, and whether
// those of the same operation too have other API versions.
func namesakes(of ownership.Manager, claims ownership.Claims) (operations, versions bool) {
	for _, other := range claims {
		if other.Name != of.Name || other.Subresource != of.Subresource {
			continue
		}
		operations = operations || other.Operation != of.Operation
		versions = versions || other.Operation == of.Operation && other.APIVersion != of.APIVersion
	}
	return operations, versions
}

// printable returns a string for a comment: quoted if it is empty, begins or ends with blanks, or has characters that
// do not print.
func printable(text string) string {
	odd := func(r rune) bool { return r == utf8.RuneError || !strconv.IsPrint(r) }
	if text == "" || strings.TrimSpace(text) != text || strings.ContainsFunc(text, odd) {
		return strconv.Quote(text)
	}
	return text
}
