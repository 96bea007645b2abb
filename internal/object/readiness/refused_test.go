package readiness_test

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
)

// An event since the last change of a workload reports that its pods are refused.
func TestRefused(t *testing.T) {
	t.Parallel()
	since := time.Date(2030, 1, 1, 0, 0, 10, 0, time.UTC)
	const quota = `Error creating: pods "web-1" is forbidden: exceeded quota: none`
	for name, test := range map[string]struct {
		of, at, reason, message string
		want                    bool
	}{
		"a quota":           {"web", "2030-01-01T00:00:10Z", "FailedCreate", quota, true},
		"before the change": {"web", "2030-01-01T00:00:09Z", "FailedCreate", quota, false},
		"another object":    {"db", "2030-01-01T00:00:10Z", "FailedCreate", quota, false},
		"another reason":    {"web", "2030-01-01T00:00:10Z", "BackOff", quota, false},
		"an accident":       {"web", "2030-01-01T00:00:10Z", "FailedCreate", "etcdserver: leader changed", false},
		"a quota of claims that is not counted": {
			"web", "2030-01-01T00:00:10Z", "FailedCreate", `create Claim data-web-0 for Pod web-0 in StatefulSet web failed error: persistentvolumeclaims "data-web-0" is forbidden: status unknown for quota: q, resources: requests.storage`, false,
		},
		"a quota of claims": {
			"web", "2030-01-01T00:00:10Z", "FailedCreate", `create Claim data-web-0 for Pod web-0 in StatefulSet web failed error: persistentvolumeclaims "data-web-0" is forbidden: exceeded quota: q, requested: persistentvolumeclaims=1, used: persistentvolumeclaims=0, limited: persistentvolumeclaims=0`, true,
		},
		"several refusals that pass": {
			"web", "2030-01-01T00:00:10Z", "FailedCreate", `create Pod web-0 in StatefulSet web failed error: [failed to create PVC a-web-0: persistentvolumeclaims "a-web-0" is forbidden: not yet ready to handle request, failed to create PVC b-web-0: persistentvolumeclaims "b-web-0" is forbidden: not yet ready to handle request]`, false,
		},
		"an accident of an admission plugin": {
			"web", "2030-01-01T00:00:10Z", "FailedCreate", `Error creating: pods "web-" is forbidden: error looking up service account shop/web: etcdserver: request timed out`, false,
		},
		"a user without the right": {
			"web", "2030-01-01T00:00:10Z", "FailedCreate", `Error creating: pods is forbidden: User "system:serviceaccount:kube-system:job-controller" cannot create resource "pods" in API group "" in the namespace "shop"`, true,
		},
		"a reference that may still appear": {
			"web", "2030-01-01T00:00:10Z", "FailedCreate", `Error creating: pods "web-" is forbidden: error looking up service account shop/web: serviceaccount "web" not found`, false,
		},
		"a reference that may still appear, of a StatefulSet": {
			"web", "2030-01-01T00:00:10Z", "FailedCreate", `create Pod web-0 in StatefulSet web failed error: pods "web-0" is forbidden: status unknown for quota: q, resources: pods`, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			job := &unstructured.Unstructured{Object: map[string]any{"kind": "Job", "metadata": map[string]any{"name": "web"}}}
			event := &unstructured.Unstructured{Object: map[string]any{
				"involvedObject": map[string]any{"kind": "Job", "name": test.of},
				"lastTimestamp":  test.at, "reason": test.reason, "message": test.message,
			}}
			status, is := readiness.Refused(job, []*unstructured.Unstructured{event}, since)
			if is != test.want || is && (status.State != readiness.Failed || status.Reason != "FailedCreate") {
				t.Errorf("%t, %+v", is, status)
			}
		})
	}
}
