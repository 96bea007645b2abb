package tosca

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/documents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// FuzzRead checks that any text with any string as its inputs becomes objects or a *manifest.Error, in time, and that
// each object is that of its text.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		nodes(config), nodes("|\n          a"), nodes("{get_property: [b, spec]}", "{concat: [a, {get_property: [a, spec]}]}"), packed(f, "app.yaml", nodes(config)), packed(f, metaFile, "Entry-Definitions: a\n", "a", nodes(config)),
		withData("s: {type: string, default: a}", "{get_input: s}"), withData("s: {type: string}, m: {type: map, default: {a: [b]}}", "{concat: [{get_input: s}, {get_input: [m, a, 0]}, {get_property: [SELF, list, 1, y]}]}"),
		version + "imports: [a, {b: {file: c}}]\nnode_types: {a: {derived_from: a}}\n", "UEsDBA==", "a: &a [*a]", version + "topology_template: &t {node_templates: {a: {type: " + objectType + ", properties: {spec: *t}}}}\n",
	} {
		f.Add(text, "yes")
	}
	f.Fuzz(func(t *testing.T, text, given string) {
		begin := time.Now()
		objects, err := Read(text, map[string]any{"s": given}, documents.Options{})
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("took %s", took)
		}
		if err != nil {
			var fault *manifest.Error
			if !errors.As(err, &fault) || fault.Problem == "" || !strings.HasSuffix(fault.Suggestion, ".") {
				t.Fatalf("error %#v", err)
			}
			return
		}
		for _, object := range objects {
			if _, err := manifest.Parse(object.Text); err != nil {
				t.Fatalf("%v, of:\n%s", err, object.Text)
			}
		}
	})
}

// FuzzGiven checks that a string in a map is that string in the object.
func FuzzGiven(f *testing.F) {
	for _, text := range []string{"yes", "012", "1:30", "~", "a: b", "# a", " a\n\tb\r\n", "\u2028", "---\na", "{{ a }}", "1e3", "=", "<<", "\x00", "\x7f"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "")
		objects, err := Read(withData("s: {type: string}", "{x: {get_input: s}}"), map[string]any{"s": text}, documents.Options{})
		if err != nil || len(objects) != 1 {
			t.Fatalf("%q: %v", text, err)
		}
		m, err := manifest.Parse(objects[0].Text)
		if err != nil {
			t.Fatalf("%q: %v of\n%s", text, err, objects[0].Text)
		}
		if data, _ := m.Object["data"].(map[string]any); data["x"] != text {
			t.Errorf("%q, want %q", data["x"], text)
		}
	})
}
