package record_test

import (
	"errors"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// A server that does not compare resourceVersions applies a create to the object of another client. The claim on it
// ends, unless the object has no other: then it may be that of another run with the same manager.
func TestGiveBack(t *testing.T) {
	t.Parallel()
	bob := clustertest.Updating("bob", clustertest.BothFields)
	for name, tc := range map[string]struct {
		entries []metav1.ManagedFieldsEntry
		want    []string
		// conflicts is how often another client writes in between.
		conflicts int
	}{
		"another's":         {append(clustertest.Owning(clustertest.BothFields), bob), []string{"bob"}, 0},
		"of one manager":    {clustertest.Owning(clustertest.BothFields), []string{"k8sconnect"}, 0},
		"nothing was added": {[]metav1.ManagedFieldsEntry{bob}, []string{"bob"}, 0},
		"a busy one's":      {append(clustertest.Owning(clustertest.BothFields), bob), []string{"bob"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conflicts := 0
			api := clustertest.Stub{
				OnGet: func() (*unstructured.Unstructured, error) { return clustertest.Live("u", "1", tc.entries), nil },
				OnApply: func(opts cluster.ApplyOptions) (cluster.Applied, error) {
					if !opts.New || opts.Force {
						t.Errorf("unexpected options %+v", opts)
					}
					return cluster.Applied{Object: clustertest.Live("u", "1", tc.entries), Outcome: cluster.Updated}, nil
				},
				OnPatch: func(_ string, entries []metav1.ManagedFieldsEntry) (*unstructured.Unstructured, error) {
					if conflicts < tc.conflicts {
						conflicts++
						return nil, clustertest.Failing(cluster.ReasonConflict)
					}
					return clustertest.Live("u", "2", entries), nil
				},
			}
			_, err := cluster.Create(t.Context(), api, clustertest.ConfigMap, map[string]any{}, "k8sconnect")
			taken, is := errors.AsType[*cluster.TakenError](err)
			if !is {
				t.Fatal(err)
			}
			var managers []string
			for _, entry := range record.GiveBack(t.Context(), api, taken, "k8sconnect").GetManagedFields() {
				managers = append(managers, entry.Manager)
			}
			if !slices.Equal(managers, tc.want) {
				t.Errorf("managers %q, want %q", managers, tc.want)
			}
		})
	}
}
