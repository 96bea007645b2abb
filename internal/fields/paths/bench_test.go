package paths

import (
	"fmt"
	"testing"
)

// largeSet returns a set with that many leaves, in the shape of a pod template; dotted adds two paths that share a
// text.
func largeSet(leaves int, dotted bool) *Set {
	set := NewSet()
	for i := range leaves / 10 {
		item := Key(keys{"containerPort": i, "protocol": "TCP"})
		for j := range 10 {
			set.Insert(path("spec", "template", "spec", "ports", item, fmt.Sprintf("field%d", j)))
		}
	}
	if dotted {
		set.Insert(path("metadata", "annotations", "a.b"))
		set.Insert(path("metadata", "annotations", "a", "b"))
	}
	return set
}

func members(set *Set) []Path {
	var all []Path
	Walk(set, func(p Path, _ bool) { all = append(all, p) })
	return all
}

func hundredPatterns(b *testing.B) Patterns {
	texts := make([]string, 0, 100)
	for i := range 50 {
		texts = append(texts,
			fmt.Sprintf("metadata.annotations.example.com/key%d", i),
			fmt.Sprintf("spec.template.spec.ports[containerPort=%d].field%d", i, i%10))
	}
	return mustParse(b, texts...)
}

var sizes = []int{100, 500, 1000, 5000}

// BenchmarkFormat makes a formatter for all fields of an object, and formats each of them. Objects in which two fields
// would share a text are measured separately.
func BenchmarkFormat(b *testing.B) {
	for _, fields := range sizes {
		for name, set := range map[string]*Set{"plain": largeSet(fields, false), "clash": largeSet(fields, true)} {
			all := members(set)
			b.Run(fmt.Sprintf("%s/fields=%d", name, fields), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					f := NewFormatter(set)
					for _, p := range all {
						f.Format(p)
					}
				}
			})
		}
	}
}

func BenchmarkID(b *testing.B) {
	all := members(largeSet(5000, false))
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range all {
			ID(p)
		}
	}
}

func BenchmarkWalk(b *testing.B) {
	for _, fields := range sizes {
		set := largeSet(fields, false)
		b.Run(fmt.Sprintf("fields=%d", fields), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Walk(set, func(Path, bool) {})
			}
		})
	}
}

// BenchmarkMatch looks for a hundred patterns in all fields of an object.
func BenchmarkMatch(b *testing.B) {
	patterns := hundredPatterns(b)
	for _, fields := range sizes {
		set := largeSet(fields, false)
		all := members(set)
		b.Run(fmt.Sprintf("each path/fields=%d", fields), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, p := range all {
					patterns.Match(p)
				}
			}
		})
		b.Run(fmt.Sprintf("cursor/fields=%d", fields), func(b *testing.B) {
			b.ReportAllocs()
			var walk func(set *Set, c Cursor)
			walk = func(set *Set, c Cursor) {
				for _, pe := range Elements(set) {
					if next := c.Element(pe); next.Alive() {
						walk(Children(set, pe), next)
					}
				}
			}
			for b.Loop() {
				walk(set, patterns.Start())
			}
		})
	}
}
