package blame

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	yamlv3 "go.yaml.in/yaml/v3"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
)

// texts are strings that YAML would read as something else, or that need care.
var texts = []string{
	"", " ", "a", "yes", "no", "on", "y", "n", "true", "null", "~", "1", "1.5", "1e3", "0x1F", "012", "0o7", "1_000", "1:30", ".inf", ".nan",
	"2001-01-01", "2001-01-01T00:00:00Z", "# x", "a # b", "a #b", "a: b", "a:", ": a", "- a", "-", "---", "...", "? a", "?", "|", ">", "&a", "*a", "!a", "%a",
	"@a", "`a", "{a}", "[a]", "a, b", `"a"`, "'a'", `\`, `a\n`, "<<", "=", "a\nb", "a\nb\n", "a\n\n\n", "\na", "\n", "\n\n", " a\nb", "  a\n b\n", "a \nb", "a\n ",
	"a\n \nb\n", "\ta\nb", "a\tb", "a\t\nb", "a\r\nb", "\r", "---\na\n", "...\n", "# a\n# b\n", "é ☃ 日本語", "日本\n語\n", "\u00a0", "\u0085", "a\u2028b", "a\u2028\nb\n", "\ufeffa",
	"\u2029x\ny", "a\x00b", "\x7f", "\U0001F600", strings.Repeat("long ", 60), strings.Repeat("x", 5000), strings.Repeat("k", 1200), "a\n" + strings.Repeat("b ", 80) + "c\n",
}

// garden makes objects, and entries of managedFields that fit them.
type garden struct{ *rand.Rand }

func (g garden) text() string { return texts[g.IntN(len(texts))] }

func (g garden) value(depth int) any {
	kinds := 9
	if depth == 0 {
		kinds = 7
	}
	switch g.IntN(kinds) {
	case 0:
		return g.IntN(2) == 0
	case 1:
		return int64(g.IntN(1 << 30))
	case 2:
		return []any{1.5, -0.25, 1e21, 3e-9, 1e300, nil}[g.IntN(6)]
	case 7:
		return g.object(depth - 1)
	case 8:
		list := make([]any, g.IntN(4))
		for i := range list {
			list[i] = g.value(depth - 1)
		}
		return list
	default:
		return g.text()
	}
}

func (g garden) object(depth int) map[string]any {
	object := map[string]any{}
	for range g.IntN(5) {
		object[g.text()] = g.value(depth)
	}
	if g.IntN(2) == 0 {
		object["name"] = g.text()
	}
	return object
}

// claim inserts some of the fields of a value.
func (g garden) claim(value any, path paths.Path, into *paths.Set) {
	if len(path) > 0 && g.IntN(2) == 0 {
		into.Insert(path)
	}
	if g.IntN(4) == 0 {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for name, below := range value {
			g.claim(below, paths.Below(path, paths.Field(name)), into)
		}
	case []any:
		for i, item := range value {
			element := paths.Index(i)
			fields, isMap := item.(map[string]any)
			if name, has := fields["name"]; isMap && has && g.IntN(2) == 0 {
				element = paths.Key(map[string]any{"name": name})
			} else if !isMap && g.IntN(2) == 0 {
				element = paths.Value(item)
			}
			g.claim(item, paths.Below(path, element), into)
		}
	}
}

func (g garden) entries(t *testing.T, object map[string]any) []metav1.ManagedFieldsEntry {
	var entries []metav1.ManagedFieldsEntry
	for i := range 3 {
		fields := paths.NewSet()
		g.claim(object, nil, fields)
		text, err := paths.MarshalSet(fields)
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, applied(fmt.Sprint("manager-", i), string(text)))
	}
	return entries
}

// The annotated text of any object is YAML that means the object shown, to the library that writes it and
// to the one that kubectl reads with, and no two fields share a path.
func TestAnnotatedYAMLMeansTheObject(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3000) {
		g := garden{rand.New(rand.NewPCG(seed, 7))}
		object := g.object(4)
		checkRead(t, object, g.entries(t, object))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// Each of the texts is written safely as value, key, list item and key of an item.
func TestEachTextIsWrittenSafely(t *testing.T) {
	t.Parallel()
	for _, text := range texts {
		checkRead(t, map[string]any{
			"a": text, text: text, "l": []any{text, []any{text, []any{text}}, map[string]any{"a": text, text: "b"}, map[string]any{text: []any{text}}},
			"m": map[string]any{"x": map[string]any{text: map[string]any{"a": text}}}, "z": text,
		}, []metav1.ManagedFieldsEntry{applied("a", `{"f:a":{},"f:l":{},"f:z":{}}`), applied(text, `{"f:a":{},"f:m":{}}`)})
	}
}

// checkRead reads an object with its status and checks what holds for every object.
func checkRead(t *testing.T, object map[string]any, entries []metav1.ManagedFieldsEntry) {
	t.Helper()
	report, err := Read(object, entries, Query{Status: WithStatus})
	if err != nil {
		t.Fatal(err)
	}
	want := projection.Fingerprint(shortened(WithStatus.shown(object)))
	asJSON, err := yaml.YAMLToJSONStrict([]byte(report.AnnotatedYAML))
	var byKubectl, byV3 any
	if err == nil {
		err = utiljson.Unmarshal(asJSON, &byKubectl)
	}
	if got := projection.Fingerprint(byKubectl); err != nil || got != want {
		t.Errorf("kubectl reads %s, want %s (%v) from\n%s", got, want, err, report.AnnotatedYAML)
	}
	if err := yamlv3.Unmarshal([]byte(report.AnnotatedYAML), &byV3); err != nil || projection.Fingerprint(byV3) != want {
		t.Errorf("the library reads %#v (%v) from\n%s", byV3, err, report.AnnotatedYAML)
	}
	for line := range strings.Lines(report.AnnotatedYAML) {
		if strings.HasSuffix(line, " \n") {
			t.Errorf("a line ends in a blank: %q", line)
		}
	}
	seen := map[string]bool{}
	for _, field := range append(report.Fields, report.Unowned...) {
		if seen[field.Path] {
			t.Errorf("%s is there twice", field.Path)
		}
		seen[field.Path] = true
	}
}

// shortened returns a value with digests instead of its long texts.
func shortened(value any) any {
	switch value := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(value))
		for key, below := range value {
			out[key] = shortened(below)
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i, item := range value {
			out[i] = shortened(item)
		}
		return out
	}
	return short(value)
}
