package manifest

import (
	"errors"
	"strings"
	"testing"
)

// FuzzParse checks that any text is a manifest or an *Error, within a second, and that a manifest has an
// identity and survives its own canonical text.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		web, "", "---\n---\n" + web, web + "...\n", "- a", "a: &a [*a]", "a: {<<: 1}", web + "a: &x {b: 1}\nc: {<<: *x, b: 2}\n",
		web + "a: !!binary aGVsbG8=\nb: !foo bar\nc: 2020-01-01\nd: 1e400\ne: 0x1\nf: .nan\n", "? [a]\n: 1", "\xff", "%YAML 1.2\n---\na: 1",
		web + "a: &a [x,x,x]\nb: &b [*a,*a,*a]\nc: [*b,*b,*b]\n", "--- !!map\n" + web, "--- &a\n" + web, "null\n---\n" + web,
		`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"web"},"data":{"a\u0000":"\ud83d\ude00"}}`,
		web + "a: |\n  x\nb: >-\n  y\n", "true: 1\n1: 2\n~: 3\n", "apiVersion: v1\nkind: List\nitems: []", "[[[[", "{a: {b: {",
		"\ufeff\"x\"#c\n}\t", "\ufeff]#c", "\ufeff]##c", "a: b\rk: \"x\"#c\nd: [\n", strings.ReplaceAll(web+"metadata: \"x\"#c\ndata: [\n", "\n", "\r\r\n"),
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := Parse(text)
		if err != nil {
			var fault *Error
			if !errors.As(err, &fault) || fault.Problem == "" || !strings.HasSuffix(fault.Suggestion, ".") {
				t.Fatalf("error %#v", err)
			}
			return
		}
		if parsed.APIVersion == "" || parsed.Kind == "" || parsed.Name == "" {
			t.Fatalf("identity %#v", parsed.Identity)
		}
		canonical, err := Canonical(parsed.Object)
		if err != nil {
			t.Fatal(err)
		}
		if !EqualText(text, canonical) {
			t.Fatalf("%q is not equal to its canonical text\n%s", text, canonical)
		}
	})
}

// FuzzParseID checks that ID writes what ParseID has read, and that ParseID reads what ID has written.
func FuzzParseID(f *testing.F) {
	for _, id := range []string{
		"apiVersion=apps/v1,kind=Deployment,namespace=default,name=web", "apiVersion=v1,kind=Namespace,name=a",
		"name=", "name=a,name=b", "kind=A,kind=B", ",", "=", "apiVersion=/,kind=a,name=b", "apiVersion=v1,kind=A,name=a,kind=B",
	} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		identity, err := ParseID(id)
		if err != nil {
			var fault *Error
			if !errors.As(err, &fault) || fault.Problem == "" {
				t.Fatalf("error %#v", err)
			}
			return
		}
		again, err := ParseID(identity.ID())
		if err != nil || again != identity {
			t.Fatalf("%q is %#v, and %q is %#v: %v", id, identity, identity.ID(), again, err)
		}
		if strings.ContainsAny(identity.Name+identity.Namespace, "/%") {
			t.Fatalf("%#v leaves its URL", identity)
		}
	})
}
