package record

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/clustertest"
)

// If a create got no answer, an object is ours if we applied to it. Otherwise a read treats it as missing.
func TestObserveInDoubt(t *testing.T) {
	t.Parallel()
	prior := Prior{Object: clustertest.ConfigMap, Snapshot: Snapshot{Object: clustertest.ConfigMap, OutcomeUnknown: true}}
	for name, tc := range map[string]struct {
		entries []metav1.ManagedFieldsEntry
		reason  cluster.Reason
	}{
		"ours":    {clustertest.Owning(clustertest.BothFields), ""},
		"another": {[]metav1.ManagedFieldsEntry{clustertest.Updating("k8sconnect", clustertest.BothFields)}, cluster.ReasonNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := clustertest.Stub{OnGet: func() (*unstructured.Unstructured, error) { return clustertest.Live("u", "1", tc.entries), nil }}
			observed, err := Observe(t.Context(), api, "k8sconnect", prior)
			if cluster.ReasonOf(err) != tc.reason || (err == nil) != (observed.UID == "u") || observed.Snapshot.OutcomeUnknown {
				t.Errorf("observed %+v, %v", observed, err)
			}
		})
	}
}
