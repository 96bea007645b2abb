package functions_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// The problems of a text have the lines of the whole text.
func TestProblems(t *testing.T) {
	const manifests = `apiVersion: v1
kind: Other
metadata: {name: a}
any: 1
---

# a comment
apiVersion: v1
kind: ConfigMap
metadata:
  name: web
dat: {}
---
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: b}
  data:
    a: 7
---
{apiVersion: v2, kind: ConfigMap, metadata: {name: c}}
---
{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: a}, spec: {group: example.io, names: {kind: Shop}}}
---
{apiVersion: example.io/v1, kind: Shop, metadata: {name: d}, new: 1}
---
{apiVersion: example.io/v1, kind: Store, metadata: {name: e}, new: 1}
`
	t.Setenv("K8SCONNECT_SCHEMAS", "")
	if got, failed := call(t, "problems", text(manifests)); failed != nil || !got.IsNull() {
		t.Errorf("without a folder: %v, %v", got, failed)
	}
	folder := t.TempDir()
	t.Setenv("K8SCONNECT_SCHEMAS", folder)
	if _, failed := call(t, "problems", text(manifests)); failed == nil || !strings.Contains(failed.Text, "version.json") {
		t.Errorf("a folder without schemas: %v", failed)
	}
	for name, content := range map[string]string{
		"version.json": `{"gitVersion": "v1.37.2", "major": "1", "minor": "37", "files": ["v1.json"]}`,
		"apiextensions.k8s.io.v1.json": `{"components": {"schemas": {"CustomResourceDefinition": {"type": "object",
			"x-kubernetes-group-version-kind": [{"group": "apiextensions.k8s.io", "version": "v1", "kind": "CustomResourceDefinition"}]}}}}`,
		"example.io.v1.json": `{"components": {"schemas": {
			"Shop": {"type": "object", "properties": {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"}},
				"x-kubernetes-group-version-kind": [{"group": "example.io", "version": "v1", "kind": "Shop"}]},
			"Store": {"type": "object", "properties": {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"}},
				"x-kubernetes-group-version-kind": [{"group": "example.io", "version": "v1", "kind": "Store"}]}}}}`,
		"v1.json": `{"components": {"schemas": {"ConfigMap": {"type": "object",
			"x-kubernetes-group-version-kind": [{"group": "", "version": "v1", "kind": "ConfigMap"}],
			"properties": {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"},
			"data": {"type": "object", "additionalProperties": {"type": "string"}}}}}}}`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, failed := call(t, "problems", text("a: [")); failed == nil || !strings.Contains(failed.Text, "not valid YAML") {
		t.Errorf("a text that is no YAML: %v", failed)
	}
	got, failed := call(t, "problems", text(manifests))
	if failed != nil {
		t.Fatal(failed)
	}
	want := [][4]string{
		{"Other a (v1)", "kind", "2", "its API version has no such kind"},
		{"ConfigMap web (v1)", "dat", "12", "no such field (did you mean data?)"},
		{"ConfigMap b (v1)", "data.a", "17", "expected string"},
		{"ConfigMap c (v2)", "apiVersion", "23", "the server has no such version (did you mean v1?)"},
		{"Store e (example.io/v1)", "new", "29", "no such field"},
	}
	if diff := cmp.Diff(want, rows(t, got)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	const fits = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n---\n{apiVersion: example.com/v1, kind: Other, metadata: {name: a}}"
	if got, failed := call(t, "problems", text(fits)); failed != nil || len(rows(t, got)) > 0 || got.IsNull() {
		t.Errorf("of what fits: %v, %v", got, failed)
	}
}

func rows(t *testing.T, list tftypes.Value) [][4]string {
	t.Helper()
	var all [][4]string
	for _, element := range elementsOf(t, list) {
		var fields map[string]tftypes.Value
		if err := element.As(&fields); err != nil {
			t.Fatal(err)
		}
		var row [4]string
		for i, name := range []string{"object", "path", "line", "message"} {
			if name == "line" {
				row[i] = strings.TrimSuffix(strings.TrimPrefix(fields[name].String(), `tftypes.Number<"`), `">`)
				continue
			}
			if err := fields[name].As(&row[i]); err != nil {
				t.Fatal(err)
			}
		}
		all = append(all, row)
	}
	return all
}

func elementsOf(t *testing.T, list tftypes.Value) []tftypes.Value {
	t.Helper()
	var elements []tftypes.Value
	if err := list.As(&elements); err != nil {
		t.Fatal(err)
	}
	return elements
}
