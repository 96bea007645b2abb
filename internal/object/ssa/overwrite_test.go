package ssa

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// What another client wrote since the plan may be a copy of a value that is secret.
func TestWrittenSinceHidesCopies(t *testing.T) {
	t.Parallel()
	const body = "{apiVersion: v1, kind: Secret, metadata: {name: a, namespace: shop, annotations: {note: ours}}}"
	const note = `{"f:metadata":{"f:annotations":{"f:note":{}}}}`
	live := clustertest.Live("u", "1", clustertest.Owning(note))
	live.Object["data"] = map[string]any{"token": "bXktc2VjcmV0LXRva2Vu"}
	prior, err := record.PriorOf(live, record.Observation{ID: clustertest.Parsed(t, body).Identity})
	if err != nil {
		t.Fatal(err)
	}
	a := newApply(arguments.Arguments{Manifest: clustertest.Parsed(t, body), FieldManager: "k8sconnect"}, prior)
	live.SetAnnotations(map[string]string{"note": "my-secret-token"})
	written := a.writtenSince(live, clustertest.Claims(t, []metav1.ManagedFieldsEntry{clustertest.Updating("eve", note)}))
	if len(written) != 1 || strings.Contains(written[0].Was, "my-secret-token") {
		t.Errorf("written since: %+v", written)
	}
}

// TestRepeatedConflicts holds that a field counts for as long as each apply has to take it back.
func TestRepeatedConflicts(t *testing.T) {
	t.Parallel()
	hpa := ownership.Holder{Manager: ownership.Manager{Name: "kube-controller-manager", Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "apps/v1", Subresource: "scale"}}
	const named = `"kube-controller-manager" with subresource "scale" using apps/v1`
	retaken := []ownership.Change{{Field: "spec.replicas", What: ownership.Retaking, Owners: []ownership.Holder{hpa}}}
	first := record.RepeatedConflicts(nil).Next(opponentsOf(retaken, nil))
	second := first.Next(opponentsOf(nil, []ownership.Change{{Field: "spec.replicas", By: named}}))
	if got := second.With("spec.replicas", []ownership.Holder{hpa}); got != 2 {
		t.Errorf("taken back %d times, want 2", got)
	}
	if got := second.With("spec.paused", []ownership.Holder{hpa}); got != 0 {
		t.Errorf("another field was taken back %d times", got)
	}
	changed := []ownership.Change{{Field: "spec.replicas", What: ownership.Overruling, Owners: []ownership.Holder{hpa}}}
	if got := second.Next(opponentsOf(changed, nil)).With("spec.replicas", []ownership.Holder{hpa}); got != 0 {
		t.Errorf("after an apply of our own making the count is %d", got)
	}
}
