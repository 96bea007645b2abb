package paths

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text       string
		offset     int
		problem    string
		suggestion string
	}{
		"an empty text":                 {"", 0, "the path is empty", "name a field, as in spec.replicas"},
		"a dot alone":                   {".", 0, "the path is empty", "name a field, as in spec.replicas"},
		"space at the end":              {"spec ", 0, "there is space around the path", "write spec"},
		"a bracket that is not closed":  {"a[0", 1, "the bracket is not closed", "add ]"},
		"a selector that is not closed": {"a[b=1", 1, "the bracket is not closed", "add ]"},
		"a wildcard that is not closed": {"a[*", 1, "the bracket is not closed", "add ]"},
		"a quote that is not closed":    {`a["b`, 2, "the quote is not closed", `add "`},
		"a closing bracket alone":       {"a]b", 1, "] has no [ before it", `remove it, or quote the name as in ["a]b"]`},
		"a quote in a bare name":        {`a."b"`, 2, "an unquoted name contains a quote", `put a quoted name into brackets, as in data["a.b"]`},
		"an empty bracket": {"a[]", 1, "the bracket is empty",
			`name an item as in [name="app"], a set member as in [="red"], a position as in [0], or all items as in [*]`},
		"a bare word in brackets": {"a[b]", 1, "[b] is neither a map key nor a list item",
			`write ["b"] for a map key, or [name="b"] for a list item`},
		"a single-quoted word in brackets": {"a['b']", 1, "['b'] is neither a map key nor a list item",
			`write ["b"] for a map key, or [name="b"] for a list item`},
		"a negative position":          {"a[-1]", 1, "[-1] is not a position in a list", "count from 0 at the start of the list, as in [0]"},
		"a word after a bracket":       {"a[0]b", 4, `"b" follows a bracket`, "put a dot or a bracket after ]"},
		"a dot before a bracket":       {`a.["b"]`, 2, "a bracket follows a dot", "remove the dot before the bracket"},
		"a dot after the last bracket": {"a[0].", 4, "nothing follows the dot", "remove the dot"},
		"a key without a value":        {"a[b=1,c]", 6, "a key has no value", `write each as name=value, as in [containerPort=80,protocol="TCP"]`},
		"an empty value":               {"a[b=]", 4, "the value is empty", `write "" for the empty string`},
		"a key that is named twice":    {"a[b=1,b=2]", 6, "the key b is named twice", "name it once"},
		"a quoted key":                 {`a["b"="c"]`, 2, "the name of a key is quoted", `write it without quotes, as in [name="app"]`},
		"a quote within a value":       {`a[b=c"d"]`, 5, `an unquoted value contains '"'`, `quote the value, as in [name="app"]`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := ParseAll([]string{"spec", tt.text})
			var got *SyntaxError
			if !errors.As(err, &got) {
				t.Fatalf("error %v, want a SyntaxError", err)
			}
			want := &SyntaxError{Text: tt.text, Offset: tt.offset, Problem: tt.problem, Suggestion: tt.suggestion}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSyntaxErrorIsASentence(t *testing.T) {
	t.Parallel()
	_, err := Parse("größe[b]")
	want := `field path "größe[b]", character 6: [b] is neither a map key nor a list item; ` +
		`write ["b"] for a map key, or [name="b"] for a list item`
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("message (-want +got):\n%s", diff)
	}
}

func TestPatternMatch(t *testing.T) {
	t.Parallel()
	port := path("ports", Key(keys{"containerPort": 80, "protocol": "TCP"}), "name")
	tests := map[string]struct {
		text string
		path Path
		want bool
	}{
		"itself":                                     {"spec.replicas", path("spec", "replicas"), true},
		"a leading dot":                              {".spec.replicas", path("spec", "replicas"), true},
		"what is below":                              {"spec", path("spec", "replicas"), true},
		"not what is above":                          {"spec.replicas", path("spec"), false},
		"not a name that begins alike":               {"spec.rep", path("spec", "replicas"), false},
		"words are a dotted name":                    {"m.a.io/b", path("m", "a.io/b"), true},
		"words are split names too":                  {"m.a.io/b", path("m", "a", "io/b"), true},
		"some words of a name are not it":            {"m.a", path("m", "a.io/b"), false},
		"a root name with a leading dot":             {"..a", path(".a"), true},
		"a name with a dot at the end":               {"data.a.", path("data", "a."), true},
		"a leading dot in a name":                    {"data..a", path("data", ".a"), true},
		"words are an empty name too":                {"data..a", path("data", "", "a"), true},
		"a quoted name":                              {`m["a.io/b"]`, path("m", "a.io/b"), true},
		"a quoted name is not split":                 {`m["a.b"]`, path("m", "a", "b"), false},
		"words do not join over a bracket":           {`m.a["b"]`, path("m", "a.b"), false},
		"a name with the escapes of JSON":            {`m["\ud83d\ude00\/"]`, path("m", "😀/"), true},
		"a name with the escapes of Go":              {`m["\x61\U0001F600"]`, path("m", "a😀"), true},
		"a quoted name is not an item":               {`m["b"]`, path("m", Value("b")), false},
		"keys in any order":                          {"ports[protocol=TCP, containerPort=80]", port, true},
		"some of the keys":                           {"ports[containerPort=80].name", port, true},
		"a key that differs":                         {"ports[containerPort=80,protocol=UDP]", port, false},
		"a key that is not there":                    {"ports[containerPort=80,x=1]", port, false},
		"a key selector is not a name":               {"ports[a=b]", path("ports", "a=b"), false},
		"a bare number is a number":                  {"l[=80]", path("l", Value(80.0)), true},
		"a bare number is a string":                  {"l[=80]", path("l", Value("80")), true},
		"a quoted number is a string":                {`l[="80"]`, path("l", Value("80")), true},
		"a quoted number is not a number":            {`l[="80"]`, path("l", Value(80)), false},
		"a number with exponent":                     {"l[p=1.2345678e+07]", path("l", Key(keys{"p": 12345678})), true},
		"a bare bool is a bool":                      {"l[=true]", path("l", Value(true)), true},
		"a bare bool is a string":                    {"l[=true]", path("l", Value("true")), true},
		"a quoted bool is not a bool":                {`l[="true"]`, path("l", Value(true)), false},
		"null":                                       {"l[p=null]", path("l", Key(keys{"p": nil})), true},
		"a float":                                    {"l[=1.50]", path("l", Value(1.5)), true},
		"a bare member with a comma":                 {"l[=a,b]", path("l", Value("a,b")), true},
		"an atomic list as the API server prints it": {`l[=[1,"a]",[]]]`, path("l", Value([]any{1, "a]", []any{}})), true},
		"an atomic list that differs":                {`l[=[1,2]]`, path("l", Value([]any{1, 3})), false},
		"an atomic map as the API server prints it":  {`l[=b="x"a=1]`, path("l", Value(keys{"a": 1, "b": "x"})), true},
		"an atomic map that differs":                 {`l[=b="x"]`, path("l", Value(keys{"a": 1, "b": "x"})), false},
		"exactly a number":                           {"l[==80]", path("l", Value("80")), false},
		"exactly these keys":                         {`ports[{"containerPort":80}]`, port, false},
		"all keys, exactly":                          {`ports[{"protocol":"TCP","containerPort":80}]`, port, true},
		"a position":                                 {"l[1]", path("l", 1, "a"), true},
		"another position":                           {"l[1]", path("l", 0), false},
		"a position of an item that has keys":        {"ports[0]", port, false},
		"any item":                                   {"ports[*].name", port, true},
		"any map key":                                {"m[*]", path("m", "a.b"), true},
		"everything":                                 {"*", path("m", "a", "b"), true},
		"everything at the root only":                {"m.*", path("m", "a"), false},
		"a field that is called like everything":     {`["*"]`, path("*"), true},
		"and no other field":                         {`["*"]`, path("m"), false},
		"any one element only":                       {"m[*].c", path("m", "a", "b", "c"), false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pattern, err := Parse(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := pattern.Match(tt.path); got != tt.want {
				t.Errorf("%q matches %s: %t", tt.text, ID(tt.path), got)
			}
			if diff := cmp.Diff(tt.text, pattern.String()); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}
