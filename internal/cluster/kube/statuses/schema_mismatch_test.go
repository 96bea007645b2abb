package statuses_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/statuses"
)

// The messages are recorded from Kubernetes 1.36.
func TestUnconvertibleOf(t *testing.T) {
	t.Parallel()
	const undeclared = ".spec.access: field not declared in schema"
	for name, tc := range map[string]struct {
		message string
		want    *cluster.UnconvertibleError
	}{
		"a version that is gone": {
			"request to convert CR to an invalid group/version: a.example.com/v1alpha1",
			&cluster.UnconvertibleError{Version: "a.example.com/v1alpha1", Problem: "request to convert CR to an invalid group/version: a.example.com/v1alpha1"},
		},
		"a version of another manager": {
			"failed to prune fields: failed add back owned items: failed to convert merged object at version a.example.com/v1alpha1: " + undeclared,
			&cluster.UnconvertibleError{Version: "a.example.com/v1alpha1", Problem: undeclared},
		},
		"our own version": {
			"failed to prune fields: failed to convert merged object to last applied version: " + undeclared,
			&cluster.UnconvertibleError{IsOwn: true, Problem: undeclared},
		},
		"any version": {undeclared, &cluster.UnconvertibleError{Problem: undeclared}},
		"an old object": {
			"failed to convert old object: " + undeclared, &cluster.UnconvertibleError{Problem: undeclared},
		},
		"another type": {
			"failed to prune fields: failed to convert merged object to last applied version: .spec.size: expected numeric (int or float), got string",
			&cluster.UnconvertibleError{IsOwn: true, Problem: ".spec.size: expected numeric (int or float), got string"},
		},
		"a field of the body": {
			"failed to create typed patch object (ns/a; a.example.com/v1, Kind=A): " + undeclared, nil,
		},
		"a conversion webhook": {
			"conversion webhook for a.example.com/v1, Kind=A failed: Post \"https://a.b.svc:443/?timeout=30s\": service \"a\" not found", nil,
		},
		"an accident": {"etcdserver: leader changed", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status := metav1.Status{Code: 500, Message: tc.message}
			got := statuses.UnconvertibleOf(status)
			if statuses.SchemaMismatchOf(status) != nil {
				got = nil
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
