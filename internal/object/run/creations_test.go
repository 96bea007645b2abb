package run_test

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
)

// The refusal of an object that lacks another one may go away if the run is to create that one, which the refusal does not name.
func TestOrNeeding(t *testing.T) {
	t.Parallel()
	const outside = `spec.clusterIPs: Invalid value: ["10.77.2.9"]: failed to allocate IP 10.77.2.9: the provided IP (10.77.2.9) is not in the valid range. The range of valid IPs is 10.0.0.0/24`
	const unlimited = `pods "web" is forbidden: failed quota: q: must specify limits.cpu for: app`
	addresses := manifest.Identity{APIVersion: "networking.k8s.io/v1", Kind: "ServiceCIDR", Name: "more"}
	limits := manifest.Identity{APIVersion: "v1", Kind: "LimitRange", Namespace: "shop", Name: "l"}
	elsewhere := limits
	elsewhere.Namespace = "depot"
	for name, test := range map[string]struct {
		kind    string
		reason  cluster.Reason
		message string
		creates manifest.Identity
		want    cluster.Reason
	}{
		"an address of a new range":         {"Service", cluster.ReasonInvalid, outside, addresses, cluster.ReasonNotYetAdmitted},
		"an address of no range":            {"Service", cluster.ReasonInvalid, outside, limits, cluster.ReasonInvalid},
		"a port of no range":                {"Service", cluster.ReasonInvalid, "spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767", addresses, cluster.ReasonInvalid},
		"a policy":                          {"Pod", cluster.ReasonForbidden, `admission webhook "w" denied the request: containers must specify a seccompProfile`, limits, cluster.ReasonForbidden},
		"another fault":                     {"Service", cluster.ReasonInvalid, "spec.ports: Required value", addresses, cluster.ReasonInvalid},
		"limits of a new LimitRange":        {"Pod", cluster.ReasonForbidden, unlimited, limits, cluster.ReasonNotYetAdmitted},
		"a LimitRange of another namespace": {"Pod", cluster.ReasonForbidden, unlimited, elsewhere, cluster.ReasonForbidden},
	} {
		var objects run.Objects
		objects.AnnounceCreate(test.creates)
		id := manifest.Identity{APIVersion: "v1", Kind: test.kind, Namespace: "shop", Name: "web"}
		got := run.OrNeeding(&objects, &cluster.Error{Reason: test.reason, Object: id, Message: test.message})
		if reason := cluster.ReasonOf(got); reason != test.want {
			t.Errorf("%s: the reason is %s, want %s", name, reason, test.want)
		}
		if reason := cluster.ReasonOf(got); reason == cluster.ReasonNotYetAdmitted && run.MissingFor(id, got) != test.creates {
			t.Errorf("%s: %v is missing, want %v", name, run.MissingFor(id, got), test.creates)
		}
	}
}
