package kube

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// While the schema of a new definition is not published, the server's words have to do.
func TestUnpublishedSchema(t *testing.T) {
	t.Parallel()
	client, requests := recordingServer(t, 200, `{"paths":{}}`)
	failed := &cluster.Error{Reason: cluster.ReasonSchemaMismatch, Object: pod, SchemaMismatch: schemaMismatchOf(metav1.Status{
		Code: 500, Message: "failed to create typed patch object (prod/web:1; /v1, Kind=Pod): .spec.colors: field not declared in schema",
	})}
	client.consultSchema(t.Context(), pod, map[string]any{"spec": map[string]any{"colors": "red"}}, failed)
	want := &cluster.SchemaMismatch{Field: "spec.colors", Problem: "field not declared in schema", Of: cluster.MismatchInManifest}
	if cmp.Diff(want, failed.SchemaMismatch) != "" || failed.Undeclared != nil {
		t.Errorf("got %+v and %+v", failed.SchemaMismatch, failed.Undeclared)
	}
	if len(*requests) != 1 {
		t.Errorf("got %v, want the index of schemas", *requests)
	}
}
