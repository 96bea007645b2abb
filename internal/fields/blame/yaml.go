package blame

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

type line struct {
	text string
	// owners are the positions of claims, ascending.
	owners []int
	// atomic is true if the owners hold everything that begins on this line.
	atomic bool
	// block is true if the content of a block scalar follows. No comment may stand between it and this line.
	block bool
}

// longestKey is the length up to which YAML takes a key without a question mark.
const longestKey = 1000

// lines returns the lines of a node, without its name.
func (n *ownedNode) lines() []line {
	if n.isInline() {
		return inline(n.value)
	}
	_, isMap := n.value.(map[string]any)
	var all []line
	for _, child := range n.children {
		if isMap {
			all = append(all, child.entry()...)
			continue
		}
		all = append(all, child.after("- ")...)
	}
	return all
}

// isInline reports whether the node is written on the line of its name: a scalar, an empty map or list.
func (n *ownedNode) isInline() bool { return len(n.children) == 0 }

// entry returns the lines of a field of a map. Lists are not indented, as kubectl prints them.
func (n *ownedNode) entry() []line {
	name := *n.path[len(n.path)-1].FieldName
	key := keyText(name)
	if len(key) > longestKey {
		return append([]line{{text: "? " + key}}, n.after(": ")...)
	}
	if n.isInline() {
		return n.after(key + ": ")
	}
	begin := line{text: key + ":", owners: n.owners, atomic: n.extent == whole}
	if _, isMap := n.value.(map[string]any); isMap {
		return append([]line{begin}, indented(n.lines())...)
	}
	return append([]line{begin}, n.lines()...)
}

// after returns the lines of a node with prefix before the first line, which has the node's owners and its own.
func (n *ownedNode) after(prefix string) []line {
	lines := n.lines()
	rest := lines[1:]
	if !n.isInline() {
		rest = indented(rest)
	}
	first := lines[0]
	first.text = prefix + first.text
	first.owners = union(n.owners, first.owners)
	first.atomic = first.atomic || n.extent == whole && !n.isInline()
	return append([]line{first}, rest...)
}

func indented(lines []line) []line {
	out := make([]line, len(lines))
	for i, l := range lines {
		if l.text != "" {
			l.text = "  " + l.text
		}
		out[i] = l
	}
	return out
}

// union joins two ascending lists of positions.
func union(a, b []int) []int {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// inline returns the lines of a value that is written on the line of its name: a scalar, an empty map or list. The
// content of a block scalar is indented from the name.
func inline(value any) []line {
	texts := strings.Split(encode(short(value)), "\n")
	lines := make([]line, len(texts))
	for i, text := range texts {
		lines[i].text = text
	}
	lines[0].block = len(lines) > 1
	return lines
}

// short returns a value, shortened as [rendering.Renderer] does if it is too long.
func short(value any) any {
	text, isText := value.(string)
	if !isText {
		return value
	}
	return rendering.Renderer{}.Text(nil, text)
}

// keyText returns the name of a field on one line.
func keyText(name string) string {
	if strings.Contains(name, "\n") {
		return encode(quoted(name))
	}
	return encode(name)
}

// encode returns a value as YAML, without the line break at its end.
func encode(value any) string {
	if text, isText := value.(string); isText && needsQuotes(text) {
		value = quoted(text)
	}
	var out strings.Builder
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	_ = encoder.Encode(value) // It fails only for values that JSON cannot represent. No object contains one.
	return strings.TrimSuffix(out.String(), "\n")
}

// needsQuotes reports whether the YAML library would write a string in a form that it does not read back: with a line
// that it takes to end at a character other than a line feed, or to be indented by a tab.
func needsQuotes(text string) bool {
	return strings.ContainsAny(text, "\u0085\u2028\u2029") || strings.HasPrefix(text, "\t")
}

func quoted(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle, Value: text}
}

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
