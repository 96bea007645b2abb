package refusals

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

func TestMissingRight(t *testing.T) {
	t.Parallel()
	const cannot = `User "system:serviceaccount:ci:plan" cannot patch resource "deployments" in API group "apps" in the namespace "shop"`
	patchDeployments := &cluster.MissingRightError{Verb: "patch", Resource: "deployments.apps", Namespace: "shop"}
	for name, test := range map[string]struct {
		message string
		want    *cluster.MissingRightError
	}{
		"RBAC": {`deployments.apps "web" is forbidden: ` + cannot, patchDeployments},
		"an authorizer with a reason of its own": {
			`deployments.apps "web" is forbidden: ` + cannot + `: requires one of ["container.deployments.update"]`, patchDeployments,
		},
		"a core resource, without a name": {
			`configmaps is forbidden: User "u" cannot create resource "configmaps" in API group "" in the namespace "shop"`,
			&cluster.MissingRightError{Verb: "create", Resource: "configmaps", Namespace: "shop"},
		},
		"a subresource at the cluster scope": {
			`nodes "n" is forbidden: User "u" cannot patch resource "nodes/status" in API group "" at the cluster scope`,
			&cluster.MissingRightError{Verb: "patch", Resource: "nodes/status"},
		},
		"a policy that quotes it": {`deployments.apps "web" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' ` +
			`denied request: ` + cannot, nil},
		"a webhook that imitates it": {`admission webhook "w" denied the request: deployments.apps "web" is forbidden: ` + cannot, nil},
		"a quota":                    {`pods "p" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1`, nil},
		"an escalation": {`roles.rbac.authorization.k8s.io "r" is forbidden: user "u" (groups=["g"]) is attempting to grant RBAC ` +
			`permissions not currently held`, nil},
		"discovery": {`forbidden: User "u" cannot get path "/apis"`, nil},
	} {
		if diff := cmp.Diff(test.want, MissingRight(test.message)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestPassing(t *testing.T) {
	t.Parallel()
	account := func(name string, byController bool) *cluster.NotYetAdmittedError {
		return &cluster.NotYetAdmittedError{
			Awaited: "ServiceAccount shop/" + name, Problem: "does not exist", ByController: byController,
			Missing: manifest.Identity{APIVersion: "v1", Kind: "ServiceAccount", Namespace: "shop", Name: name},
		}
	}
	accident := &cluster.NotYetAdmittedError{
		Awaited: "the API server", Problem: "could not read what one of its admission plugins needs", ByController: true,
	}
	terminating := &cluster.NotYetAdmittedError{
		Awaited: "the CustomResourceDefinition of its kind", Problem: "is being deleted", IsTerminating: true,
	}
	for message, want := range map[string]*cluster.NotYetAdmittedError{
		`pods "p" is forbidden: error looking up service account shop/default: serviceaccount "default" not found`:                  account("default", true),
		`pods "p" is forbidden: error looking up service account shop/app: serviceaccount "app" not found`:                          account("app", false),
		`pods "p" is forbidden: error looking up service account shop/app: etcdserver: request timed out`:                           accident,
		`pods "p" is forbidden: unable to CREATE /v1, Resource=pods at this time because there was an error enforcing limit ranges`: accident,
		`gizmos.example.com "g" is forbidden: create not allowed while custom resource definition is terminating`:                   terminating,
		`gizmos.example.com is forbidden: create not allowed while custom resource definition is terminating`:                       terminating,
		`pods "p" is forbidden: no PriorityClass with name high was found`: {
			Awaited: "PriorityClass high", Problem: "does not exist",
			Missing: manifest.Identity{APIVersion: "scheduling.k8s.io/v1", Kind: "PriorityClass", Name: "high"},
		},
		`pods "p" is forbidden: pod rejected: RuntimeClass "kata" not found`: {
			Awaited: "RuntimeClass kata", Problem: "does not exist",
			Missing: manifest.Identity{APIVersion: "node.k8s.io/v1", Kind: "RuntimeClass", Name: "kata"},
		},
		`configmaps "c" is forbidden: status unknown for quota: few, resources: configmaps`: {
			Awaited: "ResourceQuota shop/few", ByController: true,
			Problem: "has no status: the controller manager has not counted the objects of the namespace",
		},
		`roles.rbac.authorization.k8s.io "r" is forbidden: not yet ready to handle request`: {
			Awaited: "the API server", Problem: "has just started: one of its admission plugins is not ready",
			ByController: true,
		},
		`Service "web" is invalid: spec.clusterIPs: Invalid value: [""]: failed to allocate IP: allocator not ready`: {
			Awaited: "the API server", Problem: "is not ready to allocate addresses of Services", ByController: true,
		},
		`Service "web" is invalid: spec.clusterIPs: Invalid value: ["10.77.2.9"]: failed to allocate IP 10.77.2.9: the provided IP (10.77.2.9) is not in the valid range. The range of valid IPs is 10.0.0.0/24`: nil,
		`pods "p" is forbidden: exceeded quota: few, requested: pods=1, used: pods=2, limited: pods=2`:                                                                                                           nil,
		`pods "p" is forbidden: violates PodSecurity "restricted:latest": privileged`:                                                                                                                            nil,
		`admission webhook "w" denied the request: no PriorityClass with name high was found`:                                                                                                                    nil,
	} {
		if diff := cmp.Diff(want, Passing(message, "shop")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", message, diff)
		}
	}
}

// The server's words are found in those of the controllers of Kubernetes 1.36.
func TestQuoted(t *testing.T) {
	t.Parallel()
	const ofPod, ofClaim = `pods "web-0" is forbidden: not yet ready to handle request`, `persistentvolumeclaims "data-web-0" is forbidden: ` +
		`status unknown for quota: q, resources: requests.storage`
	for message, want := range map[string]string{
		ofPod:                      ofPod,
		"Error creating: " + ofPod: ofPod,
		"create Claim data-web-0 for Pod web-0 in StatefulSet web failed error: " + ofClaim:                                   ofClaim,
		"create Pod web-0 in StatefulSet web failed error: [failed to create PVC a: " + ofClaim + ", pvc b is being deleted]": ofClaim + ", pvc b is being deleted]",
		`Error creating: admission webhook "w" denied the request: no`:                                                        `Error creating: admission webhook "w" denied the request: no`,
	} {
		if got := Quoted(message); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}
