package manifest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEqualText(t *testing.T) {
	const custom = "apiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: web}\n"
	t.Parallel()
	tests := map[string]struct {
		a, b string
		want bool
	}{
		"the same text":                 {web, web, true},
		"the same text, not a manifest": {"x", "x", true},
		"key order":                     {web + "a: 1\nb: 2\n", web + "b: 2\na: 1\n", true},
		"comments and blank lines":      {web, "# c\n\n" + web + "\n", true},
		"flow and block style":          {web + "a: [1, 2]\n", web + "a:\n- 1\n- 2\n", true},
		"quotes of a text":              {web + "a: x\n", web + "a: \"x\"\n", true},
		"JSON":                          {web, `{"metadata":{"name":"web"},"kind":"ConfigMap","apiVersion":"v1"}`, true},
		"an alias and its content":      {web + "a: &x [1]\nb: *x\n", web + "a: [1]\nb: [1]\n", true},
		"styles of a long text":         {web + "a: |\n  x\n  y\n", web + `a: "x\ny\n"` + "\n", true},
		"spellings of a number":         {web + "a: 1\n", web + "a: 1.0\n", true},
		"a number and its text":         {web + "a: 1\n", web + "a: \"1\"\n", false},
		"spellings of a quantity":       {web + "a: 1000m\n", web + "a: 1\n", false},
		"the order of a list":           {web + "a: [1, 2]\n", web + "a: [2, 1]\n", false},
		"a null and no field":           {web + "a: null\n", web, true},
		"a null of a custom resource":   {custom + "a: null\n", custom, false},
		"an empty map and no field":     {web + "a: {}\n", web, false},
		"an empty map and a null":       {web + "a: {}\n", web + "a: null\n", false},
		"numbers over 2^53":             {web + "a: 9007199254740993\n", web + "a: 9007199254740992\n", false},
		"a space at the end of text":    {web + "a: \"x \"\n", web + "a: x\n", false},
		"texts that are no manifests":   {"x", "x ", false},
		"only one is a manifest":        {web, "x", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := EqualText(tt.a, tt.b); got != tt.want {
				t.Errorf("%t, want %t", got, tt.want)
			}
			if got := EqualText(tt.b, tt.a); got != tt.want {
				t.Errorf("the other way round %t, want %t", got, tt.want)
			}
		})
	}
}

func TestIsText(t *testing.T) {
	t.Parallel()
	parsed, err := Parse(web)
	if err != nil {
		t.Fatal(err)
	}
	merged, _, err := parsed.Overlay(Partial{"a": "x"})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{web: true, "# c\n" + web: true, web + "a: x\n": false, "": false} {
		if got := parsed.IsText(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
		if got := merged.IsText(text); got != (text == web+"a: x\n") {
			t.Errorf("merged, %q: %t", text, got)
		}
	}
}

func TestCanonical(t *testing.T) {
	t.Parallel()
	parsed, err := Parse(web + "command: [sh, -c, 'a && b > c']\nbig: 9007199254740993\n")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Canonical(parsed.Object)
	if err != nil {
		t.Fatal(err)
	}
	want := `{
  "apiVersion": "v1",
  "big": 9007199254740993,
  "command": [
    "sh",
    "-c",
    "a && b > c"
  ],
  "kind": "ConfigMap",
  "metadata": {
    "name": "web"
  }
}`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if !EqualText(got, web+"command: [sh, -c, 'a && b > c']\nbig: 9007199254740993\n") {
		t.Error("the canonical text is not equal to the manifest")
	}
}
