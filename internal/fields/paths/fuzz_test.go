package paths

import (
	"encoding/json"
	"errors"
	"testing"
)

// FuzzParse checks that a text is a pattern or a SyntaxError, and a pattern keeps its text.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"spec.replicas", ".a", "..a", "a.", "a..b", `a["b.c"][0][*]`, `p[containerPort=80,protocol="TCP"].x`,
		`l[="red"]`, "l[=a,b]", `l[=[1,"]"]]`, `l[=={"a":1}]`, `l[{"a":1}]`, "l[{}]", `l["\ud83d\ude00"]`,
		"[", "[]", "[=", "[==", "[{", `["`, `["\`, "a[-1]", "a[b]", "a]b", "[99999999999999999999]", "l[==1e999]",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		pattern, err := Parse(text)
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Suggestion == "" || syntax.Offset > len(text) || err.Error() == "" {
				t.Fatalf("error %#v", err)
			}
			return
		}
		if pattern.String() != text {
			t.Fatalf("%q became %q", text, pattern)
		}
		for _, p := range []Path{path("spec", "a.b"), path("l", Value("x")), path(Key(keys{"a": 1}), 0)} {
			pattern.Match(p)
		}
		pattern.Match(path("l", Value(keys{"a": []any{1}})))
		Patterns{pattern}.Start().Field("l").Item(Item{Value: keys{"a": 1}}).Item(Item{Keys: keys{"a": 1}})
	})
}

// FuzzParseSet checks that any bytes are a set or an error, and what is read of JSON keeps its promises.
func FuzzParseSet(f *testing.F) {
	for _, text := range []string{
		"", "null", "{}", "[]", "1", `{"f:a":{".":{},"f:b":{}}}`, `{"k:{\"a\":1}":{},"v:\"x\"":{},"i:0":{}}`,
		`{"k:{}":{}}`, `{"k:{\"a\":1,\"a\":2}":{}}`, `{"v:{\"a\":[1]}":{}}`, `{"v:":{}}`, `{"f:":{}}`, `{"x:":{}}`,
		`{"f:b":{},"f:a":{},"f:b":{"f:c":{}}}`, `{"i:-1":{}}`, `{"v:1e999":{}}`, `{"v:1 2":{}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, fieldsV1 []byte) {
		set, err := ParseSet(fieldsV1)
		if err != nil || !json.Valid(fieldsV1) {
			return
		}
		text, err := MarshalSet(set)
		if err != nil {
			t.Fatalf("marshal: %v", err)
		}
		if _, err := ParseSet(text); err != nil {
			t.Fatalf("%s is not read back: %v", text, err)
		}
		formatter := NewFormatter(set)
		Walk(set, func(p Path, _ bool) {
			Format(p)
			formatter.Format(p)
			if !set.Has(p) {
				t.Fatalf("%s is not in the set", ID(p))
			}
		})
	})
}

// nasty are the parts of names that fuzzed paths are built from.
var nasty = []string{
	"a", "b", "a.b", "a.", ".a", ".", "", "a[b", "a]b", `a"b`, `a\b`, "a/b", "~1", "*", "0", "80", "-1", "true", "null",
	"größe", "\n", " ", "a b", "=", "a=1", "{}", `[="x"]`, "\u2028", "�", "..", "a.b.c", "1e+06", "[*]", ",",
}

// pathsFrom builds a few paths from the bytes, such that small changes of the bytes are small
// changes of the paths.
func pathsFrom(data []byte) []Path {
	next := func() byte {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return b
	}
	name := func() string { return nasty[int(next())%len(nasty)] }
	scalars := []any{80, "80", 1.5, true, "true", nil, "null", 1e6, "1e+06", "x", "", int64(1) << 40, -0.25, "1.5", 1e21, "1e+21"}
	scalar := func() any {
		if b := int(next()); b%3 > 0 {
			return scalars[b/3%len(scalars)]
		}
		return name()
	}
	element := func() PathElement {
		switch kind := next(); kind % 12 {
		case 0:
			return Value(scalar())
		case 1:
			return Key(keys{name(): scalar()})
		case 2:
			return Key(keys{"p": scalar(), "q": scalar()})
		case 3:
			return Key(keys{"p": scalar()})
		case 4:
			return Index(int(next()))
		case 5:
			return Value([]any{scalar(), keys{name(): scalar()}})
		case 6:
			return Key(keys{name(): scalar(), name(): scalar(), name(): scalar()})
		default:
			return Field(name())
		}
	}
	var all []Path
	for len(data) > 0 && len(all) < 12 {
		var p Path
		if len(all) > 0 {
			previous := all[int(next())%len(all)]
			p = previous[:int(next())%(len(previous)+1)].Copy()
		}
		for range int(next())%4 + 1 {
			p = append(p, element())
		}
		all = append(all, p)
	}
	return all
}

// FuzzRoundTrip checks the promise of the package for any set of paths, and for their IDs and JSON.
func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte{0, 7, 2, 0, 0, 1, 7, 0, 7, 1})
	f.Add([]byte{1, 7, 0, 7, 1, 0, 0, 1, 7, 30, 7, 2})
	f.Add([]byte("clash of names, dots. and [brackets] in \"quotes\""))
	f.Fuzz(func(t *testing.T, data []byte) {
		set := NewSet(pathsFrom(data)...)
		assertRoundTrip(t, set)
		for _, p := range withAncestors(set) {
			got, err := ParseID(ID(p))
			if err != nil || !got.Equals(p) {
				t.Fatalf("%s is read back as %s: %v", ID(p), ID(got), err)
			}
		}
		text, err := MarshalSet(set)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := ParseSet(text); err != nil || !got.Equals(set) {
			t.Fatalf("%s is read back as %v: %v", text, got, err)
		}
	})
}
