package obstacles

// alone is the position of the partner of an item that has none.
const alone = -1

// merging merges a list into another one in the order of server-side apply: items of the list are in its order, and
// those of base alone keep their place before the next item that both have.
type merging struct {
	base []any
	// inList and inBase contain the position of an item's partner in the other list, or alone.
	inList, inBase []int
}

func newMerging(base []any, length int) merging {
	m := merging{base: base, inList: make([]int, len(base)), inBase: make([]int, length)}
	for at := range m.inList {
		m.inList[at] = alone
	}
	for i := range m.inBase {
		m.inBase[i] = alone
	}
	return m
}

// pair notes that an item of base and an item of the list are one.
func (m merging) pair(at, i int) { m.inList[at], m.inBase[i] = i, at }

// merge returns the merged list. item returns an item of the list, merged with its partner in base.
func (m merging) merge(item func(at, i int) any) []any {
	var out []any
	at, i := 0, 0
	for at < len(m.base) || i < len(m.inBase) {
		switch {
		case at < len(m.base) && m.inList[at] == alone:
			out = append(out, m.base[at])
			at++
		case at < len(m.base) && m.inList[at] != m.nextShared(i):
			at++ // Its turn comes with the list, or was before.
		default:
			out = append(out, item(m.inBase[i], i))
			i++
		}
	}
	return out
}

// nextShared returns the position of the first item from i on that both lists have; alone without one.
func (m merging) nextShared(i int) int {
	for ; i < len(m.inBase); i++ {
		if m.inBase[i] != alone {
			return i
		}
	}
	return alone
}
