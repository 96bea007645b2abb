package manifest_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

func config(name string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name + "\n"
}

func TestParseAll(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text string
		// want are the position and the text of each object.
		want []string
	}{
		"nothing":                        {"", nil},
		"comments and empty documents":   {"# a\n---\n# b\n---\n\n---\nnull\n...\n---\n", nil},
		"one document":                   {config("a"), []string{"document 1 (line 1)", config("a")}},
		"a marker before the first":      {"---\n" + config("a"), []string{"document 1 (line 2)", config("a")}},
		"comments before the first":      {"# of the file\n---\n# of a\n" + config("a"), []string{"document 1 (line 4)", "# of a\n" + config("a")}},
		"comments stay":                  {config("a") + "---\n\n# of b\n" + config("b") + "# end\n", []string{"document 1 (line 1)", config("a"), "document 2 (line 8)", "# of b\n" + config("b") + "# end\n"}},
		"a comment behind the marker":    {"--- # of a\n" + config("a"), []string{"document 1 (line 2)", "# of a\n" + config("a")}},
		"empty documents are counted":    {config("a") + "---\n---\n# nothing\n---\n" + config("b"), []string{"document 1 (line 1)", config("a"), "document 4 (line 9)", config("b")}},
		"a document behind the marker":   {"--- {apiVersion: v1, kind: A, metadata: {name: a}}\n", []string{"document 1 (line 1)", "--- {apiVersion: v1, kind: A, metadata: {name: a}}\n"}},
		"an end marker":                  {config("a") + "...\n# between\n---\n" + config("b") + "...\n", []string{"document 1 (line 1)", config("a"), "document 2 (line 8)", config("b")}},
		"a directive":                    {"%YAML 1.1\n---\n" + config("a") + "...\n%YAML 1.1\n---\n" + config("b"), []string{"document 1 (line 3)", "%YAML 1.1\n---\n" + config("a"), "document 2 (line 10)", "%YAML 1.1\n---\n" + config("b")}},
		"a byte order mark":              {"\ufeff---\n" + config("a"), []string{"document 1 (line 2)", config("a")}},
		"lines of Windows":               {"---\r\n" + windows(config("a")) + "--- \r\n" + windows(config("b")), []string{"document 1 (line 2)", windows(config("a")), "document 2 (line 7)", windows(config("b"))}},
		"dashes in a block":              {config("a") + "data:\n  cert: |\n    -----BEGIN\n    ---\n    ...\n", []string{"document 1 (line 1)", config("a") + "data:\n  cert: |\n    -----BEGIN\n    ---\n    ...\n"}},
		"blank lines at the end of text": {config("a") + "data:\n  a: |+\n    x\n\n\n---\n" + config("b"), []string{"document 1 (line 1)", config("a") + "data:\n  a: |+\n    x\n\n\n", "document 2 (line 11)", config("b")}},
		"a List": {
			"apiVersion: v1\nkind: List\nitems:\n# of a\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a} # named\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: b}\n",
			[]string{
				"document 1, item 1 (line 5)", "# of a\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a} # named\n",
				"document 1, item 2 (line 8)", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n",
			},
		},
		"a list of a kind, whose items do not name it": {
			"---\napiVersion: v1\nkind: ConfigMapList\nitems:\n- metadata: {name: a}\n",
			[]string{"document 1, item 1 (line 5)", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"},
		},
		"a List in a List": {
			"apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: A, metadata: {name: a}}]}\n",
			[]string{"document 1, item 1, item 1 (line 4)", "{apiVersion: v1, kind: A, metadata: {name: a}}\n"},
		},
		"an alias between items": {
			"apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: A, metadata: {name: a, labels: &l {x: z}}}\n- {apiVersion: v1, kind: A, metadata: {name: b, labels: *l}}\n",
			[]string{
				"document 1, item 1 (line 4)", "{apiVersion: v1, kind: A, metadata: {name: a, labels: &l {x: z}}}\n",
				"document 1, item 2 (line 5)", "apiVersion: v1\nkind: A\nmetadata:\n  labels:\n    x: z\n  name: b\n",
			},
		},
		"an empty List":      {"apiVersion: v1\nkind: List\nitems: []\n", nil},
		"a List of nothing":  {"apiVersion: v1\nkind: List\n", nil},
		"no line at the end": {config("a") + "---", []string{"document 1 (line 1)", config("a")}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all, err := manifest.ParseAll(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, located := range all {
				got = append(got, located.Position.String(), located.Text)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("positions and texts (-want +got):\n%s", diff)
			}
		})
	}
}

func windows(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }

func TestParseAllErrors(t *testing.T) {
	t.Parallel()
	const between = "---\n# nothing\n---\n"
	for name, tt := range map[string]struct{ text, want string }{
		"no YAML": {
			config("a") + between + "a: [\n",
			"document 3 (line 8): line 8, column 5 is not valid YAML. Correct the text. Values with special characters need quotes; yamlencode({...}) always writes valid YAML.",
		},
		"a key twice":      {config("a") + between + "a: 1\na: 2\n", `document 3 (line 8): line 9, column 1 repeats a key of line 8. Remove one of them.`},
		"no apiVersion":    {config("a") + between + "\nkind: A\n", `document 3 (line 9): apiVersion is missing. Write a version such as "v1" or "apps/v1".`},
		"no name":          {config("a") + between + "apiVersion: v1\nkind: A\nmetadata: {}\n", "document 3 (line 8): metadata.name is missing. Write the object's name."},
		"generateName":     {config("a") + between + "apiVersion: v1\nkind: A\nmetadata: {generateName: a-}\n", "document 3 (line 8): metadata.generateName asks the server for a name. Write metadata.name: Terraform has to know which object a resource manages."},
		"a copy of a live": {"apiVersion: v1\nkind: A\nmetadata: {name: a, uid: b}\n", "document 1 (line 1): only the API server writes metadata.uid. Remove it from the manifest."},
		"no object":        {config("a") + "---\n- a\n", "document 2 (line 6): the document is a list, not an object. Write an object with apiVersion, kind and metadata.name, or remove the document."},
		"a path":           {"install.yaml", `document 1 (line 1): the document is a string, not an object. Write file(...) around the name of a file for its content.`},
		"items no list":    {"apiVersion: v1\nkind: List\nitems: {}\n", "document 1 (line 1): items is an object, not a list. Write a list of objects there."},
		"an item no object": {
			"apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: A, metadata: {name: a}}\n- 1\n",
			"document 1, item 2 (line 5): the document is a number, not an object. Write an object with apiVersion, kind and metadata.name, or remove the document.",
		},
		"an item without a name": {
			config("a") + "---\napiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: A, metadata: {}}\n",
			"document 2, item 1 (line 9): metadata.name is missing. Write the object's name.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := manifest.ParseAll(tt.text)
			var fault *manifest.Error
			if !errors.As(err, &fault) {
				t.Fatalf("error %v, want an *Error", err)
			}
			if diff := cmp.Diff(tt.want, fault.Error()); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

// Objects that are written in any form, and split again, are the same objects; so are their texts.
func TestParseAllOfAnyText(t *testing.T) {
	t.Parallel()
	for seed := range uint64(500) {
		random := rand.New(rand.NewPCG(seed, 1))
		var objects []map[string]any
		for i := range 1 + random.IntN(5) {
			objects = append(objects, anyObject(random, i))
		}
		text := anyText(t, random, objects)
		all, err := manifest.ParseAll(text)
		if err != nil {
			t.Fatalf("%v in:\n%s", err, text)
		}
		if len(all) != len(objects) {
			t.Fatalf("%d objects, want %d, in:\n%s", len(all), len(objects), text)
		}
		for i, located := range all {
			want, err := manifest.Of(objects[i])
			must(t, err)
			alone, err := manifest.Parse(located.Text)
			must(t, err)
			moved, err := located.In("elsewhere")
			must(t, err)
			there, err := manifest.Parse(moved.Text)
			must(t, err)
			if !manifest.Equal(want, located.Manifest) || !manifest.Equal(want, alone) || !manifest.Equal(moved, there) || there.Namespace != "elsewhere" {
				t.Fatalf("object %d of:\n%s\nbecame:\n%s\nand there:\n%s", i, text, located.Text, moved.Text)
			}
			there.Object = runtime.DeepCopyJSON(there.Object)
			delete(there.Object["metadata"].(map[string]any), "namespace")
			if !manifest.Equal(want, there) {
				t.Fatalf("object %d lost something on its way to a namespace:\n%s", i, moved.Text)
			}
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func anyObject(random *rand.Rand, i int) map[string]any {
	values := []string{"a", "yes", "0400", "1e3", "null", "", "# no comment", "---", "x\n---\ny\n", "x\n\n\n", "...\n", "  a\n b", "%YAML", "- a", "{", "é", "a: b", "2026-01-31", "\ttab"}
	data := map[string]any{}
	for range random.IntN(4) {
		data[fmt.Sprintf("k%d", random.IntN(9))] = values[random.IntN(len(values))]
	}
	return map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "data": data,
		"metadata": map[string]any{"name": fmt.Sprintf("n%d", i), "labels": map[string]any{"l": values[random.IntN(len(values))]}},
	}
}

// anyText writes objects as YAML or JSON, as documents or items, between markers and comments.
func anyText(t *testing.T, random *rand.Rand, objects []map[string]any) string {
	t.Helper()
	var text strings.Builder
	separators := []string{"---\n", "---\n\n", "...\n---\n", "--- # next\n", "---\n---\n# Source: chart\n", "...\n%YAML 1.1\n---\n"}
	for len(objects) > 0 {
		text.WriteString(separators[random.IntN(len(separators))])
		next := any(objects[0])
		count := 1
		if random.IntN(3) == 0 {
			count = 1 + random.IntN(len(objects))
			next = map[string]any{"apiVersion": "v1", "kind": "List", "items": objects[:count]}
		}
		objects = objects[count:]
		written, err := yaml.Marshal(next)
		must(t, err)
		if random.IntN(3) == 0 {
			written, err = yaml.YAMLToJSON(written)
			must(t, err)
			written = append(written, '\n')
		}
		text.Write(written)
	}
	return text.String()
}

func TestInNamespace(t *testing.T) {
	t.Parallel()
	const head = "apiVersion: v1\nkind: A\n"
	for name, tt := range map[string]struct{ text, namespace, want string }{
		"a block":             {head + "# about\nmetadata: # here\n  # the name\n  name: a # named\n", "b", head + "# about\nmetadata: # here\n  # the name\n  namespace: b\n  name: a # named\n"},
		"a block of Windows":  {windows(head + "metadata:\n    name: a\n"), "b", windows(head + "metadata:\n    namespace: b\n    name: a\n")},
		"a flow":              {head + "metadata: {name: a} # é\n", "b", head + "metadata: {\"namespace\": \"b\", name: a} # é\n"},
		"JSON":                {`{"apiVersion":"v1","kind":"A","metadata":{"name":"a"}}`, "b", `{"apiVersion":"v1","kind":"A","metadata":{"namespace": "b", "name":"a"}}`},
		"a number":            {head + "metadata:\n  name: a\n", "1", head + "metadata:\n  namespace: \"1\"\n  name: a\n"},
		"an empty namespace":  {head + "metadata:\n  namespace: \"\" # none\n  name: a # named\n", "b", head + "metadata:\n  namespace: \"b\" # none\n  name: a # named\n"},
		"a null namespace":    {head + "metadata:\n  namespace:\n  name: a # named\n", "b", head + "metadata:\n  namespace: \"b\"\n  name: a # named\n"},
		"metadata by alias":   {"apiVersion: v1\nkind: A\nspec: &m {name: a}\nmetadata: *m\n", "b", "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n  namespace: b\nspec:\n  name: a\n"},
		"an anchor in a line": {head + "metadata: &m {name: a}\n", "b", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, err := manifest.Parse(tt.text)
			must(t, err)
			moved, err := m.In(tt.namespace)
			must(t, err)
			if diff := cmp.Diff(tt.want, moved.Text); diff != "" && tt.want != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			there, err := manifest.Parse(moved.Text)
			must(t, err)
			if !manifest.Equal(there, moved) || there.Namespace != tt.namespace || m.Namespace != "" {
				t.Errorf("namespace %q in:\n%s", there.Namespace, moved.Text)
			}
		})
	}
}

// FuzzParseAll checks that the text of each object that ParseAll finds is that object, also with a namespace.
func FuzzParseAll(f *testing.F) {
	for _, text := range []string{
		"---\n# a\n" + config("a") + "---\n" + config("b"), "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: A, metadata: {name: a, labels: &l {x: z}}}\n- metadata: *l\n",
		"%YAML 1.1\n--- # a\n{\"apiVersion\": \"v1\", \"kind\": \"A\", \"metadata\": {\"name\": \"a\"}}\n...\n", "\ufeff--- !!map\r\napiVersion: v1\r\nkind: A\r\nmetadata:\r\n  name: a\r\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := manifest.ParseAll(text)
		if err != nil {
			return
		}
		for _, located := range all {
			alone, err := manifest.Parse(located.Text)
			if err != nil || !manifest.Equal(alone, located.Manifest) {
				t.Fatalf("%s: %v, of:\n%s", located.Position, err, located.Text)
			}
			moved, err := located.In("elsewhere")
			if err != nil {
				t.Fatal(err)
			}
			if there, err := manifest.Parse(moved.Text); err != nil || !manifest.Equal(there, moved) || there.Namespace != "elsewhere" {
				t.Fatalf("%s: %v, of:\n%s", located.Position, err, moved.Text)
			}
		}
	})
}
