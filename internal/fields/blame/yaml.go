package blame

import "slices"

// line is a line of YAML.
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
	begin := line{text: key + ":", owners: n.owners, atomic: n.whole}
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
	first.atomic = first.atomic || n.whole && !n.isInline()
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
