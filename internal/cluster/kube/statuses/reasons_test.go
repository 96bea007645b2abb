package statuses_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/statuses"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// The answers 500 about ports of a Service are judgements about a field. The messages are those of Kubernetes 1.36.
func TestServicePorts(t *testing.T) {
	t.Parallel()
	web := manifest.Identity{APIVersion: "v1", Kind: "Service", Namespace: "shop", Name: "web"}
	for name, tc := range map[string]struct {
		message string
		want    []metav1.StatusCause
	}{
		"a node port twice": {
			"duplicate nodePort: {TCP 30080}",
			[]metav1.StatusCause{{Type: metav1.CauseTypeFieldValueDuplicate, Field: "spec.ports[*].nodePort", Message: "Duplicate value: 30080"}},
		},
		"a port of health checks of another Service": {
			"Internal error occurred: failed to allocate requested HealthCheck NodePort 30100: provided port is already allocated",
			[]metav1.StatusCause{{
				Type: metav1.CauseTypeFieldValueInvalid, Field: "spec.healthCheckNodePort",
				Message: "Invalid value: 30100: provided port is already allocated",
			}},
		},
		"no port is left":           {"Internal error occurred: failed to allocate a nodePort: range is full", nil},
		"no port for health checks": {"Internal error occurred: failed to allocate a HealthCheck NodePort 0: range is full", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status := metav1.Status{Code: 500, Message: tc.message}
			reason := statuses.ReasonOf(web, status, &apierrors.StatusError{ErrStatus: status})
			if judged := statuses.IsJudged(status); judged != (tc.want != nil) || judged != (reason == cluster.ReasonInvalid) {
				t.Errorf("judged: %t, reason: %s", judged, reason)
			}
			var causes []metav1.StatusCause
			if invalid, is := errors.AsType[*cluster.InvalidError](statuses.DetailsOf(reason, web, status)); is {
				causes = invalid.Causes
			}
			if diff := cmp.Diff(tc.want, causes); diff != "" {
				t.Errorf("causes (-want +got):\n%s", diff)
			}
		})
	}
}
