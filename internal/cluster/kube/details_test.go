package kube

import (
	"testing"

	"github.com/google/go-cmp/cmp"
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
