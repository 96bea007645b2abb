package paths

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func mustParse(t testing.TB, texts ...string) Patterns {
	t.Helper()
	patterns, err := ParseAll(texts)
	if err != nil {
		t.Fatal(err)
	}
	return patterns
}

func TestCursorItem(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		selector string
		item     Item
		want     bool
	}{
		"keys of the server":                     {"[p=80]", Item{Keys: keys{"p": 80, "q": "TCP"}}, true},
		"keys of the server win over the value":  {"[p=80]", Item{Keys: keys{"p": 81}, Value: keys{"p": 80}}, false},
		"a key that the server does not have":    {"[p=80,x=1]", Item{Keys: keys{"p": 80}}, false},
		"fields of the value":                    {"[name=app]", Item{Value: keys{"name": "app", "image": "i"}}, true},
		"a field that differs":                   {"[name=app]", Item{Value: keys{"name": "web"}}, false},
		"a key that the server may default":      {"[p=80,q=TCP]", Item{Value: keys{"p": int64(80)}}, true},
		"all keys are left out":                  {"[q=TCP]", Item{Value: keys{"p": 80}}, false},
		"a default beside a key that differs":    {"[p=80,q=TCP]", Item{Value: keys{"p": 81}}, false},
		"a field that is not in the selector":    {"[p=80,q=TCP]", Item{Value: keys{"p": 80, "q": "UDP"}}, false},
		"a scalar has no keys":                   {"[p=80]", Item{Value: "p"}, false},
		"an unknown item":                        {"[p=80]", Item{}, false},
		"a member":                               {`[="x"]`, Item{Value: "x"}, true},
		"a whole number that is a float":         {"[=1]", Item{Value: 1.0}, true},
		"a member that is unknown":               {"[=null]", Item{}, false},
		"a position":                             {"[1]", Item{Index: 1, Value: "x"}, true},
		"a position that is unknown":             {"[0]", Item{Index: -1, Value: "x"}, false},
		"any":                                    {"[*]", Item{Index: -1}, true},
		"a quoted name is no item":               {`["x"]`, Item{Value: "x"}, false},
		"exactly the keys of the server":         {`[{"p":80}]`, Item{Keys: keys{"p": int64(80)}}, true},
		"more keys on the server":                {`[{"p":80}]`, Item{Keys: keys{"p": 80, "q": 1}}, false},
		"exact keys and the fields of a value":   {`[{"p":80}]`, Item{Value: keys{"p": 80, "x": 1}}, true},
		"exact keys that differ":                 {`[{"p":80,"q":1}]`, Item{Value: keys{"p": 80, "q": 2}}, false},
		"exactly a member":                       {"[==80]", Item{Value: 80}, true},
		"exactly a member of another type":       {"[==80]", Item{Value: "80"}, false},
		"exactly an atomic map":                  {`[=={"a":[1]}]`, Item{Value: keys{"a": []any{int64(1)}}}, true},
		"exact member of an item that has keys":  {`[=={"a":1}]`, Item{Keys: keys{"a": 1}}, false},
		"exactly no keys is no item of a server": {"[{}]", Item{Value: keys{"a": 1}}, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := mustParse(t, "l"+tt.selector).Start().Field("l").Item(tt.item).Matched()
			if got != tt.want {
				t.Errorf("%s matches %+v: %t", tt.selector, tt.item, got)
			}
		})
	}
}

func TestCursorSaysWhichPatternsMatch(t *testing.T) {
	t.Parallel()
	patterns := mustParse(t, "spec.a.b", "spec", "spec.a", "status", "spec.a.b.c")
	steps := []struct {
		field string
		want  []int
		alive bool
	}{
		{"spec", []int{1}, true},
		{"a", []int{1, 2}, true},
		{"b", []int{0, 1, 2}, true},
		{"x", []int{0, 1, 2}, true},
		{"c", []int{0, 1, 2}, true},
	}
	cursor := patterns.Start()
	if cursor.Matched() || !cursor.Alive() {
		t.Error("at the root nothing has matched, and all may")
	}
	for _, step := range steps {
		cursor = cursor.Field(step.field)
		if diff := cmp.Diff(step.want, cursor.MatchedBy()); diff != "" {
			t.Errorf("at %s (-want +got):\n%s", step.field, diff)
		}
		if cursor.Alive() != step.alive {
			t.Errorf("at %s alive: %t", step.field, cursor.Alive())
		}
	}
	if patterns.Start().Field("metadata").Alive() {
		t.Error("no pattern begins with metadata")
	}
	if (Cursor{}).Alive() || (Cursor{}).Field("a").Matched() || Patterns(nil).Start().Alive() {
		t.Error("a cursor without patterns matches nothing")
	}
}

func TestCursorsThatPartDoNotShareMemory(t *testing.T) {
	t.Parallel()
	parent := mustParse(t, "a", "a", "a", "a.b", "a.c", "a.d.e", "a.d.f").Start().Field("a")
	b, c := parent.Field("b"), parent.Field("c")
	d := parent.Field("d")
	e, f := d.Field("e"), d.Field("f")
	got := [][]int{parent.MatchedBy(), b.MatchedBy(), c.MatchedBy(), e.MatchedBy(), f.MatchedBy()}
	if diff := cmp.Diff([][]int{{0, 1, 2}, {0, 1, 2, 3}, {0, 1, 2, 4}, {0, 1, 2, 5}, {0, 1, 2, 6}}, got); diff != "" {
		t.Errorf("matches (-want +got):\n%s", diff)
	}
}

func TestCursorElementAtKnowsThePosition(t *testing.T) {
	t.Parallel()
	start := mustParse(t, "l[1].x").Start().Field("l")
	item := Key(keys{"name": "app"})
	if !start.ElementAt(item, 1).Field("x").Matched() || start.ElementAt(item, 0).Alive() || start.Element(item).Alive() {
		t.Error("a position matches where it is known, and only there")
	}
	if !start.ElementAt(Index(1), -1).Alive() {
		t.Error("an Index element keeps its own position")
	}
}

func TestRenamed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"from": true, ".from.a": true, `["from"].a`: true, `from["a"]`: true, "to.a": true, "[*].a": true,
		"from.b": false, "fromage.a": false, "other.from": false,
	} {
		patterns := mustParse(t, text)
		renamed := patterns.Renamed("from", "to")
		if got := renamed.Match(Path{Field("to"), Field("a")}); got != want {
			t.Errorf("%s matches to.a: %t", text, got)
		}
		if renamed[0].String() != text {
			t.Errorf("%s is now %s", text, renamed[0])
		}
		if text != "[*].a" && text != "to.a" && patterns.Match(Path{Field("to"), Field("a")}) {
			t.Errorf("%s was changed itself", text)
		}
	}
	if (Patterns{{}}).Renamed("", "to").Match(Path{Field("to")}) {
		t.Error("what matches nothing matches something")
	}
}
