package kube

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/statuses"
)

// While the schema of a new definition is not published, an error has only the server's words.
func TestUnpublishedSchema(t *testing.T) {
	t.Parallel()
	client, requests := recordingServer(t, 200, `{"paths":{}}`)
	details := statuses.SchemaMismatchOf(metav1.Status{
		Code: 500, Message: "failed to create typed patch object (prod/web:1; /v1, Kind=Pod): .spec.colors: field not declared in schema",
	})
	failed := &cluster.Error{Reason: cluster.ReasonSchemaMismatch, Object: pod, Details: details}
	client.complete(t.Context(), failed, map[string]any{"spec": map[string]any{"colors": "red"}}, 0)
	want := &cluster.SchemaMismatchError{
		Field:   "spec.colors",
		Problem: "field not declared in schema",
		Of:      cluster.MismatchInManifest,
	}
	if diff := cmp.Diff(want, details); diff != "" {
		t.Errorf("details (-want +got):\n%s", diff)
	}
	if len(*requests) != 1 {
		t.Errorf("got %v, want the index of schemas", *requests)
	}
}

// The 404 of an apply that creates is about an object to which it refers, unless it names the object itself, or nothing.
func TestNotFoundOfACreate(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		details *metav1.StatusDetails
		want    cluster.Reason
	}{
		"another kind":             {&metav1.StatusDetails{Name: "web:1", Kind: "priorityclasses"}, cluster.ReasonNotYetAdmitted},
		"another name of its kind": {&metav1.StatusDetails{Name: "other", Kind: "pods"}, cluster.ReasonNotYetAdmitted},
		"the object itself":        {&metav1.StatusDetails{Name: "web:1", Kind: "pods"}, cluster.ReasonNotFound},
		"nothing":                  {&metav1.StatusDetails{}, cluster.ReasonNotFound},
		"no details":               {nil, cluster.ReasonNotFound},
	} {
		status := metav1.Status{Code: 404, Reason: metav1.StatusReasonNotFound, Details: test.details}
		failed := &cluster.Error{
			Reason: cluster.ReasonNotFound, Object: pod, Cause: &apierrors.StatusError{ErrStatus: status},
		}
		aboutReference(failed, cluster.Kind{Plural: "pods"}, nil)
		if failed.Reason != test.want {
			t.Errorf("%s: %s, want %s", name, failed.Reason, test.want)
		}
	}
}
