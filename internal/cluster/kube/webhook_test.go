package kube

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/failures"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/statuses"
)

func TestWebhookOf(t *testing.T) {
	t.Parallel()
	const failed = `Internal error occurred: failed calling webhook "policy.example.com": `
	for name, tt := range map[string]struct {
		err  error
		want *cluster.WebhookUnreachableError
	}{
		"a service that does not exist": {
			status(500, "InternalError", failed+`failed to call webhook: Post "https://webhook.cert-manager.svc:443/validate?timeout=30s": service "webhook" not found`, nil),
			&cluster.WebhookUnreachableError{Name: "policy.example.com", Address: "service cert-manager/webhook"},
		},
		"an address where nobody listens": {
			status(500, "InternalError", failed+`failed to call webhook: Post "https://127.0.0.1:1/validate?timeout=10s": dial tcp 127.0.0.1:1: connect: connection refused`, nil),
			&cluster.WebhookUnreachableError{Name: "policy.example.com", Address: "https://127.0.0.1:1"},
		},
		"an answer of something before it": {
			status(500, "InternalError", failed+`failed to call webhook: the server is currently unable to handle the request`, nil),
			&cluster.WebhookUnreachableError{Name: "policy.example.com"},
		},
		"an answer that is wrong": {
			status(500, "InternalError", failed+`expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=`, nil), nil,
		},
		"a refusal that speaks of it": {apierrors.NewBadRequest(failed + "failed to call webhook: x"), nil},
		"another failure":             {broken, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer, _ := tt.err.(apierrors.APIStatus)
			if diff := cmp.Diff(tt.want, statuses.WebhookOf(answer.Status())); diff != "" {
				t.Errorf("webhook (-want +got):\n%s", diff)
			}
			if tt.want != nil && failures.IsOutcomeUnknown(tt.err) {
				t.Error("admission fails before anything is stored")
			}
		})
	}
}
