package record

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// Earlier versions of the provider kept digests of write-only values. A read of such a state finds nothing to apply, and drift
// that happened before is still drift.
func TestStatesWithDigestsOfWriteOnlyValues(t *testing.T) {
	t.Parallel()
	fields := clustertest.Fields(t, `{"f:data":{"f:a":{},"f:b":{}}}`)
	live := clustertest.Live("u", "1", clustertest.Owning(`{"f:data":{"f:a":{},"f:b":{}}}`))
	snapshot := Snapshot{
		Object: clustertest.ConfigMap, UID: "u", WriteOnly: []string{"data.a"}, DigestKey: []byte("key"), Fields: KnownFields{Declared: fields}, LiveState: "x",
	}
	earlier := snapshot.Renderer()
	earlier.WriteOnly = nil
	snapshot.AppliedState = DigestOf(earlier.Fingerprints(live.Object, fields.Leaves()))
	read := func(carried Snapshot) Snapshot {
		observed, err := Describe(live, Observation{ID: clustertest.ConfigMap, FieldManager: "k8sconnect", Fields: carried.Fields, Carried: carried})
		if err != nil {
			t.Fatal(err)
		}
		if got := observed.ManagedState["data.a"]; got != rendering.Unstored {
			t.Errorf("shown as %s", got)
		}
		return observed.Snapshot
	}
	if now := read(snapshot); now.AppliedState != now.LiveState {
		t.Error("something is pending")
	}
	snapshot.AppliedState = DigestOf(map[string]string{"another": "state"})
	if now := read(snapshot); now.AppliedState == now.LiveState {
		t.Error("drift is forgotten")
	}
}
