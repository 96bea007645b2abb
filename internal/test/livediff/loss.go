package livediff

import (
	"fmt"
	"slices"
	"strings"
)

// Loss is a live value that an apply changed or removed.
type Loss struct {
	Path Path
	Was  any
	// Gone is the number of elements at the end of Path that are gone. It is 0 if the field has another value now.
	Gone int
	// Owners held the field before.
	Owners []string
}

func (l Loss) String() string {
	owners := "nobody"
	if len(l.Owners) > 0 {
		owners = strings.Join(l.Owners, " and ")
	}
	what := "changed"
	if l.Gone > 0 {
		what = "gone"
	}
	return fmt.Sprintf("%s: %s of %s %s", l.Path, encode(l.Was), owners, what)
}

// volatile are the fields that the server itself writes, and status, which is not applied.
var volatile = []Path{
	{"f:apiVersion"},
	{"f:kind"},
	{"f:status"},
	{"f:metadata", "f:managedFields"},
	{"f:metadata", "f:resourceVersion"},
	{"f:metadata", "f:generation"},
	{"f:metadata", "f:annotations", "f:deprecated.daemonset.template.generation"},
	{"f:metadata", "f:uid"},
	{"f:metadata", "f:creationTimestamp"},
}

// Losses returns the values of before that after does not have, in order of their paths. A list is one value if no
// manager's claims identify its items. An empty map or list is not a value. Losses leaves out a changed field that
// afterwards has owners other than manager, because they wrote it. keys identify the entries of further lists: the
// names of their keys, by the string of the list's path with [*] for each item around it.
func Losses(before, after map[string]any, manager string, keys map[string][]string) ([]Loss, error) {
	claims, err := ReadClaims(before)
	if err != nil {
		return nil, err
	}
	later, err := ReadClaims(after)
	if err != nil {
		return nil, err
	}
	c := comparison{claims: claims, keys: keys}
	c.compare(nil, before, after, claims, later)
	return slices.DeleteFunc(c.losses, func(loss Loss) bool {
		owners := later.OwnersOf(loss.Path)
		return loss.Gone == 0 && len(owners) > 0 && !slices.Contains(owners, manager)
	}), nil
}

type comparison struct {
	claims *Claims
	keys   map[string][]string
	losses []Loss
}

// children returns the parts of a value, also those of a list whose entries have keys.
func (c *comparison) children(at Path, value any, known ...*Claims) map[string]any {
	if parts := children(value, known...); parts != nil {
		return parts
	}
	var text strings.Builder
	for _, element := range at {
		name, isField := strings.CutPrefix(element, "f:")
		switch {
		case !isField:
			text.WriteString("[*]")
		case text.Len() > 0:
			text.WriteString("." + name)
		default:
			text.WriteString(name)
		}
	}
	entries, isList := value.([]any)
	names, hasKeys := c.keys[text.String()]
	if !isList || !hasKeys {
		return nil
	}
	return entriesBy(names, entries)
}

func (c *comparison) compare(at Path, before, after any, held, later *Claims) {
	if isVolatile(at) {
		return
	}
	parts := c.children(at, before, held, later)
	if parts == nil {
		if before != nil && encode(before) != encode(after) && encode(before) != "[]" {
			c.lose(at, before, 0)
		}
		return
	}
	left := c.children(at, after, held, later)
	for _, element := range sortedNames(parts) {
		path := at.child(element)
		if still, has := left[element]; has {
			c.compare(path, parts[element], still, held.child(element), later.child(element))
			continue
		}
		c.gone(path, parts[element], 1, held.child(element), later.child(element))
	}
}

func isVolatile(at Path) bool {
	return slices.ContainsFunc(volatile, func(path Path) bool { return slices.Equal(path, at) })
}

// gone records every value of a map or item that is gone.
func (c *comparison) gone(at Path, value any, depth int, held, later *Claims) {
	if isVolatile(at) {
		return
	}
	parts := c.children(at, value, held, later)
	if parts == nil {
		if value != nil && encode(value) != "[]" {
			c.lose(at, value, depth)
		}
		return
	}
	for _, element := range sortedNames(parts) {
		c.gone(at.child(element), parts[element], depth+1, held.child(element), later.child(element))
	}
}

func (c *comparison) lose(at Path, value any, gone int) {
	c.losses = append(c.losses, Loss{Path: at, Was: value, Gone: gone, Owners: c.claims.OwnersOf(at)})
}
