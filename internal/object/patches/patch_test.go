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
		"nothing":       {Merge, `{"data": {"a": "1"}}`, []string{}},
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
