package paths

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFormat(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		path Path
		want string
	}{
		"fields":                        {path("spec", "replicas"), "spec.replicas"},
		"an annotation":                 {path("metadata", "annotations", "a.io/b"), "metadata.annotations.a.io/b"},
		"a name with a leading dot":     {path("data", ".dockerconfigjson"), "data..dockerconfigjson"},
		"that name at the root":         {path(".a"), `[".a"]`},
		"a star at the root":            {path("*"), `["*"]`},
		"a star below":                  {path("a", "*"), `a["*"]`},
		"a star before a dot":           {path("a", "*.example.com"), `a["*.example.com"]`},
		"a star after a dot":            {path("a", "b.*"), `a["b.*"]`},
		"a star in a word":              {path("a", "b*.c"), "a.b*.c"},
		"an empty name":                 {path("a", "", "b"), `a[""].b`},
		"a name with a bracket":         {path("a", "a[b"), `a["a[b"]`},
		"a name with a quote":           {path("a", `a"b`), `a["a\"b"]`},
		"a name with a dot at the end":  {path("a", "b.", 0), `a["b."][0]`},
		"a name with a line break":      {path("a", "b\nc"), `a["b\nc"]`},
		"a name with space at the ends": {path("a", " b"), `a[" b"]`},
		"a name with space within":      {path("a", "b c"), "a.b c"},
		"a name beyond ASCII":           {path("a", "größe"), "a.größe"},
		"a name that is not composed":   {path("a", "e\u0301"), `a["e\u0301"]`},
		"an item": {
			path("ports", Key(keys{"protocol": "TCP", "containerPort": 80}), "name"),
			`ports[containerPort=80,protocol="TCP"].name`,
		},
		"a large number has no exponent":  {path("l", Key(keys{"p": 12345678.0})), "l[p=12345678]"},
		"other scalars":                   {path("l", Key(keys{"a": nil, "b": true, "c": 1.5})), "l[a=null,b=true,c=1.5]"},
		"a set member":                    {path("l", Value("red")), `l[="red"]`},
		"a member that is not composed":   {path("l", Value("e\u0301")), `l[="e\u0301"]`},
		"a key that is not composed":      {path("l", Key(keys{"name": "e\u0301"})), `l[name="e\u0301"]`},
		"a key name that is not composed": {path("l", Key(keys{"e\u0301": "x"})), `l[{"e\u0301":"x"}]`},
		"an item that is not composed":    {path("l", Value(keys{"b": "e\u0301\U0001F600"})), `l[=={"b":"e\u0301\ud83d\ude00"}]`},
		"a position":                      {path("l", 0, "a"), "l[0].a"},
		"a root list":                     {path(0), "[0]"},
		"an item without keys":            {path("l", Key(nil)), "l[{}]"},
		"a key that bare text can not be": {path("l", Key(keys{"a=b": 1})), `l[{"a=b":1}]`},
		"an atomic member":                {path("l", Value(keys{"b": 1, "a": []any{"x"}})), `l[=={"a":["x"],"b":1}]`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, Format(tt.path)); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			assertSolelyMatched(t, tt.want, tt.path, nil)
		})
	}
}

func TestFormatterTellsPathsApart(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		paths []Path
		want  []string
	}{
		"no clash, no quotes": {
			[]Path{path("data", "a.b"), path("data", "a", "c")},
			[]string{"data.a.b", "data.a.c"},
		},
		"a dotted key beside a nested one": {
			[]Path{path("data", "a.b"), path("data", "a", "b"), path("data", "c.d")},
			[]string{`data["a.b"]`, `data["a"]["b"]`, "data.c.d"},
		},
		"the ancestor of one beside the other": {
			[]Path{path("data", "a.b", "x"), path("data", "a", "b")},
			[]string{`data["a.b"].x`, `data["a"]["b"]`},
		},
		"three ways to read a text": {
			[]Path{path("a.b.c"), path("a", "b.c"), path("a.b", "c"), path("a", "d")},
			[]string{`["a.b.c"]`, `["a"]["b.c"]`, `["a.b"]["c"]`, "a.d"},
		},
		"paths that part twice": {
			[]Path{path("a.b", "c.d"), path("a", "b", "c.d"), path("a.b", "c", "d")},
			[]string{`["a.b"]["c.d"]`, `["a"]["b"]["c.d"]`, `["a.b"]["c"]["d"]`},
		},
		"a leading dot beside an empty name": {
			[]Path{path("data", ".x"), path("data", "", "x")},
			[]string{`data[".x"]`, `data[""]["x"]`},
		},
		"clashes below an item stay below it": {
			[]Path{path("l", Key(keys{"n": "x"}), "a.b"), path("l", Key(keys{"n": "x"}), "a", "b"), path("l", Key(keys{"n": "y"}), "a.b")},
			[]string{`l[n="x"]["a.b"]`, `l[n="x"]["a"]["b"]`, `l[n="y"].a.b`},
		},
		"a number beside the same text": {
			[]Path{path("l", Value(80)), path("l", Value("80")), path("l", Value(81)), path("k", Key(keys{"p": 80})), path("k", Key(keys{"p": "80"}))},
			[]string{"l[==80]", `l[="80"]`, "l[=81]", `k[{"p":80}]`, `k[p="80"]`},
		},
		"an item with fewer keys beside one with more": {
			[]Path{path("l", Key(keys{"p": 80})), path("l", Key(keys{"p": 80, "q": "T"})), path("l", Key(keys{"p": 81}))},
			[]string{`l[{"p":80}]`, `l[p=80,q="T"]`, "l[p=81]"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := NewFormatter(nil, NewSet(tt.paths[0]), NewSet(tt.paths[1:]...))
			var got []string
			for _, p := range tt.paths {
				got = append(got, f.Format(p))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("texts (-want +got):\n%s", diff)
			}
			assertRoundTrip(t, NewSet(tt.paths...))
		})
	}
}

// A text depends neither on the path written before nor on the memory that texts share.
func TestFormatterInAnyOrder(t *testing.T) {
	t.Parallel()
	item := path("spec", "containers", Key(keys{"name": "app"}))
	all := []Path{item, Below(item, Field("image")), Below(Below(item, Field("env")), Key(keys{"name": "A"})), path(".dot"), path("spec", "x y"), {}}
	for i := range 400 {
		all = append(all, Below(item, Field(fmt.Sprintf("field-%03d", i))))
	}
	f, got := NewFormatter(NewSet(all[:5]...)), map[string]Path{}
	random := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		p := all[random.IntN(len(all))]
		got[f.Format(p)] = p
	}
	for text, p := range got {
		if want := Format(p); text != want {
			t.Errorf("the text is %s, and it has to be %s", text, want)
		}
	}
	if len(got) != len(all) {
		t.Errorf("%d texts of %d paths", len(got), len(all))
	}
}

// assertRoundTrip checks the promise of the package: a text that is shown for a path of an object can be pasted as a
// pattern, and covers that path, what is below it, and nothing else of the object.
func assertRoundTrip(t *testing.T, set *Set) {
	t.Helper()
	f, thorough := NewFormatter(set), &Formatter{marks: ambiguityMarks([]*Set{set})}
	all := withAncestors(set)
	for _, p := range all {
		if glanced, want := f.Format(p), thorough.Format(p); glanced != want {
			t.Errorf("at a glance the text is %s, and it has to be %s", glanced, want)
		}
		if text := Format(p); len(f.marks) == 0 && f.Format(p) != text {
			t.Errorf("after other paths the text is %s, and it has to be %s", f.Format(p), text)
		}
		assertSolelyMatched(t, f.Format(p), p, all)
		if pattern, err := Parse(Format(p)); err != nil || !pattern.Match(p) {
			t.Errorf("Format gives %q for %s: %v", Format(p), ID(p), err)
		}
		assertServerTextMatches(t, p)
		if cursor := stepAsObject(mustParse(t, f.Format(p)).Start(), p); !cursor.Matched() {
			t.Errorf("%q does not match the object at %s", f.Format(p), ID(p))
		}
	}
}

// assertServerTextMatches parses the text that a conflict would show, unless it has names that Parse reads only in
// quotes. Atomic members may hold such names at any depth; TestPatternMatch has those that do not.
func assertServerTextMatches(t *testing.T, p Path) {
	t.Helper()
	for _, pe := range p {
		if _, bare := appendBare(nil, pe); pe.FieldName != nil && !isBare(*pe.FieldName) || pe.FieldName == nil && pe.Index == nil && !bare {
			return
		}
	}
	if pattern, err := Parse(p.String()); err != nil || !pattern.Match(p) {
		t.Errorf("the API server's %q does not match %s: %v", p, ID(p), err)
	}
}

// stepAsObject steps along a path as a walk of the object would, with the server's keys of each item.
func stepAsObject(c Cursor, p Path) Cursor {
	for _, pe := range p {
		member, isMember := ElementValue(pe)
		switch {
		case pe.FieldName != nil:
			c = c.Field(*pe.FieldName)
		case isMember && member == nil:
			c = c.Element(pe)
		case isMember:
			c = c.Item(Item{Index: -1, Value: member})
		case pe.Key != nil:
			c = c.Item(Item{Index: -1, Keys: KeyFields(pe)})
		default:
			c = c.Item(Item{Index: *pe.Index})
		}
	}
	return c
}

func assertSolelyMatched(t *testing.T, text string, p Path, all []Path) {
	t.Helper()
	pattern, err := Parse(text)
	if err != nil {
		t.Fatalf("text of %s: %v", ID(p), err)
	}
	if !pattern.Match(p) {
		t.Errorf("%q does not match its path %s", text, ID(p))
	}
	for _, other := range all {
		if got, want := pattern.Match(other), isPrefix(p, other); got != want {
			t.Errorf("%q is the text of %s; for %s it gives %t", text, ID(p), ID(other), got)
		}
	}
}
