package paths

import (
	"fmt"
	"testing"
)

// largeSet has 5000 leaves, in the shape of a pod template; dotted adds a name that clashes.
func largeSet(dotted bool) *Set {
	set := NewSet()
	for i := range 500 {
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

func BenchmarkFormat(b *testing.B) {
	for name, set := range map[string]*Set{"plain": largeSet(false), "clash": largeSet(true)} {
		all := members(set)
		b.Run(name, func(b *testing.B) {
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

func BenchmarkMatch(b *testing.B) {
	set, patterns := largeSet(false), hundredPatterns(b)
	all := members(set)
	b.Run("each path", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, p := range all {
				patterns.Match(p)
			}
		}
	})
	b.Run("cursor", func(b *testing.B) {
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
