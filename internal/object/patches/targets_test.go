package patches

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

func TestTargets(t *testing.T) {
	t.Parallel()
	const (
		web = `{spec: {replicas: 2, selector: {a: b}, template: {metadata: {annotations: {x: "1", z: "2"}}, spec: {
			containers: [{name: app, image: i, args: [a, b], env: [{name: A, value: "1"}, {name: B, value: "2"}]}, {name: log, image: l}]}}},
			metadata: {finalizers: [example.com/a, example.com/b]}}`
		named = `{"f:spec":{"f:replicas":{},"f:selector":{},"f:template":{"f:metadata":{"f:annotations":{"f:x":{},"f:z":{}}},"f:spec":{"f:containers":{
			"k:{\"name\":\"app\"}":{".":{},"f:name":{},"f:image":{},"f:args":{},"f:env":{"k:{\"name\":\"A\"}":{".":{},"f:name":{},"f:value":{}},
			"k:{\"name\":\"B\"}":{".":{},"f:name":{},"f:value":{}}}},"k:{\"name\":\"log\"}":{".":{},"f:name":{},"f:image":{}}}}}},
			"f:metadata":{"f:finalizers":{"v:\"example.com/a\"":{},"v:\"example.com/b\"":{}}}}`
		app = `spec.template.spec.containers[name="app"]`
	)
	for name, test := range map[string]struct {
		kind   Type
		body   string
		object string
		gvk    schema.GroupVersionKind
		known  string
		want   []string
	}{
		"json": {kind: JSON, body: `[{op: replace, path: /spec/replicas, value: 2}, {op: test, path: /spec/selector/a, value: b},
			{op: remove, path: /spec/gone}, {op: add, path: /spec/template/metadata/annotations, value: {x: "1", z: "2"}}]`,
			want: []string{"spec.replicas", "spec.template.metadata.annotations.x", "spec.template.metadata.annotations.z"}},
		"json: an item by its position": {kind: JSON, body: `[{op: replace, path: /spec/template/spec/containers/1/image, value: l}]`,
			want: []string{`spec.template.spec.containers[name="log"].image`}},
		"json: two items": {kind: JSON, body: `[{op: replace, path: /spec/template/spec/containers/1/image, value: l},
			{op: replace, path: /spec/template/spec/containers/0/env/1/value, value: "2"}, {op: replace, path: /spec/template/spec/containers/0/image, value: i}]`,
			want: []string{app + `.env[name="B"].value`, app + ".image", `spec.template.spec.containers[name="log"].image`}},
		"json: a list that is owned as a whole": {kind: JSON, body: `[{op: replace, path: /spec/template/spec/containers/0/args/1, value: b}]`,
			want: []string{app + ".args"}},
		"json: a map that is owned as a whole": {kind: JSON, body: `[{op: add, path: /spec/selector/a, value: b}]`, want: []string{"spec.selector"}},
		// Another resource may remove other annotations: that is no field that both manage.
		"json: an annotation that nobody owns": {kind: JSON, body: `[{op: add, path: /metadata/annotations/note, value: one}]`,
			object: `{metadata: {annotations: {note: one}}}`, known: `{"f:metadata":{"f:annotations":{}}}`, want: []string{"metadata.annotations.note"}},
		"merge": {kind: Merge, body: `{spec: {replicas: 2, gone: null, template: {metadata: {annotations: {x: "1"}}}}}`,
			want: []string{"spec.replicas", "spec.template.metadata.annotations.x"}},
		"merge: a list": {kind: Merge, body: `{metadata: {finalizers: [example.com/a, example.com/b]}}`,
			want: []string{`metadata.finalizers[="example.com/a"]`, `metadata.finalizers[="example.com/b"]`}},
		"merge: nobody owns the field": {kind: Merge, body: `{spec: {replicas: 2}}`, known: `{}`, want: []string{"spec.replicas"}},
		"strategic": {kind: Strategic, body: `{spec: {template: {spec: {containers: [{name: app, env: [{name: B, value: "2"}]}, {name: other, $patch: delete}]}}}}`,
			want: []string{app + `.env[name="B"].name`, app + `.env[name="B"].value`, app + ".name"}},
		"strategic: a set": {kind: Strategic, body: `{metadata: {finalizers: [example.com/b], $setElementOrder/finalizers: [example.com/a, example.com/b]}}`,
			want: []string{`metadata.finalizers[="example.com/b"]`}},
		"stringData of a Secret": {kind: Merge, body: `{stringData: {a: x}}`, gvk: secret, object: `{data: {a: eA==, b: eQ==}}`,
			known: `{"f:data":{"f:a":{},"f:b":{}}}`, want: []string{"data.a"}},
		"stringData of a Secret, json": {kind: JSON, body: `[{op: add, path: /stringData/a, value: x}]`, gvk: secret, object: `{data: {a: eA==}}`,
			known: `{"f:data":{"f:a":{}}}`, want: []string{"data.a"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, known, gvk := web, named, deployment
			if test.object != "" {
				text, gvk = test.object, test.gvk
			}
			if test.known != "" {
				known = test.known
			}
			set, err := paths.ParseSet([]byte(known))
			if err != nil {
				t.Fatal(err)
			}
			live := clustertest.Object(t, text)
			frozen(t, live)
			var got []string
			paths.Walk(parse(t, test.kind, test.body).Targets(live, gvk, set), func(path paths.Path, _ bool) { got = append(got, paths.Format(path)) })
			slices.Sort(got)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("targets (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEqualBody(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{`{"a": 1, "b": [2]}`, "{\"b\":[2],\n \"a\":1}", true},
		{`{"a": 1}`, `{"a": 2}`, false},
		{`[1, 2]`, `[2, 1]`, false},
		{`{`, `{`, false},
	} {
		if got := EqualBody(test.a, test.b); got != test.want {
			t.Errorf("EqualBody(%s, %s) is %t", test.a, test.b, got)
		}
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	json := parse(t, JSON, `[{op: replace, path: /data/a, value: x}, {op: replace, path: /spec/list/3/b, value: y}, {op: remove, path: /data/c},
		{op: add, path: /data/8080, value: z}, {op: add, path: /metadata/annotations/1, value: n}]`)
	if diff := cmp.Diff(clustertest.Object(t, `{data: {"8080": z, a: x}, metadata: {annotations: {"1": n}}, spec: {list: [{b: y}]}}`), json.Values()); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	merge := parse(t, Merge, `{data: {a: x}}`)
	if diff := cmp.Diff(clustertest.Object(t, `{data: {a: x}}`), merge.Values()); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
}

func TestParseForASubresource(t *testing.T) {
	t.Parallel()
	if _, err := Parse("status", Merge, `{"status": {"a": 1}}`); err != nil {
		t.Error(err)
	}
	if _, err := Parse("status", JSON, `[{"op": "add", "path": "/spec/a", "value": 1}]`); err == nil {
		t.Error("spec is not in the status")
	}
}
