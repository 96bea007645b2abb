package patches

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

func TestRemoves(t *testing.T) {
	t.Parallel()
	applied, err := paths.ParseSet([]byte(`{"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{"f:name":{},"f:env":{"k:{\"name\":\"C\"}":{"f:name":{},"f:value":{}}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		kind Type
		body string
		want []string
	}{
		"merge":         {Merge, `{"data": {"a": null, "b": "1"}, "spec": null}`, []string{"data.a", "spec"}},
		"strategic":     {Strategic, `{"metadata": {"labels": {"app.kubernetes.io/name": null}}}`, []string{"metadata.labels.app.kubernetes.io/name"}},
		"json":          {JSON, `[{"op": "remove", "path": "/data/a~1b"}]`, []string{"data.a/b"}},
		"item of lists": {JSON, `[{"op": "remove", "path": "/spec/taints/0"}]`, []string{}},
		"names that are numbers": {
			JSON, `[{"op": "remove", "path": "/data/8080"}, {"op": "remove", "path": "/metadata/labels/1"}, {"op": "remove", "path": "/spec/data/0"}]`,
			[]string{"data.8080", "metadata.labels.1"},
		},
		"directives": {
			Strategic, `{"spec": {"a": {"$patch": "delete"}, "b": {"$patch": "replace", "c": 1}, "d": {"e": {"$patch": "delete"}}}}`,
			[]string{"spec.a", "spec.b", "spec.d.e"},
		},
		"lists of a merge patch": {
			Merge, `{"spec": {"ports": [{"name": "q"}], "selector": {"a": "b"}}, "metadata": {"finalizers": []}}`,
			[]string{"metadata.finalizers", "spec.ports"},
		},
		"lists of a strategic merge patch": {
			Strategic, `{"spec": {"ports": [{"$patch": "replace"}, {"port": 1}], "taints": [{"key": "a"}]}}`, []string{"spec.ports"},
		},
		"maps and lists as a whole": {
			JSON, `[{"op": "add", "path": "/metadata/labels", "value": {"z": "z"}}, {"op": "replace", "path": "/spec/ports", "value": []},
				{"op": "copy", "path": "/spec/a", "from": "/spec/b"}, {"op": "replace", "path": "/spec/replicas", "value": 1},
				{"op": "replace", "path": "/spec/containers/0/env", "value": []}, {"op": "add", "path": "/spec/volumes/0", "value": {"name": "v"}},
				{"op": "add", "path": "/stringData", "value": {"a": "b"}}]`,
			[]string{"metadata.labels", "spec.a", `spec.containers[name="c"].env`, "spec.ports"},
		},
		"lists in items": {
			Strategic, `{"spec": {"containers": [{"name": "c", "env": [{"$patch": "replace"}, {"name": "C", "value": "c"}]}]}}`,
			[]string{`spec.containers[name="c"].env`},
		},
		"a list in another item": {
			Strategic, `{"spec": {"containers": [{"name": "d", "env": [{"$patch": "replace"}]}, {"name": "c", "env": [{"name": "C", "value": "c"}]}]}}`,
			[]string{},
		},
		"items at several positions": {
			JSON, `[{"op": "replace", "path": "/spec/containers/0/env", "value": []}, {"op": "add", "path": "/spec/containers/1/image", "value": "x"}]`,
			[]string{},
		},
		"nothing": {Merge, `{"data": {"a": "1"}}`, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			patch, err := Parse("", tt.kind, tt.body)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, paths.Texts(patch.Removes(applied))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
