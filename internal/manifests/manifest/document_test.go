package manifest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const web = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n"

func TestParse(t *testing.T) {
	t.Parallel()
	identity := Identity{APIVersion: "v1", Kind: "ConfigMap", Name: "web"}
	tests := map[string]struct {
		text     string
		identity Identity
		// rest is the object without its identity.
		rest map[string]any
	}{
		"a document":                  {text: web, identity: identity},
		"JSON":                        {text: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"web"}}`, identity: identity},
		"JSON with a byte order mark": {text: "\ufeff" + `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"web"},"a":"\/\ud83d\ude80"}`, identity: identity, rest: map[string]any{"a": "/🚀"}},
		"markers around it":           {text: "---\n" + web + "---\n", identity: identity},
		"an end marker":               {text: web + "...\n", identity: identity},
		"a byte order mark":           {text: "\ufeff" + web, identity: identity},
		"Windows line ends":           {text: strings.ReplaceAll(web, "\n", "\r\n"), identity: identity},
		"line ends that were converted twice": {
			text: "# above\r\r\nimmutable: true\r\r\n" + strings.ReplaceAll(web, "\n", "\r\r\n"), identity: identity, rest: map[string]any{"immutable": true},
		},
		"other line ends": {
			text: "---\r# a\u2028# b\u2029# c\u0085immutable: true\r" + strings.ReplaceAll(web, "\n", "\r"), identity: identity, rest: map[string]any{"immutable": true},
		},
		"comments":               {text: "# above\n" + web + "# below\n", identity: identity},
		"an empty document":      {text: "---\n# Source: web.yaml\n---\n" + web, identity: identity},
		"null and empty ones":    {text: "null\n---\n~\n---\n" + web + "---\n---\n# none\n", identity: identity},
		"content on the marker":  {text: "--- {apiVersion: v1, kind: ConfigMap, metadata: {name: web}}\n", identity: identity},
		"a document in one line": {text: "---\n--- {apiVersion: v1, kind: ConfigMap, metadata: {name: web}}\n", identity: identity},
		"a namespace": {
			text:     "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\n",
			identity: Identity{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"},
		},
		"an anchor": {
			text: web + "a: &x {k: [1]}\nb: *x\n", identity: identity,
			rest: map[string]any{"a": map[string]any{"k": []any{int64(1)}}, "b": map[string]any{"k": []any{int64(1)}}},
		},
		"a merge key, with a key that overrides it": {
			text: web + "a: &x {k: 1, l: 2}\nb: {<<: *x, k: 3}\n", identity: identity,
			rest: map[string]any{
				"a": map[string]any{"k": int64(1), "l": int64(2)}, "b": map[string]any{"k": int64(3), "l": int64(2)},
			},
		},
		"several merge keys": {
			text: web + "a: &x {k: 1}\nb: &y {l: 2}\nc: {<<: [*x, *y]}\n", identity: identity,
			rest: map[string]any{
				"a": map[string]any{"k": int64(1)}, "b": map[string]any{"l": int64(2)},
				"c": map[string]any{"k": int64(1), "l": int64(2)},
			},
		},
		"scalars as kubectl reads them": {
			text: strings.Replace(web, "v1", "example.com/v1", 1) + "bool: yes\ntext: \"yes\"\nint: 3\nwhole: 1.0\nfloat: 1.5\nnone: ~\nbig: 9007199254740993\nduration: 1m\noctal: 0644\n",
			rest: map[string]any{
				"bool": true, "text": "yes", "int": int64(3), "whole": int64(1), "float": 1.5, "none": nil,
				"big": int64(9007199254740993), "duration": "1m", "octal": int64(420),
			},
			identity: Identity{APIVersion: "example.com/v1", Kind: "ConfigMap", Name: "web"},
		},
		"a block of text with what looks like a marker": {
			text: web + "data:\n  script: |\n    ---\n    a: 1\n", identity: identity,
			rest: map[string]any{"data": map[string]any{"script": "---\na: 1\n"}},
		},
		"a creation time of null, as generators write it": {
			text: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, creationTimestamp: null}\n", identity: identity,
		},
		"a name beside generateName": {
			text: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, generateName: w-}\n", identity: identity,
		},
		"a kind that ends in List and has no items": {
			text:     "apiVersion: example.com/v1\nkind: AllowList\nmetadata: {name: web}\n",
			identity: Identity{APIVersion: "example.com/v1", Kind: "AllowList", Name: "web"},
		},
		"the same text as key in two maps": {
			text: web + "a: {k: 1}\nb: {k: 1}\n", identity: identity,
			rest: map[string]any{"a": map[string]any{"k": int64(1)}, "b": map[string]any{"k": int64(1)}},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Parse(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.identity, got.Identity); diff != "" {
				t.Errorf("identity (-want +got):\n%s", diff)
			}
			rest := map[string]any{}
			for key, value := range got.Object {
				if key != "apiVersion" && key != "kind" && key != "metadata" {
					rest[key] = value
				}
			}
			if tt.rest == nil {
				tt.rest = map[string]any{}
			}
			if diff := cmp.Diff(tt.rest, rest); diff != "" {
				t.Errorf("object (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want string }{
		"nothing":       {"", "the text contains no document. Write one object with apiVersion, kind and metadata.name."},
		"only comments": {"# none\n---\n# none\n", "the text contains no document. Write one object with apiVersion, kind and metadata.name."},
		"several documents": {
			web + "---\n" + web + "---\n" + web,
			"the text contains 3 documents. Write each object by itself: provider::k8sconnect::documents(...) gives them, for for_each or for manifests of k8sconnect_manifests.",
		},
		"another YAML": {
			"%YAML 1.2\n---\n" + web, "line 1, column 1 is not valid YAML: it asks for another version of YAML than 1.1, which is read. Remove the line.",
		},
		"a list of objects": {
			"- a\n", "the document is a list, not an object. Write one object with apiVersion, kind and metadata.name. For several objects, use one resource each.",
		},
		"a text": {
			"hello", "the document is a string, not an object. Write one object with apiVersion, kind and metadata.name. For several objects, use one resource each.",
		},
		"the path of a file": {
			"manifests/web.yaml", `the document is a string, not an object. Write file(...) around the name of a file for its content.`,
		},
		"a key that is null": {
			web + "~: a", "line 4 has a key that is not a string. Write a string there. A string that starts with { or [ needs quotes.",
		},
		"a number": {
			"3", "the document is a number, not an object. Write one object with apiVersion, kind and metadata.name. For several objects, use one resource each.",
		},
		"a number that JSON does not have": {
			web + "a: -.Inf", "line 4 has the number -.Inf, which an API server does not accept. Write a finite number, or put the value in quotes.",
		},
		"a key that is a list": {web + "? [a]\n: 1\n", "line 4 has a key that is not a string. Write a string there. A string that starts with { or [ needs quotes."},
		"a key twice": {
			web + "data:\n  a: 1\n  b: 2\n  \"a\": 3\n", `line 7, column 3 repeats a key of line 5. Remove one of them.`,
		},
		"a key twice in an item of a list": {
			web + "list:\n- {a: 1, a: 2}\n", `line 5, column 10 repeats a key of its map. Remove one of them.`,
		},
		"a number and a text that are the same key": {
			web + "data: {1: a, \"1\": b}\n", `line 4, column 14 repeats a key of its map. Remove one of them.`,
		},
		"a line number after an empty document": {
			"---\n# c\n---\n" + web + "a: 1\na: 2\n", `line 8, column 1 repeats a key of line 7. Remove one of them.`,
		},
		"no apiVersion": {"kind: A\nmetadata: {name: a}", `apiVersion is missing. Write a version such as "v1" or "apps/v1".`},
		"an apiVersion that is no text": {
			"apiVersion: 1\nkind: A\nmetadata: {name: a}", "apiVersion is a number, not a string. Put the value in quotes.",
		},
		"an apiVersion of three parts": {
			"apiVersion: a/b/c\nkind: A\nmetadata: {name: a}",
			`apiVersion is not of the form group/version. Write for example "v1" or "apps/v1".`,
		},
		"an apiVersion without its group": {
			"apiVersion: /v1\nkind: A\nmetadata: {name: a}",
			`apiVersion is not of the form group/version. Write for example "v1" or "apps/v1".`,
		},
		"an apiVersion without its version": {
			"apiVersion: apps/\nkind: A\nmetadata: {name: a}",
			`apiVersion is not of the form group/version. Write for example "v1" or "apps/v1".`,
		},
		"no kind":   {"apiVersion: v1\nmetadata: {name: a}", `kind is missing. Write a kind such as "Deployment".`},
		"null kind": {"apiVersion: v1\nkind: ~\nmetadata: {name: a}", `kind is missing. Write a kind such as "Deployment".`},
		"kind is a map": {
			"apiVersion: v1\nkind: {}\nmetadata: {name: a}", "kind is an object, not a string. Write a string there.",
		},
		"a List": {
			"apiVersion: v1\nkind: List\nitems: []", "the document is a List, which contains other objects. Write each of its items by itself: " +
				"provider::k8sconnect::documents(...) gives them, for for_each or for manifests of k8sconnect_manifests.",
		},
		"a DeploymentList": {
			"apiVersion: apps/v1\nkind: DeploymentList\nitems: []",
			"the document is a DeploymentList, which contains other objects. Write each of its items by itself: " +
				"provider::k8sconnect::documents(...) gives them, for for_each or for manifests of k8sconnect_manifests.",
		},
		"a Kustomization": {
			"apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a.yaml]",
			"the document is a Kustomization, which is a file of kustomize and no object. Build its folder with the data source k8sconnect_kustomize.",
		},
		"no metadata": {
			"apiVersion: v1\nkind: A", "metadata is missing. Write metadata with at least a name.",
		},
		"metadata is a list": {
			"apiVersion: v1\nkind: A\nmetadata: []", "metadata is a list, not an object. Write metadata with at least a name.",
		},
		"generateName": {
			"apiVersion: v1\nkind: A\nmetadata: {generateName: a-}",
			"metadata.generateName asks the server for a name. " +
				"Write metadata.name: Terraform has to know which object a resource manages.",
		},
		"no name": {"apiVersion: v1\nkind: A\nmetadata: {}", "metadata.name is missing. Write the object's name."},
		"a name that YAML reads as a boolean": {
			"apiVersion: v1\nkind: A\nmetadata: {name: on}", "metadata.name is a boolean, not a string. Put the value in quotes.",
		},
		"a namespace that YAML reads as a number": {
			"apiVersion: v1\nkind: A\nmetadata: {name: a, namespace: 007}",
			"metadata.namespace is a number, not a string. Put the value in quotes.",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assertError(t, tt.text, tt.want)
		})
	}
	for _, field := range ServerMetadata() {
		t.Run("metadata."+field, func(t *testing.T) {
			t.Parallel()
			assertError(t, fmt.Sprintf("apiVersion: v1\nkind: A\nmetadata: {name: a, %s: x}", field),
				"only the API server writes metadata."+field+". Remove it from the manifest.")
		})
	}
}

func assertError(t *testing.T, text, want string) {
	t.Helper()
	got, err := Parse(text)
	var fault *Error
	if !errors.As(err, &fault) {
		t.Fatalf("%v, %v is not an *Error", got, err)
	}
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("error (-want +got):\n%s", diff)
	}
}

// TestParseRefusesBombs checks that a short text cannot grow into an object that fills the memory.
func TestParseRefusesBombs(t *testing.T) {
	t.Parallel()
	laughs := func(levels, times int, leaf string) string {
		var text strings.Builder
		text.WriteString(web + "a0: &a0 " + leaf + "\n")
		for i := 1; i < levels; i++ {
			fmt.Fprintf(&text, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), times), ","))
		}
		return text.String()
	}
	const tooLarge = "the document is larger than 16 MiB with its aliases expanded. " +
		"Reduce the object: API servers accept at most 3 MiB."
	const invalid = " is not valid YAML. Correct the text. Values with special characters need quotes; yamlencode({...}) always writes valid YAML."
	tests := map[string]struct{ text, want string }{
		"a few aliases of a long text":         {laughs(2, 30, strings.Repeat("x", 1<<20)), tooLarge},
		"more than a number can count":         {laughs(80, 9, "lol"), tooLarge},
		"many aliases of next to nothing":      {laughs(6, 9, "lol"), "line 8, column 10" + invalid},
		"as many merged maps":                  {strings.ReplaceAll(laughs(30, 2, "{k: 1}"), "a29: &a29 ", "a29: &a29\n  <<: "), tooLarge},
		"brackets deeper than a stack of JSON": {strings.Repeat("[", 20000), "line 1, column 10001" + invalid},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assertError(t, tt.text, tt.want)
		})
	}
}

func TestIdentityString(t *testing.T) {
	t.Parallel()
	if got := (Identity{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}).String(); got != "Deployment shop/web (apps/v1)" {
		t.Error(got)
	}
	if got := (Identity{APIVersion: "v1", Kind: "Namespace", Name: "shop"}).String(); got != "Namespace shop (v1)" {
		t.Error(got)
	}
}
