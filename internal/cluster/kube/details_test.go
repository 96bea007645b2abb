package kube

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/statuses"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
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
	invalid := &cluster.InvalidError{Causes: []metav1.StatusCause{{Type: metav1.CauseTypeFieldValueInvalid, Field: "spec"}}}
	failed = &cluster.Error{Object: manifest.Identity{APIVersion: "example.com/v1", Kind: "Gizmo", Name: "a"}, Details: invalid}
	if client.complete(t.Context(), failed, nil, 0); !invalid.RulesUnclear {
		t.Error("the rules count as known")
	}
}

// The refusal that comes at the end of the operation's time is explained as any other. That of a user who interrupts the
// operation is not.
func TestDetailsOfTheLastRefusal(t *testing.T) {
	t.Parallel()
	const terminating = `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"prod","deletionTimestamp":"2026-01-01T00:00:00Z"},
		"status":{"conditions":[{"type":"NamespaceFinalizersRemaining","status":"True","message":"example.com/hold in 1"}]}}`
	late, stop := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer stop()
	interrupted, interrupt := context.WithCancel(t.Context())
	interrupt()
	for name, test := range map[string]struct {
		ctx       context.Context
		explained bool
	}{
		"its time has run out": {late, true},
		"it was interrupted":   {interrupted, false},
	} {
		client, _ := recordingServer(t, 200, terminating)
		details := &cluster.NamespaceTerminatingError{}
		failed := &cluster.Error{Reason: cluster.ReasonNamespaceTerminating, Object: pod, Details: details}
		client.complete(test.ctx, failed, map[string]any{}, 0)
		if explained := details.Ending != nil && len(details.Ending.Conditions) == 1; explained != test.explained {
			t.Errorf("%s: explained %v, want %v", name, explained, test.explained)
		}
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
