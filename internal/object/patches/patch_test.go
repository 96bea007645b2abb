package patches

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

func TestRemoves(t *testing.T) {
	t.Parallel()
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
		"nothing": {Merge, `{"data": {"a": "1"}}`, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			patch, err := Parse("", tt.kind, tt.body)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, paths.Texts(patch.Removes())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
