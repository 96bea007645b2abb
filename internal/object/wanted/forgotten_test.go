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
		Snapshot: record.Snapshot{Digests: record.Digests{AppliedState: "applied"}, Fields: record.KnownFields{
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

// A map entry leaves with what only it had, and not with a value that stays.
func TestForgottenMapEntry(t *testing.T) {
	t.Parallel()
	declared := clustertest.Fields(t, `{"f:spec":{"f:nest":{"f:n":{".":{},"f:a":{},"f:b":{}}}}}`)
	entry := paths.Path{paths.Field("spec"), paths.Field("nest"), paths.Field("n")}
	for ignored, want := range map[string]*paths.Set{
		"spec.nest.n.a": paths.NewSet(paths.Below(entry, paths.Field("b"))),
		"spec.else":     paths.NewSet(entry),
	} {
		patterns, err := paths.ParseAll([]string{ignored})
		if err != nil {
			t.Fatal(err)
		}
		w := Wanted{Prior: record.Prior{Snapshot: record.Snapshot{
			Digests: record.Digests{AppliedState: "applied", LiveState: "applied"}, Fields: record.KnownFields{Declared: declared},
		}}}
		w.Ignore = patterns
		if found := ForgottenOf(w); !found.Removed.Equals(want) || !found.Kept.Empty() {
			t.Errorf("%s is ignored: %s goes and %s stays, want %s", ignored, found.Removed, found.Kept, want)
		}
	}
}
