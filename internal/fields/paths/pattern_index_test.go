package paths

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A pattern among many matches what it matches alone.
func TestManyPatternsMatchAsEachAlone(t *testing.T) {
	t.Parallel()
	texts := []string{
		`l[name=item-1].a`, `l[name=1].a`, `l[*].b`, `l[1].c`, `l[name="item-2",port=80].a`, `l[{"name":"item-2"}].d`, `l[="item-1"]`,
		`m.x.y`, `m["x.y"]`, `m["x"]`, `m[".x"]`, `m["x.y"].z`, "m.x", "l", "m",
	}
	for i := range indexFrom {
		texts = append(texts, fmt.Sprintf(`l[name="item-%d"].a`, i), fmt.Sprintf(`m.k%d.v`, i), fmt.Sprintf(`m["k%d.v"]`, i))
	}
	all := mustParse(t, texts...)
	for name, patterns := range map[string]Patterns{"as written": all, "cautious": all.Cautious()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			matchAsAlone(t, patterns)
		})
	}
}

func matchAsAlone(t *testing.T, patterns Patterns) {
	t.Helper()
	items := []Item{
		{Index: 1, Value: keys{"name": "item-1", "a": 1}},
		{Index: 2, Value: keys{"name": "item-2", "port": int64(80)}, Keys: keys{"name": "item-2", "port": int64(80)}},
		{Index: 3, Value: keys{"name": int64(1)}},
		{Index: -1, Keys: keys{"name": "item-3"}},
		{Index: 4, Value: "item-1"},
		{Index: 5, Value: keys{"name": nil}},
	}
	below := func(start Cursor) []Cursor {
		var all []Cursor
		for _, item := range items {
			for _, field := range []string{"a", "b", "c", "d"} {
				all = append(all, start.Field("l").Item(item).Field(field))
			}
		}
		for i := range 3 {
			item := Key(keys{"name": fmt.Sprintf("item-%d", i)})
			all = append(all, start.Field("l").ElementAt(item, i).Field("a"), start.Field("l").Element(item).Field("d"))
		}
		for _, name := range []string{"x", "x.y", ".x", "k1", "k1.v", "k1.v.w", "", "k"} {
			all = append(all, start.Field("m").Field(name), start.Field("m").Field(name).Field("y"), start.Field("m").Field(name).Field("v"))
		}
		return all
	}
	together := below(patterns.Start())
	want := make([][]int, len(together))
	for i := range patterns {
		for n, alone := range below(patterns[i : i+1].Start()) {
			if alone.Matched() {
				want[n] = append(want[n], i)
			}
		}
	}
	for n, cursor := range together {
		if diff := cmp.Diff(want[n], cursor.MatchedBy()); diff != "" {
			t.Errorf("step %d (-each alone +together):\n%s", n, diff)
		}
	}
}
