package paths

import "strings"

// Formatter prints the paths of one object. No two of them print as the same string. It is not safe for concurrent use.
type Formatter struct {
	marks map[string]mark // by ID of a path; empty for all but unusual objects

	// last is the path written before, text is its string, and starts holds the offset in text at which each of its
	// elements begins: fields come in order, and share most of their path with the previous one.
	last   Path
	text   []byte
	starts []int
	// kept holds the latest strings, one after the other.
	kept strings.Builder
}

// mark selects the elements of a path, and of the paths below, that are written in their exact form: those from
// position from to the last one.
type mark struct{ from int }

// NewFormatter returns a Formatter for the paths in the given sets and all their ancestors. It takes time proportional
// to the number of elements. Nil sets are empty.
func NewFormatter(sets ...*Set) *Formatter {
	if !mayShareText(sets) {
		return &Formatter{last: make(Path, 0, 16), text: make([]byte, 0, 128), starts: make([]int, 0, 16)}
	}
	return &Formatter{marks: ambiguityMarks(sets)}
}

// Format returns a path as the package's Format does. In addition, it quotes names from the first element in which they
// differ, if paths of the sets, or their ancestors, would otherwise print as the same string. A list item is written as
// JSON if its string would also match another item.
func (f *Formatter) Format(p Path) string {
	if len(f.marks) == 0 {
		return f.formatNext(p)
	}
	exact := make([]bool, len(p))
	var id []byte
	for i, pe := range p {
		id = appendID(id, pe)
		m, ok := f.marks[string(id)]
		for j := m.from; ok && j <= i; j++ {
			exact[j] = true
		}
	}
	return format(p, exact)
}

// formatNext returns the string of a path without exact elements. It reuses the prefix that p shares with the previous
// path.
func (f *Formatter) formatNext(p Path) string {
	shared := 0
	// This compares pointers: the paths of one walk share their elements. An equal element of another walk is formatted
	// again.
	for shared < min(len(p), len(f.last)) && p[shared] == f.last[shared] {
		shared++
	}
	if shared < len(f.last) {
		f.text = f.text[:f.starts[shared]]
	}
	f.last, f.starts = append(f.last[:shared], p[shared:]...), f.starts[:shared]
	for _, pe := range p[shared:] {
		f.starts = append(f.starts, len(f.text))
		f.text = appendElement(f.text, pe, false)
	}
	return f.keep(f.text)
}

// keep returns text as a string, in memory that many strings share.
func (f *Formatter) keep(text []byte) string {
	if f.kept.Cap()-f.kept.Len() < len(text) {
		size := min(max(512, 2*f.kept.Cap()), 8192)
		f.kept = strings.Builder{}
		f.kept.Grow(max(size, len(text)))
	}
	start := f.kept.Len()
	f.kept.Write(text)
	return f.kept.String()[start:]
}
