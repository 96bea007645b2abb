package patches

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// change is a patch that is applied to an object.
type change struct {
	kind Type
	gvk  schema.GroupVersionKind
	live string
	body string
	// want is the object afterwards; "" if the patch is in effect.
	want string
	// sent is the body of the request; "" if it is all of body.
	sent string
}

func TestApply(t *testing.T) {
	t.Parallel()
	for group, tests := range map[string]map[string]change{
		"json": jsonChanges, "items": itemChanges, "merge": mergeChanges, "strategic": strategicChanges, "numbers": numberChanges, "secrets": secretChanges,
	} {
		for name, tt := range tests {
			t.Run(group+"/"+name, func(t *testing.T) {
				t.Parallel()
				tt.check(t)
			})
		}
	}
}

func (c change) check(t *testing.T) {
	live := clustertest.Object(t, c.live)
	frozen(t, live)
	patch := parse(t, c.kind, c.body)
	frozen(t, patch.fields)
	got, err := patch.Apply(live, c.gvk)
	if err != nil {
		t.Fatal(err)
	}
	want := c.want
	if want == "" {
		want = c.live
	}
	expected := clustertest.Object(t, want)
	remove(expected, isNull)
	if diff := cmp.Diff(expected, got.After); diff != "" {
		t.Errorf("after (-want +got):\n%s", diff)
	}
	if got.InEffect != (c.want == "") {
		t.Errorf("in effect: %t", got.InEffect)
	}
	sent := c.sent
	if sent == "" {
		sent = c.body
	}
	if diff := cmp.Diff(body(t, sent), body(t, string(got.Body))); diff != "" {
		t.Errorf("sent (-want +got):\n%s", diff)
	}
	again, err := patch.Apply(got.After, c.gvk)
	if err != nil || !again.InEffect {
		t.Errorf("in effect after it: %t, %v", again.InEffect, err)
	}
}

var jsonChanges = map[string]change{
	"a field is replaced": {
		kind: JSON, live: "spec: {a: 1, b: 2}", body: "[{op: replace, path: /spec/a, value: 3}]", want: "spec: {a: 3, b: 2}"},
	"a field has the value": {
		kind: JSON, live: "spec: {a: 1, b: 2}", body: "[{op: replace, path: /spec/a, value: 1}]"},
	"a field is added": {
		kind: JSON, live: "spec: {a: 1}", body: "[{op: add, path: /spec/b, value: {c: [1]}}]", want: "spec: {a: 1, b: {c: [1]}}"},
	"an added field is there with another value": {
		kind: JSON, live: "spec: {a: 1}", body: "[{op: add, path: /spec/a, value: 2}]", want: "spec: {a: 2}"},
	"an added field is there": {
		kind: JSON, live: "spec: {a: {b: 1, c: [2]}}", body: "[{op: add, path: /spec/a, value: {c: [2], b: 1}}]"},
	"an added map replaces": {
		kind: JSON, live: "spec: {a: {b: 1}}", body: "[{op: add, path: /spec/a, value: {c: 1}}]", want: "spec: {a: {c: 1}}"},
	"a field of an added map": {
		kind: JSON, live: "spec: {}", body: "[{op: add, path: /spec/a, value: {}}, {op: add, path: /spec/a/b, value: 1}]", want: "spec: {a: {b: 1}}"},
	"a field is removed": {
		kind: JSON, live: "spec: {a: 1, b: 2}", body: "[{op: remove, path: /spec/a}]", want: "spec: {b: 2}"},
	"a removed field is missing": {
		kind: JSON, live: "spec: {b: 2}", body: "[{op: remove, path: /spec/a}]", sent: "[]"},
	"the map of a removed field is missing": {
		kind: JSON, live: "spec: {b: 2}", body: "[{op: remove, path: /metadata/annotations/a}]", sent: "[]"},
	"a text is where the map of a removed field would be": {
		kind: JSON, live: "spec: {b: x}", body: "[{op: remove, path: /spec/b/c}]", sent: "[]"},
	"one of two removed fields is missing": {
		kind: JSON, live: "spec: {b: 2}", body: "[{op: remove, path: /spec/a}, {op: remove, path: /spec/b}]", want: "spec: {}",
		sent: "[{op: remove, path: /spec/b}]"},
	"a field is removed twice": {
		kind: JSON, live: "spec: {a: 1}", body: "[{op: remove, path: /spec/a}, {op: remove, path: /spec/a}]", want: "spec: {}",
		sent: "[{op: remove, path: /spec/a}]"},
	"a removed field is null": {
		kind: JSON, live: "spec: {a: null, b: 1}", body: "[{op: remove, path: /spec/a}]", sent: "[]"},
	"a name with a slash and a tilde": {
		kind: JSON, live: "metadata: {annotations: {a.b/c~d: x}}", body: "[{op: replace, path: /metadata/annotations/a.b~1c~0d, value: z}]",
		want: "metadata: {annotations: {a.b/c~d: z}}"},
	"a name that is a number": {
		kind: JSON, live: "data: {'0': x}", body: "[{op: add, path: /data/1, value: z}]", want: "data: {'0': x, '1': z}"},
	"a test succeeds": {
		kind: JSON, live: "spec: {a: 1, b: {c: [x]}}", want: "spec: {a: 2, b: {c: [x]}}",
		body: "[{op: test, path: /spec/b, value: {c: [x]}}, {op: replace, path: /spec/a, value: 2}]"},
	"a test for a missing field succeeds": {
		kind: JSON, live: "spec: {a: 1}", body: "[{op: test, path: /spec/b, value: null}, {op: remove, path: /spec/a}]", want: "spec: {}"},
	"a test below a missing field is not sent": {
		kind: JSON, live: "spec: {a: 1}", body: "[{op: test, path: /spec/b/c, value: null}, {op: remove, path: /spec/a}]", want: "spec: {}",
		sent: "[{op: remove, path: /spec/a}]"},
	"a test of what the patch writes": {
		kind: JSON, live: "spec: {a: 1}", body: "[{op: add, path: /spec/a, value: 2}, {op: test, path: /spec/a, value: 2}]", want: "spec: {a: 2}"},
	"a test without nulls": {
		kind: JSON, live: "spec: {a: {b: 1, c: null}}", body: "[{op: test, path: /spec/a, value: {b: 1}}, {op: add, path: /spec/d, value: 1}]",
		want: "spec: {a: {b: 1}, d: 1}"},
	"a copy": {
		kind: JSON, live: "spec: {a: {b: 1}}", body: "[{op: copy, from: /spec/a, path: /spec/c}]", want: "spec: {a: {b: 1}, c: {b: 1}}"},
	"a copy is there": {
		kind: JSON, live: "spec: {a: {b: 1}, c: {b: 1}}", body: "[{op: copy, from: /spec/a, path: /spec/c}]"},
	"a copy of what the patch writes": {
		kind: JSON, live: "spec: {}", body: "[{op: add, path: /spec/a, value: 1}, {op: copy, from: /spec/a, path: /spec/b}]", want: "spec: {a: 1, b: 1}"},
	"null is no value": {
		kind: JSON, live: "spec: {a: 1}", body: "[{op: add, path: /spec/b, value: null}, {op: replace, path: /spec/a, value: null}]", want: "spec: {}"},
	"null replaces what is missing": {
		kind: JSON, live: "spec: {a: 1}", body: "[{op: replace, path: /spec/b/c, value: null}]", sent: "[]"},
	"null is what is missing": {
		kind: JSON, live: "spec: {a: 1}", body: "[{op: add, path: /spec/b, value: null}]"},
	"null within a value is sent": {
		kind: JSON, live: "spec: {}", body: "[{op: add, path: /spec/b, value: {c: null, d: 1}}]", want: "spec: {b: {d: 1}}"},
	"a value is written and removed": {
		kind: JSON, live: "spec: {}", body: "[{op: add, path: /spec/a, value: 1}, {op: remove, path: /spec/a}]"},
	"angle brackets": {
		kind: JSON, live: "data: {a: x}", body: "[{op: test, path: /data/a, value: x}, {op: add, path: /data/b, value: <&>}]", want: "data: {a: x, b: <&>}"},
}

var itemChanges = map[string]change{
	"an item is replaced": {
		kind: JSON, live: "spec: {a: [x, y]}", body: "[{op: replace, path: /spec/a/1, value: z}]", want: "spec: {a: [x, z]}"},
	"a field of an item is replaced": {
		kind: JSON, live: "spec: {a: [{b: 1}, {b: 2}]}", body: "[{op: add, path: /spec/a/1/b, value: 3}]", want: "spec: {a: [{b: 1}, {b: 3}]}"},
	"a list is replaced": {
		kind: JSON, live: "spec: {a: [x, y]}", body: "[{op: replace, path: /spec/a, value: [z]}]", want: "spec: {a: [z]}"},
	"an item is inserted": {
		kind: JSON, live: "spec: {a: [x, y]}", body: "[{op: test, path: /spec/a/0, value: x}, {op: add, path: /spec/a/1, value: z}]", want: "spec: {a: [x, z, y]}"},
	"an item is appended by its position": {
		kind: JSON, live: "spec: {a: [x, y]}", body: "[{op: add, path: /spec/a/2, value: z}]", want: "spec: {a: [x, y, z]}"},
	"an inserted item is there": {
		kind: JSON, live: "spec: {a: [x, z, y]}", body: "[{op: test, path: /spec/a/0, value: x}, {op: add, path: /spec/a/1, value: z}]",
		sent: "[{op: test, path: /spec/a/0, value: x}]"},
	"items are inserted in order": {
		kind: JSON, live: "spec: {a: [x]}", body: "[{op: add, path: /spec/a/0, value: 1}, {op: add, path: /spec/a/1, value: 2}]", want: "spec: {a: [1, 2, x]}"},
	"a copy of an item": {
		kind: JSON, live: "spec: {a: [x], b: z}", body: "[{op: copy, from: /spec/b, path: /spec/a/0}]", want: "spec: {a: [z, x], b: z}"},
	"the last item is removed": {
		kind: JSON, live: "spec: {a: [x, y]}", body: "[{op: test, path: /spec/a/0, value: x}, {op: remove, path: /spec/a/1}]", want: "spec: {a: [x]}"},
	"a removed item is missing": {
		kind: JSON, live: "spec: {a: [x]}", body: "[{op: remove, path: /spec/a/1}]", sent: "[]"},
	"a list that the patch writes": {
		kind: JSON, live: "spec: {}", want: "spec: {a: [x, w, z]}",
		body: "[{op: add, path: /spec/a, value: [x, z]}, {op: add, path: /spec/a/1, value: w}]"},
	"a list of lists": {
		kind: JSON, live: "spec: {a: [[1, 2], [3]]}", body: "[{op: replace, path: /spec/a/0/1, value: 4}]", want: "spec: {a: [[1, 4], [3]]}"},
	"null in a list": {
		kind: JSON, live: "spec: {a: [null, 1]}", body: "[{op: test, path: /spec/a/0, value: null}, {op: replace, path: /spec/a/1, value: 2}]",
		want: "spec: {a: [null, 2]}"},
}

var mergeChanges = map[string]change{
	"a field is set": {kind: Merge, live: "spec: {a: 1, b: 2}", body: "spec: {a: 3}", want: "spec: {a: 3, b: 2}"},
	"fields are as they should be": {
		kind: Merge, live: "spec: {a: 1, b: {c: [x], d: 2}}", body: "spec: {a: 1, b: {c: [x], e: null}}", sent: "spec: {a: 1, b: {c: [x]}}"},
	"maps are created on the way": {
		kind: Merge, live: "metadata: {name: a}", body: "metadata: {annotations: {b: c}}", want: "metadata: {name: a, annotations: {b: c}}"},
	"a field is removed":         {kind: Merge, live: "spec: {a: 1, b: 2}", body: "spec: {a: null}", want: "spec: {b: 2}"},
	"the last field is removed":  {kind: Merge, live: "spec: {a: {b: 1}}", body: "spec: {a: {b: null}}", want: "spec: {a: {}}"},
	"a list is replaced":         {kind: Merge, live: "spec: {a: [{b: 1}, {b: 2}]}", body: "spec: {a: [{b: 2}]}", want: "spec: {a: [{b: 2}]}"},
	"a map replaces a text":      {kind: Merge, live: "spec: {a: x}", body: "spec: {a: {b: 1, c: null}}", want: "spec: {a: {b: 1}}"},
	"a text replaces a map":      {kind: Merge, live: "spec: {a: {b: 1}}", body: "spec: {a: x}", want: "spec: {a: x}"},
	"an empty map creates one":   {kind: Merge, live: "spec: {}", body: "spec: {a: {}}", want: "spec: {a: {}}"},
	"an empty map changes none":  {kind: Merge, live: "spec: {a: {b: 1}}", body: "spec: {a: {}}"},
	"an empty list replaces":     {kind: Merge, live: "spec: {a: [1]}", body: "spec: {a: []}", want: "spec: {a: []}"},
	"a custom resource":          {kind: Merge, gvk: gadget, live: "spec: {a: 1}", body: "spec: {a: 2}", want: "spec: {a: 2}"},
	"null within a list":         {kind: Merge, live: "spec: {a: [{b: 1}]}", body: "spec: {a: [{b: 1, c: null}]}"},
	"a field that is null stays": {kind: Merge, live: "spec: {a: null, b: 1}", body: "spec: {b: 1}"},
	"null removes what is null":  {kind: Merge, live: "spec: {a: null, b: 1}", body: "spec: {a: null}", sent: "spec: {}"},
	"a removed field of a missing map": {
		kind: Merge, live: "metadata: {name: a}", body: "metadata: {annotations: {b: null}}", sent: "metadata: {}"},
	"removed fields of a missing map, and a change": {
		kind: Merge, live: "spec: {a: 1}", body: "spec: {a: 2, b: {c: {d: null}, e: null}, f: {g: null, h: 1}}", want: "spec: {a: 2, f: {h: 1}}",
		sent: "spec: {a: 2, f: {h: 1}}"},
	"a removed field of a map that is a text": {
		kind: Merge, live: "spec: {a: x}", body: "spec: {a: {b: null}}", want: "spec: {a: {}}"},
	"null removes what is absent": {kind: Merge, live: "spec: {b: 1}", body: "spec: {a: null}", sent: "spec: {}"},
}

var numberChanges = map[string]change{
	"a whole float": {kind: Merge, live: "spec: {a: 1.0, b: 2}", body: "spec: {a: 1, b: 2.0}", sent: "spec: {a: 1, b: 2}"},
	"over 2^53": {
		kind: Merge, live: "spec: {a: 9007199254740993, b: 1}", body: "spec: {b: 9007199254740995}", want: "spec: {a: 9007199254740993, b: 9007199254740995}"},
	"over 2^53, other": {
		kind: Merge, live: "spec: {a: 9007199254740993}", body: "spec: {a: 9007199254740992}", want: "spec: {a: 9007199254740992}"},
	"over 2^53, operations": {
		kind: JSON, live: "spec: {a: 9223372036854775807, b: 1}", want: "spec: {a: 9223372036854775807, b: 9223372036854775806}",
		body: "[{op: test, path: /spec/a, value: 9223372036854775807}, {op: add, path: /spec/b, value: 9223372036854775806}]"},
	"over 2^53, strategic": {
		kind: Strategic, gvk: deployment, live: "metadata: {x: 9007199254740993}\nspec: {replicas: 1}", body: "spec: {replicas: 9007199254740995}",
		want: "metadata: {x: 9007199254740993}\nspec: {replicas: 9007199254740995}"},
	"a fraction": {kind: Merge, live: "spec: {a: 0.1}", body: "spec: {a: 0.1}"},
	"a test of a whole float": {
		kind: JSON, live: "spec: {a: 1}", body: "[{op: test, path: /spec/a, value: 1.0}, {op: add, path: /spec/b, value: 1}]", want: "spec: {a: 1, b: 1}"},
	"a merge key that is a whole float": {
		kind: Strategic, gvk: deployment, live: podWith("{containers: [{name: a, ports: [{containerPort: 80}]}]}"),
		body: podWith("{containers: [{name: a, ports: [{containerPort: 80.0}]}]}")},
	"a number and its text": {kind: Merge, live: "spec: {a: 1}", body: "spec: {a: '1'}", want: "spec: {a: '1'}"},
}

var secretChanges = map[string]change{
	"stringData becomes data": {
		kind: Merge, gvk: secret, live: "data: {a: YQ==}", body: "stringData: {b: b}", want: "data: {a: YQ==, b: Yg==}"},
	"stringData is there": {
		kind: Strategic, gvk: secret, live: "data: {a: YQ==}", body: "stringData: {a: a}"},
	"stringData by an operation": {
		kind: JSON, gvk: secret, live: "data: {a: YQ==}", body: "[{op: add, path: /stringData, value: {a: b}}]", want: "data: {a: Yg==}"},
	"stringData of another kind": {
		kind: Merge, gvk: gadget, live: "data: {a: YQ==}", body: "stringData: {a: a}", want: "data: {a: YQ==}\nstringData: {a: a}"},
}

func TestSentAsTheServerWrites(t *testing.T) {
	t.Parallel()
	patch, err := Parse("", JSON, `[{"value": "<&>", "path": "/data/a", "op": "test"}, {"op":"add","path":"/data/b","value":1e2}]`)
	if err != nil {
		t.Fatal(err)
	}
	got, err := patch.Apply(clustertest.Object(t, "data: {a: <&>}"), gadget)
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"op":"test","path":"/data/a","value":"\u003c\u0026\u003e"},{"op":"add","path":"/data/b","value":100}]`
	if diff := cmp.Diff(want, string(got.Body)); diff != "" {
		t.Errorf("body (-want +got):\n%s", diff)
	}
}

func TestGoNumbers(t *testing.T) {
	t.Parallel()
	got, err := parse(t, Merge, "spec: {a: 1, b: 2, c: 3}").Apply(map[string]any{"spec": map[string]any{"a": 1, "b": float32(2), "c": 3.0}}, gadget)
	if err != nil || !got.InEffect {
		t.Errorf("in effect: %t, %v", got.InEffect, err)
	}
}

func TestApplyTestFailed(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		live string
		want TestFailedError
	}{
		"another value":  {"spec: {a: {b: 1, c: null}}", TestFailedError{Pointer: "/spec/a", Want: "x", Found: map[string]any{"b": int64(1)}}},
		"no value":       {"spec: {}", TestFailedError{Pointer: "/spec/a", Want: "x", Missing: true}},
		"no map":         {"metadata: {}", TestFailedError{Pointer: "/spec/a", Want: "x", Missing: true}},
		"a similar text": {"spec: {a: X}", TestFailedError{Pointer: "/spec/a", Want: "x", Found: "X"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := parse(t, JSON, "[{op: test, path: /spec/a, value: x}, {op: add, path: /spec/b, value: 1}]").Apply(clustertest.Object(t, tt.live), gadget)
			isFault(t, err)
			var details *TestFailedError
			if !errors.As(err, &details) {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, *details); diff != "" {
				t.Errorf("details (-want +got):\n%s", diff)
			}
		})
	}
}

func TestApplyNoStrategicMerge(t *testing.T) {
	t.Parallel()
	_, err := parse(t, Strategic, "spec: {a: 1}").Apply(clustertest.Object(t, "spec: {}"), gadget)
	want := `Gadget (example.com/v1) has no known strategic merge: only the kinds that are built into Kubernetes have one. ` +
		`Set type = "merge", which replaces lists as a whole, or use server-side apply.`
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("error (-want +got):\n%s", diff)
	}
}
