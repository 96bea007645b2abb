package ssa

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/clustertest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
)

// What a dry-run brings about is known after the apply, wherever it is. If the object has moved since it was read, others may
// have written it, and the first of Terraform's two plans may not have seen it.
func TestGainsPins(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		pin     []string
		version string
		want    bool
	}{
		"a value that the apply brings about":  {[]string{"spec.added"}, "1", true},
		"a value in a list item of others":     {[]string{"spec.list[*].added"}, "1", true},
		"nothing":                              {[]string{"spec.other"}, "1", false},
		"an object that others have moved":     {[]string{"spec.added"}, "2", false},
		"an item of others in a moved object":  {[]string{"spec.list[*].added"}, "2", false},
		"a moved object without pinned fields": {nil, "2", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			entries := append(clustertest.Owning(clustertest.BothFields), clustertest.Updating("kubectl", `{"f:spec":{"f:list":{"k:{\"name\":\"x\"}":{".":{},"f:name":{}}}}}`))
			api := clustertest.Stub{OnApply: func(cluster.ApplyOptions) (cluster.Applied, error) {
				answer := clustertest.Live("u", tt.version, entries)
				answer.Object["spec"] = clustertest.Object(t, "{added: y, list: [{name: x, added: y}]}")
				return cluster.Applied{Object: answer, Outcome: cluster.Updated}, nil
			}}
			prior := record.Prior{
				Object:   clustertest.ConfigMap,
				Settings: record.Settings{Body: clustertest.ConfigBody, FieldManager: "k8sconnect", Pin: tt.pin},
				Snapshot: record.Snapshot{
					Object: clustertest.ConfigMap, UID: "u", ResourceVersion: "1", Claims: clustertest.Claims(t, entries), AppliedState: "a", LiveState: "b",
					Fields: record.KnownFields{Declared: clustertest.Fields(t, clustertest.BothFields)},
				},
			}
			intent := intents.Intent{Manifest: clustertest.Manifest(t), FieldManager: "k8sconnect", Pin: clustertest.Patterns(t, tt.pin...)}
			plan, err := PlanUpdate(t.Context(), api, intent, prior)
			if err != nil {
				t.Fatal(err)
			}
			if plan.State.PinsUnknown != tt.want {
				t.Errorf("unknown %t, want %t", plan.State.PinsUnknown, tt.want)
			}
		})
	}
}
