package paths

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseSet(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		fieldsV1 string
		want     []string
		wantErr  string
	}{
		"no text is the empty set":    {fieldsV1: "", want: nil},
		"null is the empty set":       {fieldsV1: "null", want: nil},
		"an object without fields is": {fieldsV1: "{}", want: nil},
		"a dot makes the parent a member": {
			fieldsV1: `{"f:metadata":{"f:labels":{".":{},"f:app":{}}}}`,
			want:     []string{"metadata.labels", "metadata.labels.app"},
		},
		"items of every kind": {
			fieldsV1: `{"f:l":{"k:{\"port\":80}":{".":{},"f:name":{}},"v:\"red\"":{},"v:1.5":{},"i:2":{}}}`,
			want:     []string{"l[port=80]", "l[port=80].name", "l[=1.5]", `l[="red"]`, "l[2]"},
		},
		"an element of an unknown kind is left out": {fieldsV1: `{"x:y":{},"f:a":{}}`, want: []string{"a"}},
		"many levels are refused":                   {fieldsV1: strings.Repeat(`{"f:{":`, 501) + `{}` + strings.Repeat("}", 501), wantErr: "more than 500 levels"},
		"braces in names are no levels":             {fieldsV1: `{"f:` + strings.Repeat("{", 600) + `\"{":{}}`, want: []string{"[\"" + strings.Repeat("{", 600) + `\"{"]`}},
		"a list is refused":                         {fieldsV1: `[]`, wantErr: "not a set of fields"},
		"a number for children is refused":          {fieldsV1: `{"f:a":1}`, wantErr: "not a set of fields"},
		"a broken key is refused":                   {fieldsV1: `{"k:{":{}}`, wantErr: "not a set of fields"},
		"an element without a kind is refused":      {fieldsV1: `{"a":{}}`, wantErr: "not a set of fields"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set, err := ParseSet([]byte(tt.fieldsV1))
			if tt.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), tt.wantErr) {
					t.Fatalf("error %v, want %q", err, tt.wantErr)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			Walk(set, func(p Path, _ bool) { got = append(got, Format(p)) })
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("members (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMarshalSetIsTheInverseOfParseSet(t *testing.T) {
	t.Parallel()
	const text = `{"f:a":{".":{},"k:{\"port\":80}":{".":{},"f:name":{}}},"f:b":{"v:\"x\"":{}}}`
	set, err := ParseSet([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	got, err := MarshalSet(set)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, string(got)); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if got, err := MarshalSet(nil); err != nil || string(got) != "{}" {
		t.Errorf("nil set: %s, %v", got, err)
	}
}

func TestElementsGiveTheirValuesBack(t *testing.T) {
	t.Parallel()
	want := keys{"s": "x", "i": int64(80), "f": 1.5, "b": true, "n": nil}
	parsed, err := ParseID(`k:{"s":"x","i":80,"f":1.5,"b":true,"n":null}`)
	if err != nil {
		t.Fatal(err)
	}
	for name, pe := range map[string]PathElement{"constructed": Key(want), "parsed": parsed[0]} {
		if diff := cmp.Diff(want, KeyFields(pe)); diff != "" {
			t.Errorf("keys, %s (-want +got):\n%s", name, diff)
		}
	}
	if got := KeyFields(Field("a")); got != nil {
		t.Errorf("keys of a field: %v", got)
	}
	for text, want := range map[string]bool{`f:ports/k:{"port":80}/f:port`: true, `f:ports/k:{"port":80}/f:name`: false, `f:port`: false, `f:ports/k:{"port":80}`: false} {
		if path, err := ParseID(text); err != nil || IsKeyField(path) != want {
			t.Errorf("%s is a key field: %t, %v", text, !want, err)
		}
	}
	if got, ok := ElementValue(Value(int32(7))); !ok || got != int64(7) {
		t.Errorf("value: %v %v", got, ok)
	}
	if _, ok := ElementValue(Index(1)); ok {
		t.Error("an index has a value")
	}
	if !Key(keys{"p": 80}).Equals(Key(keys{"p": 80.0})) {
		t.Error("80 and 80.0 differ")
	}
}

func TestID(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		path Path
		want string
	}{
		"the object itself":                   {path(), ""},
		"an empty name":                       {path(""), "f:"},
		"slashes and tildes are escaped":      {path("a/b", "~1"), "f:a~1b/f:~01"},
		"a name that looks like two elements": {path("a/f:b"), "f:a~1f:b"},
		"keys are sorted":                     {path("l", Key(keys{"b": 1, "a": "x/y"}), "n"), `f:l/k:{"a":"x~1y","b":1}/f:n`},
		"members and positions":               {path(Value("x"), Value(1), 3), `v:"x"/v:1/i:3`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, ID(tt.path)); diff != "" {
				t.Errorf("ID (-want +got):\n%s", diff)
			}
			got, err := ParseID(tt.want)
			if err != nil {
				t.Fatal(err)
			}
			if !got.Equals(tt.path) {
				t.Errorf("parsed %v, want %v", got, tt.path)
			}
		})
	}
	for _, id := range []string{"x", "a:b", "i:x", "k:[]", "v:1 2", "f:a/", "k:{"} {
		if got, err := ParseID(id); err == nil {
			t.Errorf("ParseID(%q) = %v, want an error", id, got)
		}
	}
}

func TestWalkVisitsParentsBeforeChildrenInOrder(t *testing.T) {
	t.Parallel()
	set := NewSet(path("b"), path("a", "x"), path("a"), path("c", "y"), path("a", "x", "z"))
	type visited struct {
		ID   string
		Leaf bool
	}
	var got []visited
	Walk(set, func(p Path, leaf bool) { got = append(got, visited{ID(p), leaf}) })
	want := []visited{{"f:a", false}, {"f:a/f:x", false}, {"f:a/f:x/f:z", true}, {"f:b", true}, {"f:c/f:y", true}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("visits (-want +got):\n%s", diff)
	}
	var elements []string
	for _, pe := range Elements(set) {
		elements = append(elements, ID(Path{pe}))
	}
	if diff := cmp.Diff([]string{"f:a", "f:b", "f:c"}, elements); diff != "" {
		t.Errorf("elements (-want +got):\n%s", diff)
	}
	if Children(set, Field("b")) != nil || Children(nil, Field("b")) != nil || !Children(set, Field("c")).Has(path("y")) {
		t.Error("children are those below an element, nil for none")
	}
	if !Has(set, Field("b")) || Has(set, Field("c")) || Has(nil, Field("c")) {
		t.Error("c is a parent, not a member")
	}
}
