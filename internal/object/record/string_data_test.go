package record

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// TestObserveStringData holds that values which are claimed as stringData are shown as the data that they are,
// also where the snapshot is lost.
func TestObserveStringData(t *testing.T) {
	t.Parallel()
	const claimed = `{"f:stringData":{"f:a":{}}}`
	for name, snapshot := range map[string]Snapshot{
		"with a snapshot": {Object: clustertest.Secret, UID: "u", Fields: KnownFields{Declared: AsData(clustertest.Secret, clustertest.Fields(t, claimed))}},
		"without one":     {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := clustertest.Stub{OnGet: func() (*unstructured.Unstructured, error) {
				return clustertest.Live("u", "1", clustertest.Owning(claimed)), nil
			}}
			observed, err := Observe(t.Context(), api, "k8sconnect", Prior{Object: clustertest.Secret, Snapshot: snapshot})
			if err != nil {
				t.Fatal(err)
			}
			if _, shown := observed.ManagedState["data.a"]; !shown || len(observed.ManagedState) != 1 {
				t.Errorf("managed_state is %v", observed.ManagedState)
			}
			if owner := observed.Owners.FieldOwnership["stringData.a"]; owner != "k8sconnect" {
				t.Errorf("the claim is %q's", owner)
			}
		})
	}
}

func TestPatternsFor(t *testing.T) {
	t.Parallel()
	written := []string{"stringData.a", "data.b", "metadata.labels"}
	patterns, err := paths.ParseAll(written)
	if err != nil {
		t.Fatal(err)
	}
	data := paths.Path{paths.Field("data"), paths.Field("a")}
	if got := PatternsFor(clustertest.Secret, patterns); !got.Match(data) || got[0].String() != written[0] {
		t.Errorf("%v does not match the data of a Secret", got)
	}
	if PatternsFor(clustertest.ConfigMap, patterns).Match(data) {
		t.Error("stringData matches the data of a ConfigMap")
	}
}
