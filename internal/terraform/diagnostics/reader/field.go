package reader

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
)

// Field is one line of a list of fields, with the lines below it.
type Field struct {
	Effect changes.Effect
	Path   string
	// Was is the value before the apply; for a shared field the value that it has. HasWas is false if the line has
	// none.
	Was, Becomes       string
	HasWas, HasBecomes bool
	// Fate is the part of the line between its values and its owners, as it is written.
	Fate   string
	Owners []Owner
	// Nobody is true if the line states that no other manager owns the field.
	Nobody bool
	// Below are the lines below: notes, and the parts in which long values differ, with their indentation.
	Below []string
	// separator is between the path and the rest; "" without a rest.
	separator string
}

// Owner is a manager that owns a field.
type Owner struct {
	Name        string `json:"name"`
	Subresource string `json:"subresource,omitempty"`
	// Using is the API version of an update; "" for an apply.
	Using string `json:"using,omitempty"`
	// About describes a well-known manager, and contains the time of its last write.
	About string `json:"about,omitempty"`
}

const (
	ownedBy = "owned by "
	nobody  = "nobody else"
)

var more = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^  and (\d+) more$`) })

// fieldsOf reads the lines of a list, and the number of fields that the list only counts.
func fieldsOf(body string, effect changes.Effect) (fields []Field, counted int) {
	for _, line := range strings.Split(body, "\n") {
		if n := len(fields); strings.HasPrefix(line, "    ") && n > 0 {
			fields[n-1].Below = append(fields[n-1].Below, line)
			continue
		}
		if found := more().FindStringSubmatch(line); found != nil {
			counted, _ = strconv.Atoi(found[1])
			continue
		}
		fields = append(fields, fieldOf(strings.TrimPrefix(line, "  "), effect))
	}
	return fields, counted
}

func fieldOf(line string, effect changes.Effect) Field {
	path, rest := cutPath(line)
	f := Field{Effect: effect, Path: path}
	if rest == "" {
		return f
	}
	f.separator, rest = rest[:2], rest[2:]
	if at := ownersAt(rest); at >= 0 {
		f.Owners, f.Nobody = ownersOf(rest[at+len(ownedBy):])
		rest = strings.TrimSuffix(rest[:at], ", ")
	}
	if quoted, err := strconv.QuotedPrefix(rest); err == nil {
		f.Was, f.HasWas, rest = unquote(quoted), true, rest[len(quoted):]
		if after, is := strings.CutPrefix(rest, " -> "); is {
			if quoted, err = strconv.QuotedPrefix(after); err == nil {
				f.Becomes, f.HasBecomes, rest = unquote(quoted), true, after[len(quoted):]
			}
		}
	}
	f.Fate = rest
	// One heading may be about fields that are taken and fields that are removed.
	if strings.HasPrefix(f.Fate, ", removed") {
		f.Effect = changes.Remove
	}
	return f
}

func unquote(quoted string) string {
	text, _ := strconv.Unquote(quoted)
	return text
}

// cutPath returns the path at the start of a line, and the rest with its separator. Keys in a path are quoted.
func cutPath(line string) (path, rest string) {
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '"':
			if quoted, err := strconv.QuotedPrefix(line[i:]); err == nil {
				i += len(quoted) - 1
			}
		case strings.HasPrefix(line[i:], ": ") || strings.HasPrefix(line[i:], ", "+ownedBy):
			return line[:i], line[i:]
		}
	}
	return line, ""
}

// ownersAt returns where the owners begin in a line, outside of quoted values; -1 without any.
func ownersAt(text string) int {
	for i := 0; i < len(text); i++ {
		if text[i] == '"' {
			if quoted, err := strconv.QuotedPrefix(text[i:]); err == nil {
				i += len(quoted) - 1
				continue
			}
		}
		if strings.HasPrefix(text[i:], ownedBy) {
			return i
		}
	}
	return -1
}

var ownerPattern = sync.OnceValue(func() *regexp.Regexp {
	const quoted = `"(?:[^"\\]|\\.)*"`
	return regexp.MustCompile(`^(` + quoted + `)(?: with subresource (` + quoted + `))?(?: using ([^ ]+))?`)
})

func ownersOf(text string) (owners []Owner, none bool) {
	if text == nobody {
		return nil, true
	}
	for _, part := range splitOwners(text) {
		found := ownerPattern().FindStringSubmatch(part)
		if found == nil {
			return append(owners, Owner{About: part}), false
		}
		owner := Owner{Name: unquote(found[1]), Subresource: unquote(found[2]), Using: found[3]}
		about := strings.TrimPrefix(part[len(found[0]):], " (")
		owner.About = strings.TrimSuffix(about, ")")
		owners = append(owners, owner)
	}
	return owners, false
}

// splitOwners cuts a list of owners: each begins with a quoted name.
func splitOwners(text string) []string {
	parts := strings.Split(text, ` and "`)
	for i := 1; i < len(parts); i++ {
		parts[i] = `"` + parts[i]
	}
	return parts
}

func (o Owner) String() string {
	if o.Name == "" {
		return o.About
	}
	text := strconv.Quote(o.Name)
	if o.Subresource != "" {
		text += " with subresource " + strconv.Quote(o.Subresource)
	}
	if o.Using != "" {
		text += " using " + o.Using
	}
	if o.About != "" {
		text += " (" + o.About + ")"
	}
	return text
}

func (f Field) String() string {
	text := "  " + f.Path + f.separator
	if f.HasWas {
		text += strconv.Quote(f.Was)
	}
	if f.HasBecomes {
		text += " -> " + strconv.Quote(f.Becomes)
	}
	text += f.Fate
	if len(f.Owners) > 0 || f.Nobody {
		owners := make([]string, len(f.Owners))
		for i, owner := range f.Owners {
			owners[i] = owner.String()
		}
		if f.Nobody {
			owners = []string{nobody}
		}
		if f.HasWas || f.Fate != "" {
			text += ", "
		}
		text += ownedBy + strings.Join(owners, " and ")
	}
	for _, line := range f.Below {
		text += "\n" + line
	}
	return text
}
