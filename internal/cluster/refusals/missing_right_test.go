package refusals

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
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
