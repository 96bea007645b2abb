package wanted

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// The state shows no empty map, so a list item that has one is still as the state shows it.
func TestStillForgotten(t *testing.T) {
	t.Parallel()
	item := paths.Path{paths.Field("spec"), paths.Field("volumes"), paths.Key(map[string]any{"name": "a"})}
	name := paths.Format(paths.Below(item, paths.Field("name")))
	const volume = `{"f:spec":{"f:volumes":{"k:{\"name\":\"a\"}":{`
	w := Wanted{Prior: record.Prior{
		Shown: record.Shown{ManagedState: map[string]string{name: "a"}},
		Snapshot: record.Snapshot{AppliedState: "applied", Fields: record.KnownFields{
			Declared: clustertest.Fields(t, volume+`".":{},"f:name":{},"f:emptyDir":{}}}}}`),
			Empty:    clustertest.Fields(t, volume+`"f:emptyDir":{}}}}}`),
		}},
	}}
	for live, want := range map[string]bool{
		"{spec: {volumes: [{name: a, emptyDir: {}}]}}": true,
		"{spec: {volumes: [{name: b, emptyDir: {}}]}}": false,
	} {
		still := StillForgotten(w, paths.NewSet(item), clustertest.Object(t, live), nil)
		if still.Has(item) != want {
			t.Errorf("%s: %t, want %t", live, !want, want)
		}
	}
}
