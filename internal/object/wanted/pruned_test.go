package wanted

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// A map goes in one edit with what is in it, and a list keeps its other items.
func TestWithoutFields(t *testing.T) {
	t.Parallel()
	spec := paths.Field("spec")
	live := map[string]any{"spec": map[string]any{"a": map[string]any{"b": "1"}, "c": "2"}}
	fields := paths.NewSet(
		paths.Path{spec, paths.Field("a")}, paths.Path{spec, paths.Field("a"), paths.Field("b")}, paths.Path{spec, paths.Field("gone")},
	)
	want := []cluster.Edit{{Pointer: []string{"spec", "a"}, Remove: true}}
	if diff := cmp.Diff(want, WithoutFields(live, fields)); diff != "" {
		t.Errorf("edits (-want +got):\n%s", diff)
	}
}
