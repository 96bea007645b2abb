package ssa

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// A value that another client wrote between the read and the dry-run is no change of the apply, also if clients go on
// writing to the object until the plan reads it again.
func TestValuesOfAnotherClientInThePlan(t *testing.T) {
	t.Parallel()
	const theirs = `{"f:data":{"f:theirs":{}}}`
	entries := append(clustertest.Owning(clustertest.BothFields), clustertest.Updating("bob", theirs))
	at := func(version, value string) *unstructured.Unstructured {
		object := clustertest.Live("u", version, entries)
		object.Object["data"] = map[string]any{"a": "1", "b": "2", "theirs": value}
		return object
	}
	for name, test := range map[string]struct {
		again *unstructured.Unstructured
		told  int
	}{
		"nobody writes after the dry-run": {at("2", "2"), 0},
		"somebody writes after it, too":   {at("3", "2"), 0},
		"the apply changes the value":     {at("3", "1"), 1},
	} {
		api := clustertest.Stub{
			OnGet: func() (*unstructured.Unstructured, error) { return test.again, nil },
			OnApply: func(cluster.ApplyOptions) (cluster.Applied, error) {
				return cluster.Applied{Object: at("2", "2"), Outcome: cluster.Updated}, nil
			},
		}
		prior := record.Prior{
			Object: clustertest.ConfigMap, Arguments: intending(t), Live: at("1", "1").Object,
			Snapshot: record.Snapshot{
				Object: clustertest.ConfigMap, Sighting: record.Sighting{UID: "u", ResourceVersion: "1"}, Claims: clustertest.Claims(t, entries), Digests: record.Digests{AppliedState: "a", LiveState: "b"},
				Fields: record.KnownFields{Declared: clustertest.Fields(t, clustertest.BothFields)},
			},
		}
		plan, err := PlanUpdate(t.Context(), api, intending(t), prior)
		if err != nil {
			t.Fatal(err)
		}
		if len(plan.Changes) != test.told {
			t.Errorf("%s: the plan has the changes %v", name, plan.Changes)
		}
	}
}
