package record

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// An object with another uid, of which our manager owns nothing, is remembered as not the one of the last apply.
func TestObserveRecreated(t *testing.T) {
	t.Parallel()
	ours := clustertest.Owning(clustertest.BothFields)
	theirs := []metav1.ManagedFieldsEntry{clustertest.Updating("kubectl-create", clustertest.BothFields)}
	for name, tc := range map[string]struct {
		prior   Snapshot
		uid     string
		entries []metav1.ManagedFieldsEntry
		want    string
	}{
		"the same object":              {prior: Snapshot{Sighting: Sighting{UID: "new"}}, entries: ours},
		"the same, without our claims": {prior: Snapshot{Sighting: Sighting{UID: "new"}}, entries: theirs},
		"another":                      {prior: Snapshot{Sighting: Sighting{UID: "old"}}, entries: theirs, want: "old"},
		"another, with our claims":     {prior: Snapshot{Sighting: Sighting{UID: "old"}}, entries: ours},
		"another, seen before":         {prior: Snapshot{Sighting: Sighting{UID: "new", Former: "old"}}, entries: theirs, want: "old"},
		"a third one":                  {prior: Snapshot{Sighting: Sighting{UID: "second", Former: "old"}}, entries: theirs, want: "old"},
		"without a snapshot":           {uid: "old", entries: theirs, want: "old"},
		"without a uid":                {entries: theirs},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := clustertest.Stub{OnGet: func() (*unstructured.Unstructured, error) { return clustertest.Live("new", "1", tc.entries), nil }}
			observed, err := Observe(t.Context(), api, "k8sconnect", Prior{Object: clustertest.ConfigMap, UID: tc.uid, Snapshot: tc.prior})
			if err != nil || observed.Snapshot.Former != tc.want || observed.Snapshot.UID != "new" {
				t.Errorf("former %q of %q, want %q: %v", observed.Snapshot.Former, observed.Snapshot.UID, tc.want, err)
			}
		})
	}
}

// If a create got no answer, an object is ours if we applied to it. Otherwise a read treats it as missing.
func TestObserveInDoubt(t *testing.T) {
	t.Parallel()
	prior := Prior{Object: clustertest.ConfigMap, Snapshot: Snapshot{Object: clustertest.ConfigMap, Creation: Creation{OutcomeUnknown: true}}}
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
