package manifestresource_test

import (
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// The name's characters are those that separate the parts of an import ID.
const oddRole = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: "system:test:NS=y,z"}
rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
`

const oddRoleID = "apiVersion=rbac.authorization.k8s.io/v1,kind=ClusterRole,name=system:test:NS=y,z"

// A cluster-scoped object is imported without a namespace, and a name may hold what separates the parts.
func TestImportClusterScoped(t *testing.T) {
	s := newStory(t)
	role := s.expand("rbac.authorization.k8s.io/v1 ClusterRole system:test:NS=y,z")
	s.run(
		resource.TestStep{
			PreConfig:          func() { s.as("kubectl-create").create(oddRole) },
			Config:             s.config(oddRole),
			ImportState:        true,
			ImportStateId:      s.expand(oddRoleID),
			ImportStatePersist: true,
			ResourceName:       address,
			ImportStateCheck:   imported("rules: kubectl-create"),
		},
		resource.TestStep{
			Config: s.config(oddRole),
			ConfigPlanChecks: checks(
				expectOnly(fieldOwnership, "rules: kubectl-create -> k8sconnect"),
				expectOnly(coOwners),
				expectOnly(managedState),
				s.expectPrediction(oddRole),
				s.expectNoWarning(),
			),
			ConfigStateChecks: states(expectState("object_ref", "name: "+s.expand("system:test:NS=y,z"), "namespace: <nil>")),
			Check: lives(
				s.expectJSONPath(role, map[string]string{"{.rules[0].verbs[0]}": "get"}),
				s.expectOwners(role, "rules", "k8sconnect"),
			),
		},
	)
}

// The namespace may be left out where the object is in the connection's own, here "default".
func TestImportDefaultsTheNamespace(t *testing.T) {
	s := newStory(t)
	const body = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: NS, namespace: default}\ndata: {mode: one}"
	target := s.expand("v1 ConfigMap default/NS")
	s.run(resource.TestStep{
		PreConfig: func() { s.as("kubectl-create").create(body) },
		Config:    s.importBlock("apiVersion=v1,kind=ConfigMap,name=NS") + s.config(body),
		ConfigPlanChecks: checks(
			expectOnly(fieldOwnership, "data.mode: kubectl-create -> k8sconnect", "data: kubectl-create -> (absent)"),
			expectOnly(coOwners),
			expectOnly(managedState),
			s.expectPrediction(body),
			s.expectNoWarning(),
		),
		ConfigStateChecks: states(expectState("object_ref", "namespace: default")),
		Check: lives(
			s.expectJSONPath(target, map[string]string{"{.data.mode}": "one"}),
			s.expectOwners(target, "data.mode", "k8sconnect"),
		),
	})
}

// Each import ID that cannot be used says what is wrong with it, and how one is written.
func TestImportIDsAreRefused(t *testing.T) {
	const form = "Write apiVersion=apps/v1,kind=Deployment,namespace=default,name=web, in any order, and without namespace for a cluster-scoped kind."
	invalid := func(id, problem string) *regexp.Regexp {
		return saying("Invalid Import ID", "The import ID "+id+" cannot be used: "+problem+".", form)
	}
	tests := map[string]struct {
		id   string
		want *regexp.Regexp
	}{
		"no key at all":         {"default/web", invalid("default/web", `"default/web" is not one of apiVersion=, kind=, namespace=, name=`)},
		"an unknown key":        {"apiVersion=v1,kind=Pod,cluster=a,name=b", invalid("apiVersion=v1,kind=Pod,cluster=a,name=b", `"cluster=a" is not one of apiVersion=, kind=, namespace=, name=`)},
		"no API version":        {"kind=Pod,name=a", invalid("kind=Pod,name=a", "apiVersion is missing")},
		"no kind":               {"apiVersion=v1,name=a", invalid("apiVersion=v1,name=a", "kind is missing")},
		"no name":               {"apiVersion=v1,kind=Pod", invalid("apiVersion=v1,kind=Pod", "name is missing")},
		"an empty name":         {"apiVersion=v1,kind=Pod,name=", invalid("apiVersion=v1,kind=Pod,name=", "name is empty")},
		"a key twice":           {"apiVersion=v1,kind=Pod,kind=Pod,name=a", invalid("apiVersion=v1,kind=Pod,kind=Pod,name=a", "kind is given twice")},
		"an empty namespace":    {"apiVersion=v1,kind=Pod,namespace=,name=a", invalid("apiVersion=v1,kind=Pod,namespace=,name=a", "namespace is empty")},
		"a slash in the name":   {"apiVersion=v1,kind=Pod,name=a/b", invalid("apiVersion=v1,kind=Pod,name=a/b", `"a/b" is not a valid name of an object`)},
		"a wrong group":         {"apiVersion=a/b/c,kind=Pod,name=a", invalid("apiVersion=a/b/c,kind=Pod,name=a", `apiVersion "a/b/c" is not of the form group/version`)},
		"a kind of no group":    {"apiVersion=apps/v1,kind=Deploymant,name=a", saying("Kind Not Served", "Deploymant", "could not be imported", "apps/v1 Deployment")},
		"a missing object":      {"apiVersion=v1,kind=ConfigMap,namespace=NS,name=nowhere", saying("Object Not Found", "nowhere", "could not be imported")},
		"a missing namespace":   {"apiVersion=v1,kind=ConfigMap,namespace=NS-x,name=nowhere", saying("Object Not Found", "nowhere", "could not be imported")},
		"a namespace too many":  {"apiVersion=v1,kind=Namespace,namespace=default,name=NS", saying("Invalid Object", "could not be imported", "Namespace is cluster-scoped", "Leave the namespace out of the import ID")},
		"a kind in upper cases": {"apiVersion=v1,kind=CONFIGMAP,name=a", saying("Kind Not Served", "CONFIGMAP", "could not be imported", "v1 ConfigMap")},
	}
	s := newStory(t)
	var steps []resource.TestStep
	for _, test := range tests {
		steps = append(steps, resource.TestStep{
			Config: s.config(deployment), ResourceName: address,
			ImportState: true, ImportStateId: s.expand(test.id), ExpectError: test.want,
		})
	}
	// After all that, the story's object is created as if nothing had happened.
	steps = append(steps, resource.TestStep{
		Config: s.config(deployment),
		ConfigPlanChecks: checks(
			plancheck.ExpectResourceAction(address, plancheck.ResourceActionCreate), s.expectPrediction(deployment),
		),
		Check: s.expectJSONPath(web, map[string]string{"{.spec.replicas}": "3"}),
	})
	s.run(steps...)
}
