package livediff

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Shown holds what a plan showed of an object before the apply.
type Shown struct {
	// State is managed_state before the apply, Planned is managed_state in the plan. Unknown values are left out.
	State, Planned map[string]string
	// Warnings are the plan's warnings.
	Warnings []string
	// Applied are the apply's own warnings. They are about fields that other managers wrote after the plan.
	Applied []string
}

// Unshown returns the losses whose former value the plan did not show. It leaves out those that the plan cannot show:
//
//   - A value that no manager owns, and that is removed with the map or list item around it, is a default of the
//     server. The plan shows the removal of the map or item.
//   - A key of a removed list item is in the paths of all other values that are removed with it.
//   - A field that another manager wrote after the plan was made: the apply's warning names it.
func (s Shown) Unshown(before map[string]any, losses []Loss) []Loss {
	var unshown, shown []Loss
	for _, loss := range losses {
		if s.shows(before, loss) {
			shown = append(shown, loss)
		} else {
			unshown = append(unshown, loss)
		}
	}
	return slices.DeleteFunc(unshown, func(loss Loss) bool {
		return (len(loss.Owners) == 0 || loss.IsKey()) && loss.Gone > 1 && slices.ContainsFunc(shown, loss.goesWith)
	})
}

// IsKey reports whether the field is one of the keys of the list item around it.
func (l Loss) IsKey() bool {
	last := len(l.Path) - 1
	if last < 1 {
		return false
	}
	name, isField := strings.CutPrefix(l.Path[last], "f:")
	_, isKey := keysOf(l.Path[last-1])[name]
	return isField && isKey
}

// goesWith reports whether another value is removed with the same map or list item.
func (l Loss) goesWith(other Loss) bool {
	return other.Gone > 0 && other.Path.HasPrefix(l.Path[:len(l.Path)-l.Gone+1])
}

// shows reports whether the value of a field, or of a field above it, is in the plan.
func (s Shown) shows(before map[string]any, loss Loss) bool {
	for end := len(loss.Path); end > 0; end-- {
		value, has := Lookup(before, loss.Path[:end])
		if !has {
			continue
		}
		if slices.ContainsFunc(loss.Path[:end].Texts(), func(field string) bool {
			return s.has(field, value) || s.hasAround(field, before, loss.Path, end)
		}) {
			return true
		}
	}
	return false
}

// hasAround reports whether managed_state changes at a field above a path, and shows the value at the path in it. The
// first elements of the path lead to the field. Another resource of the same run may have changed the rest of it.
func (s Shown) hasAround(field string, before map[string]any, path Path, elements int) bool {
	text, was := s.State[field]
	if planned, still := s.Planned[field]; !was || still && planned == text {
		return false
	}
	var shown any
	if json.Unmarshal([]byte(text), &shown) != nil {
		return false
	}
	value, has := Lookup(before, path)
	part, isThere := Lookup(shown, path[elements:])
	return has && isThere && Text(part) == Text(value)
}

func (s Shown) has(field string, value any) bool {
	if text, was := s.State[field]; was && (SameText(text, value) || isDigest(text)) {
		if planned, still := s.Planned[field]; !still || planned != text {
			return true
		}
	}
	return slices.ContainsFunc(s.Warnings, func(warning string) bool { return tells(warning, field, value) }) ||
		slices.ContainsFunc(s.Applied, func(warning string) bool { return names(warning, field) })
}

// tells reports whether a line of a warning contains a field and its value. The value is not quoted if its type
// changes, and the lines of a long value that differ stand below.
func tells(text, field string, value any) bool {
	for line := range strings.Lines(text) {
		if !names(line, field) {
			continue
		}
		for _, shown := range []string{strconv.Quote(Text(value)), " " + Text(value) + " (a ", "(sensitive",
			" bytes, sha256:", "changes in part (see below)"} {
			if strings.Contains(line, shown) {
				return true
			}
		}
	}
	return false
}

// names reports whether a string contains a field as a whole word.
func names(text, field string) bool {
	for rest := text; ; {
		at := strings.Index(rest, field)
		if at < 0 {
			return false
		}
		end := at + len(field)
		opens := at == 0 || strings.ContainsRune(" \n(", rune(rest[at-1]))
		closes := end == len(rest) || strings.ContainsRune(" :,;.)\n", rune(rest[end]))
		if opens && closes {
			return true
		}
		rest = rest[end:]
	}
}

// isDigest reports whether a string is the digest of a value that is secret or long.
func isDigest(text string) bool {
	return strings.HasPrefix(text, "(sensitive") ||
		strings.HasPrefix(text, "(") && strings.Contains(text, " bytes, sha256:")
}
