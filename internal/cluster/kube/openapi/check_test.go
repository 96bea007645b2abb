package openapi

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// shop has a kind of a definition, with everything that a structural schema may have.
const shop = `{"components": {"schemas": {
	"io.example.v1.Shop": {
		"type": "object", "required": ["spec"],
		"x-kubernetes-group-version-kind": [{"group": "example.io", "version": "v1", "kind": "Shop"}],
		"properties": {
			"apiVersion": {"type": "string"}, "kind": {"type": "string"},
			"metadata": {"allOf": [{"$ref": "#/components/schemas/ObjectMeta"}]},
			"status": {"type": "object", "required": ["phase"], "properties": {"phase": {"type": "string"}}},
			"spec": {"type": "object", "required": ["name", "mode"], "minProperties": 2, "maxProperties": 16, "properties": {
				"name": {"type": "string", "minLength": 2, "pattern": "^[a-z]+$", "allOf": [{"maxLength": 5}]},
				"mode": {"type": "string", "enum": ["on", "off"], "default": "on"},
				"port": {"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}], "pattern": "^[a-z%0-9]+$"},
				"step": {"type": "number", "multipleOf": 0.5}, "count": {"type": "integer", "format": "int32"},
				"address": {"oneOf": [{"type": "string", "format": "ipv4"}, {"type": "string", "format": "ipv6"}]},
				"switch": {"type": "object", "oneOf": [{"properties": {"mode": {"enum": ["on"]}}}, {"properties": {"mode": {"enum": ["off"]}}}],
					"properties": {"mode": {"type": "string", "default": "on"}}},
				"since": {"type": "string", "format": "date-time"}, "path": {"type": "string", "format": "unknown"},
				"note": {"type": "string", "nullable": true},
				"free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {
					"a": {"type": "object", "properties": {"b": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}}},
				"pod": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true,
					"required": ["apiVersion", "kind"], "properties": {"apiVersion": {"type": "string"}, "kind": {"type": "string"},
					"metadata": {"allOf": [{"$ref": "#/components/schemas/ObjectMeta"}]}}},
				"size": {"type": "integer", "enum": [100, 1000000]}, "fine": {"type": "number", "multipleOf": 0.1, "maximum": 1000000000},
				"labels": {"type": "object", "additionalProperties": {"type": "string"}},
				"any": {"type": "object", "additionalProperties": true},
				"tags": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set", "minItems": 1, "maxItems": 3},
				"ports": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port", "protocol"],
					"items": {"type": "object", "required": ["port"], "properties": {
						"port": {"type": "integer", "minimum": 1}, "protocol": {"type": "string", "default": "TCP"}}}},
				"source": {"type": "object", "oneOf": [{"required": ["git"]}, {"required": ["oci"]}], "not": {"required": ["old"]},
					"properties": {"git": {"type": "string"}, "oci": {"type": "string"}, "old": {"type": "string"}}}
			}}}},
	"ObjectMeta": {"type": "object", "properties": {
		"name": {"type": "string"}, "labels": {"type": "object", "additionalProperties": {"type": "string", "default": ""}}}}
}}}`

// folderWith returns a folder with the file of a group version.
func folderWith(t testing.TB, gv schema.GroupVersion, text string) Folder {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, FileOf(gv)), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Folder(folder)
}

var shopKind = schema.GroupVersionKind{Group: "example.io", Version: "v1", Kind: "Shop"}

// decoded returns the value of a text as manifests have it.
func decoded(t testing.TB, text string) map[string]any {
	t.Helper()
	encoded, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]any
	if err := utiljson.Unmarshal(encoded, &object); err != nil { // Whole numbers are int64, as in manifests.
		t.Fatal(err)
	}
	return object
}

func TestCheck(t *testing.T) {
	t.Parallel()
	kind, err := folderWith(t, shopKind.GroupVersion(), shop).Kind(shopKind)
	if err != nil || kind == nil {
		t.Fatal("the kind is not found:", err)
	}
	for name, test := range map[string]struct {
		spec string
		want []string
	}{
		"everything fits": {`{name: abc, port: 80%, step: 1.5, note: null, free: {x: {y: 1}, a: {b: {c: [1]}}}, labels: {x: "1"}, any: {x: 1},
			pod: {apiVersion: v1, kind: Pod, spec: {x: 1}, metadata: {name: a}}, tags: [a, b], ports: [{port: 1}, {port: 1, protocol: UDP}], source: {git: a}}`, nil},
		"texts with a format":           {`{name: abc, address: 10.0.0.1, since: "2026-01-01T00:00:00Z", path: "?"}`, nil},
		"texts of another format":       {`{name: abc, address: a.b, since: today, count: 3000000000}`, []string{"spec.address: expected string (ipv4) or string (ipv6) (whole)", "spec.count: has to be of the format int32", "spec.since: has to be of the format date-time"}},
		"a whole number as port":        {`{name: abc, port: 80}`, nil},
		"an unknown field":              {`{name: abc, nme: x}`, []string{"spec.nme: no such field [spec.name]"}},
		"below what is free":            {`{name: abc, free: {a: {c: 1, b: 1}}}`, []string{"spec.free.a.b: expected map"}},
		"in an embedded object":         {`{name: abc, pod: {kind: Pod, metadata: {labels: {a: 1}, nme: a}}}`, []string{"spec.pod.apiVersion: required, and missing", "spec.pod.metadata.labels.a: expected string", "spec.pod.metadata.nme: no such field [spec.pod.metadata.name]"}},
		"missing, with a default":       {`{note: a}`, []string{"spec.name: required, and missing"}},
		"missing, as null":              {`{name: null}`, []string{"spec.name: required, and missing"}},
		"other types":                   {`{name: [a], port: {a: 1}, labels: x, tags: {a: 1}, step: "2", any: 1, mode: 1}`, []string{"spec.any: expected map", "spec.labels: expected map", "spec.mode: expected string", "spec.name: expected string", "spec.port: expected string or integer", "spec.step: expected numeric", "spec.tags: expected list"}},
		"limits":                        {`{name: abcdef, mode: auto, port: "A", step: 1.2, tags: [], ports: [{port: 0}]}`, []string{"spec.mode: supported values: on, off", "spec.name: may have at most 5 characters", "spec.port: has to match ^[a-z%0-9]+$", "spec.ports[0].port: has to be at least 1", "spec.step: has to be a multiple of 0.5", "spec.tags: needs 1 or more items (whole)"}},
		"too many items":                {`{name: abc, tags: [a, b, c, d]}`, []string{"spec.tags: may have 3 items at most (whole)"}},
		"too few entries":               {`{}`, []string{"spec: needs 2 or more entries (whole)", "spec.name: required, and missing"}},
		"large numbers":                 {`{name: abc, fine: 1000000000, size: 1000000}`, nil},
		"other large numbers":           {`{name: abc, fine: 2000000000.05, size: 1000001}`, []string{"spec.fine: has to be at most 1000000000", "spec.size: supported values: 100, 1000000"}},
		"the same item of a set":        {`{name: abc, tags: [a, b, a]}`, []string{"spec.tags[2]: is the same as spec.tags[0] (whole)"}},
		"the same keys, one by default": {`{name: abc, ports: [{port: 1}, {port: 2}, {port: 1, protocol: TCP}]}`, []string{"spec.ports[2]: has the same port and protocol as spec.ports[0] (whole)"}},
		"a key is missing":              {`{name: abc, ports: [{}, {}]}`, []string{"spec.ports[0].port: required, and missing", "spec.ports[1].port: required, and missing"}},
		"two alternatives":              {`{name: abc, source: {git: a, oci: b}}`, []string{"spec.source: fits 2 of the alternatives of its schema, and has to fit one: with git, or with oci (whole)"}},
		"alternatives after defaults":   {`{name: abc, switch: {}}`, nil},
		"what is excluded":              {`{name: abc, source: {git: a, old: b}}`, []string{"spec.source: is what its schema excludes (whole)"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			object := decoded(t, "{apiVersion: example.io/v1, kind: Shop, metadata: {name: a}, status: {any: 1}, spec: "+test.spec+"}")
			if diff := cmp.Diff(test.want, written(kind.Check(object, Whole))); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
	part := decoded(t, `{spec: {note: null, tags: [a, a], $patch: merge, ports: [{protocol: 1}]}, status: {phase: 1}}`)
	want := []string{"spec.ports[0].protocol: expected string", "spec.tags[1]: is the same as spec.tags[0] (whole)", "status.phase: expected string"}
	if diff := cmp.Diff(want, written(kind.Check(part, Part))); diff != "" {
		t.Errorf("problems of a part (-want +got):\n%s", diff)
	}
}

// A part of a list with keys is merged into the list.
func TestCheckPartOfList(t *testing.T) {
	t.Parallel()
	kind, err := folderWith(t, shopKind.GroupVersion(), shop).Kind(shopKind)
	if err != nil || kind == nil {
		t.Fatal("the kind is not found:", err)
	}
	part := decoded(t, `{spec: {tags: [], ports: [{port: 1, protocol: UDP, $patch: delete}, {port: 1, protocol: UDP}]}}`)
	if problems := kind.Check(part, Part); len(problems) > 0 {
		t.Errorf("false alarm: %v", written(problems))
	}
}

func TestCheckAt(t *testing.T) {
	t.Parallel()
	kind, err := folderWith(t, shopKind.GroupVersion(), shop).Kind(shopKind)
	if err != nil || kind == nil {
		t.Fatal("the kind is not found:", err)
	}
	for path, test := range map[string]struct {
		value any
		want  []string
	}{
		"spec mode":             {"on", nil},
		"spec step":             {"2", []string{"spec.step: expected numeric"}},
		"spec nme":              {"a", []string{"spec.nme: no such field [spec.name]"}},
		"spec ports 3 protocol": {int64(1), []string{"spec.ports[3].protocol: expected string"}},
		"spec ports -":          {map[string]any{"prt": "a"}, []string{"spec.ports[0].prt: no such field [spec.ports[0].port]"}},
		"spec free x y":         {int64(1), nil},
		"spec any x y":          {int64(1), nil},
		"spec labels a/b":       {int64(1), []string{"spec.labels.a/b: expected string"}},
		"spec name first":       {"a", nil},
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, written(kind.CheckAt(strings.Fields(path), test.value))); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func written(problems []Problem) []string {
	var texts []string
	for _, p := range problems {
		text := p.Field + ": " + p.Text
		if p.Text == NotDeclared {
			text += fmt.Sprint(" ", p.Nearest)
		}
		if p.IsOfWhole {
			text += " (whole)"
		}
		texts = append(texts, text)
	}
	return texts
}

// A built-in kind is one of Go: what is not there is a zero value.
func TestCheckBuiltIn(t *testing.T) {
	t.Parallel()
	gv := schema.GroupVersion{Group: "apps", Version: "v1"}
	kind, err := folderWith(t, gv, `{"components": {"schemas": {
		"apps.Web": {"type": "object", "x-kubernetes-group-version-kind": [{"group": "apps", "version": "v1", "kind": "Web"}], "properties": {
			"spec": {"allOf": [{"$ref": "#/components/schemas/Spec"}], "default": {}}}},
		"Spec": {"type": "object", "required": ["name", "isOpen"], "properties": {
			"name": {"type": "string", "default": ""}, "isOpen": {"type": "boolean", "default": false},
			"policy": {"type": "string", "enum": ["Always", "Never"]},
			"port": {"allOf": [{"$ref": "#/components/schemas/IntOrString"}]},
			"memory": {"allOf": [{"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity"}]},
			"since": {"allOf": [{"$ref": "#/components/schemas/Time"}]}, "resources": {"type": "object", "properties": {"a": {"type": "string"}}},
			"data": {"type": "object", "additionalProperties": {"type": "string", "format": "byte"}}}},
		"IntOrString": {"format": "int-or-string", "oneOf": [{"type": "integer"}, {"type": "string"}]},
		"Time": {"type": "string", "format": "date-time"},
		"io.k8s.apimachinery.pkg.api.resource.Quantity": {"oneOf": [{"type": "string"}, {"type": "number"}]}
	}}}`).Kind(gv.WithKind("Web"))
	if err != nil || kind == nil {
		t.Fatal("the kind is not found:", err)
	}
	fits := `{spec: {name: a, policy: "", port: 80, memory: 1.5, since: null, resources: {}, data: {a: aGFsbG8=}}, status: {}}`
	if got := kind.Check(decoded(t, fits), Whole); len(got) > 0 {
		t.Errorf("false alarm: %v", written(got))
	}
	want := []string{
		"spec.data.a: the server cannot read the value", "spec.memory: the server cannot read the value", "spec.name: required, and missing",
		"spec.policy: supported values: Always, Never", "spec.port: expected integer or string (whole)",
	}
	if diff := cmp.Diff(want, written(kind.Check(decoded(t, `{spec: {policy: always, port: {}, memory: 1Mb, data: {a: "?"}}}`), Whole))); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// A kind of another API server is one of Go, too, and nothing tells what the server requires.
func TestCheckAggregated(t *testing.T) {
	t.Parallel()
	gv := schema.GroupVersion{Group: "example.io", Version: "v1"}
	kind, err := folderWith(t, gv, `{"components": {"schemas": {
		"Package": {"type": "object", "x-kubernetes-group-version-kind": [{"group": "example.io", "version": "v1", "kind": "Package"}], "required": ["spec"],
			"properties": {"spec": {"allOf": [{"$ref": "#/components/schemas/Spec"}], "default": {}}}},
		"Spec": {"type": "object", "required": ["name", "template"], "properties": {"name": {"type": "string", "default": ""}, "mode": {"type": "string", "enum": ["a"]},
			"releasedAt": {"allOf": [{"$ref": "#/components/schemas/Time"}], "default": {}}, "template": {"allOf": [{"$ref": "#/components/schemas/Inner"}], "default": {}}}},
		"Inner": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "default": ""}}},
		"Time": {"type": "string", "format": "date-time"}
	}}}`).Kind(gv.WithKind("Package"))
	if err != nil || kind == nil {
		t.Fatal("the kind is not found:", err)
	}
	for _, spec := range []string{"{}", "{template: {}}", `{mode: ""}`} {
		if got := kind.Check(decoded(t, "{spec: "+spec+"}"), Whole); len(got) > 0 {
			t.Errorf("false alarm of %s: %v", spec, written(got))
		}
	}
	want := []string{"spec.mode: supported values: a", "spec.nme: no such field [spec.name]", "spec.releasedAt: expected string"}
	if diff := cmp.Diff(want, written(kind.Check(decoded(t, "{spec: {mode: b, nme: a, releasedAt: 1}}"), Whole))); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func BenchmarkCheck(b *testing.B) {
	kind, err := folderWith(b, shopKind.GroupVersion(), shop).Kind(shopKind)
	if err != nil {
		b.Fatal(err)
	}
	object := decoded(b, `{metadata: {name: a}, spec: {name: a, policy: always, port: {}, memory: 1Mb, data: {a: "?"}}}`)
	for b.Loop() {
		kind.Check(object, Whole)
	}
}

// A file is read again after a change. A kind without a file has no schema, and a file that is broken is an error.
func TestFolder(t *testing.T) {
	t.Parallel()
	folder := folderWith(t, shopKind.GroupVersion(), shop)
	first, err := folder.Kind(shopKind)
	if again, _ := folder.Kind(shopKind); err != nil || first == nil || again != first {
		t.Errorf("the file is not kept: %v", err)
	}
	version := `{"files": ["apps.v1.json", "policy.networking.k8s.io.v1.json", "policy.v1.json", "policy.v1beta2.json", "v1.json"]}`
	if err := os.WriteFile(filepath.Join(string(folder), VersionFile), []byte(version), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := folder.Kind(schema.GroupVersionKind{Group: "other.io", Version: "v1", Kind: "A"}); got != nil || err != nil {
		t.Errorf("a kind without a file: %v, %v", got, err)
	}
	if got, err := folder.Kind(schema.GroupVersionKind{Version: "v1", Kind: "Pod"}); got != nil || err == nil || !strings.Contains(err.Error(), "v1.json is missing") {
		t.Errorf("a file that is lost: %v, %v", got, err)
	}
	for gv, nearest := range map[schema.GroupVersion][]string{
		{Group: "policy", Version: "v1beta1"}: {"policy/v1", "policy/v1beta2"}, {Version: "v2"}: {"v1"}, {Group: "appps", Version: "v1"}: nil,
	} {
		got, err := folder.Kind(gv.WithKind("Any"))
		if err != nil || got == nil {
			t.Errorf("%s, which the server does not have: %v", gv, err)
			continue
		}
		want := []Problem{{Field: "apiVersion", At: []any{"apiVersion"}, Text: NotServed, Nearest: nearest}}
		for _, problems := range [][]Problem{got.Check(nil, Whole), got.Check(nil, Part), got.CheckAt([]string{"spec"}, 1)} {
			if diff := cmp.Diff(want, problems); diff != "" {
				t.Errorf("problems of %s (-want +got):\n%s", gv, diff)
			}
		}
	}
	path := filepath.Join(string(folder), FileOf(shopKind.GroupVersion()))
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if got, err := folder.Kind(shopKind); got != nil || err == nil || !strings.Contains(err.Error(), "example.io.v1.json") {
		t.Errorf("a broken file: %v, %v", got, err)
	}
}
