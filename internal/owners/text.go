package owners

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

var headings = map[Problem]string{
	Unserved: "Claims in versions that the server does not serve: it refuses applies of a custom resource as long as " +
		"they are there.",
	Added: "Fields that people have added by commands to objects that tools apply. They stay, unless a tool is told " +
		"to remove them.",
	Alternating: "Fields that an update has written since an apply, next to fields of that apply. If the manifest of " +
		"that apply contains them, each overwrites the other again and again.",
	Shared: "Fields that several managers have written with the same value: the next one that changes it is in " +
		"conflict with the others.",
	BeforeFirstApply: "Claims of clients that wrote before the first server-side apply. No client gives them up: " +
		"fields that leave a manifest stay on the object.",
	Idle: "Managers that have not written to any of these objects for a long time. If one is gone, its claims " +
		"stay.",
	Unmanaged: "Objects of which no manager owns anything.",
	AtomicLists: "Lists of custom resources that have no list type. They are atomic: two managers cannot own items " +
		"of one list.",
}

// shownFields and shownObjects limit how many fields a line, and how many objects a group, lists.
const (
	shownFields  = 3
	shownObjects = 3
)

// Text writes an overview for people. In contrast to the JSON, it names only a few objects of each group of findings,
// and one command.
func (o Overview) Text(w io.Writer, table func(io.Writer, [][]string) error) error {
	rows := [][]string{{"MANAGER", "OPERATION", "KIND", "OBJECTS", "FIELDS", "LAST WRITE", "WHO IT IS"}}
	for _, m := range o.Managers {
		written := "-"
		if m.LastWrite != nil {
			written = m.LastWrite.Format(time.RFC3339)
		}
		name := m.Name
		if m.Subresource != "" {
			name += " (" + m.Subresource + ")"
		}
		rows = append(rows, []string{
			name, m.Operation, m.Resource, fmt.Sprint(m.Objects), fmt.Sprint(m.Fields), written, m.About,
		})
	}
	if err := table(w, rows); err != nil {
		return err
	}
	var out strings.Builder
	for _, group := range o.Groups() {
		fmt.Fprintf(&out, "\n%s (%d)\n", group.Heading, group.N)
		for _, alike := range group.Alike {
			writeAlike(&out, alike)
		}
	}
	if len(o.NotSeen) > 0 {
		out.WriteString("\nNot seen:\n")
		for _, kind := range o.NotSeen {
			fmt.Fprintf(&out, "  %s: %s\n", kind.Resource, kind.Reason)
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// Group are the findings of one problem.
type Group struct {
	// Heading describes the problem, and N is the number of findings.
	Heading string
	N       int
	// Alike are the findings: those of the same kind and managers together. One command shows how all of them end that
	// have the same Named.
	Alike [][]Finding
}

// Groups returns the findings as people read them, the most urgent problem first.
func (o Overview) Groups() []Group {
	var groups []Group
	same := func(a, b Finding) bool { return a.Resource == b.Resource && slices.Equal(a.Managers, b.Managers) }
	for i, finding := range o.Findings {
		if i == 0 || finding.Problem != o.Findings[i-1].Problem {
			groups = append(groups, Group{Heading: headings[finding.Problem]})
		}
		group := &groups[len(groups)-1]
		if group.N == 0 || !same(finding, o.Findings[i-1]) {
			group.Alike = append(group.Alike, nil)
		}
		group.N++
		last := len(group.Alike) - 1
		group.Alike[last] = append(group.Alike[last], finding)
	}
	return groups
}

func writeAlike(out *strings.Builder, findings []Finding) {
	shown := findings[:min(len(findings), shownObjects)]
	first := 0 // It is the first finding of those that end alike.
	for i, finding := range shown {
		out.WriteString("  " + finding.line() + "\n")
		isLast := i+1 == len(shown)
		if isLast && finding.Named == nil || !isLast && slices.Equal(finding.Named, shown[i+1].Named) {
			continue
		}
		shown[first].writeMend(out)
		first = i + 1
	}
	if n := len(findings); n > shownObjects {
		fmt.Fprintf(out, "  and %d more of %s\n", n-shownObjects, findings[0].Resource)
	}
	if first < len(shown) {
		shown[first].writeMend(out)
	}
}

func (f Finding) writeMend(out *strings.Builder) {
	for line := range strings.Lines(f.Mend) {
		out.WriteString("    " + strings.TrimSuffix(line, "\n") + "\n")
	}
}

// Target names the object of a finding.
func (f Finding) Target() string {
	name := manifest.PrintableName(f.Name)
	if f.Namespace != "" {
		name = f.Namespace + "/" + name
	}
	return f.Resource + " " + name
}

func (f Finding) line() string {
	text := f.Target()
	if len(f.Managers) > 0 {
		text += ", " + strings.Join(f.Managers, " and ")
	}
	if f.Since != nil {
		text += " (" + f.Since.Format(time.RFC3339) + ")"
	}
	if len(f.Fields) == 0 {
		return text
	}
	text += ": " + strings.Join(f.Fields[:min(len(f.Fields), shownFields)], ", ")
	if more := len(f.Fields) - shownFields; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
