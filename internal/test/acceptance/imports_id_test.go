package acceptance_test

import (
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
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
	s := story.New(t)
	role := s.Expand("rbac.authorization.k8s.io/v1 ClusterRole system:test:NS=y,z")
	s.Run(
		resource.TestStep{
			PreConfig:          func() { s.As("kubectl-create").Create(oddRole) },
			Config:             s.Config(oddRole),
			ImportState:        true,
			ImportStateId:      s.Expand(oddRoleID),
			ImportStatePersist: true,
			ResourceName:       story.Address,
			ImportStateCheck:   story.Imported("rules: kubectl-create"),
		},
		resource.TestStep{
			Config: s.Config(oddRole),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.FieldOwnership, "rules: kubectl-create -> k8sconnect"),
				story.ExpectOnly(story.CoOwners),
				story.ExpectOnly(story.ManagedState),
				s.ExpectPrediction(oddRole),
				s.ExpectNoWarning(),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState("object_ref", "name: "+s.Expand("system:test:NS=y,z"), "namespace: <nil>")),
			Check: story.LiveChecks(
				s.ExpectJSONPath(role, map[string]string{"{.rules[0].verbs[0]}": "get"}),
				s.ExpectOwners(role, "rules", "k8sconnect"),
			),
		},
	)
}

// The namespace may be left out where the object is in the connection's own, here "default".
func TestImportDefaultsTheNamespace(t *testing.T) {
	s := story.New(t)
	const body = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: NS, namespace: default}\ndata: {mode: one}"
	target := s.Expand("v1 ConfigMap default/NS")
	s.Run(resource.TestStep{
		PreConfig: func() { s.As("kubectl-create").Create(body) },
		Config:    s.ImportBlock("apiVersion=v1,kind=ConfigMap,name=NS") + s.Config(body),
		ConfigPlanChecks: story.PlanChecks(
			story.ExpectOnly(story.FieldOwnership, "data.mode: kubectl-create -> k8sconnect", "data: kubectl-create -> (absent)"),
			story.ExpectOnly(story.CoOwners),
			story.ExpectOnly(story.ManagedState),
			s.ExpectPrediction(body),
			s.ExpectNoWarning(),
		),
		ConfigStateChecks: story.StateChecks(story.ExpectState("object_ref", "namespace: default")),
		Check: story.LiveChecks(
			s.ExpectJSONPath(target, map[string]string{"{.data.mode}": "one"}),
			s.ExpectOwners(target, "data.mode", "k8sconnect"),
		),
	})
}

// Each import ID that cannot be used says what is wrong with it, and how one is written.
func TestImportIDsAreRefused(t *testing.T) {
	const form = "Write apiVersion=apps/v1,kind=Deployment,namespace=default,name=web, in any order, and without namespace for a cluster-scoped kind."
	invalid := func(id, problem string) *regexp.Regexp {
		return story.Saying("Invalid Import ID", "The import ID "+id+" cannot be used: "+problem+".", form)
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
		"a kind of no group":    {"apiVersion=apps/v1,kind=Deploymant,name=a", story.Saying("Kind Not Served", "Deploymant", "could not be imported", "apps/v1 Deployment")},
		"a missing object":      {"apiVersion=v1,kind=ConfigMap,namespace=NS,name=nowhere", story.Saying("Object Not Found", "nowhere", "could not be imported")},
		"a missing namespace":   {"apiVersion=v1,kind=ConfigMap,namespace=NS-x,name=nowhere", story.Saying("Object Not Found", "nowhere", "could not be imported")},
		"a namespace too many":  {"apiVersion=v1,kind=Namespace,namespace=default,name=NS", story.Saying("Invalid Object", "could not be imported", "Namespace is cluster-scoped", "Leave the namespace out of the import.")},
		"a kind in upper cases": {"apiVersion=v1,kind=CONFIGMAP,name=a", story.Saying("Kind Not Served", "CONFIGMAP", "could not be imported", "v1 ConfigMap")},
	}
	s := story.New(t)
	var steps []resource.TestStep
	for _, test := range tests {
		steps = append(steps, resource.TestStep{
			Config: s.Config(story.Deployment), ResourceName: story.Address,
			ImportState: true, ImportStateId: s.Expand(test.id), ExpectError: test.want,
		})
	}
	// After all that, the story's object is created as if nothing had happened.
	steps = append(steps, resource.TestStep{
		Config: s.Config(story.Deployment),
		ConfigPlanChecks: story.PlanChecks(
			plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionCreate), s.ExpectPrediction(story.Deployment),
		),
		Check: s.ExpectJSONPath(story.Web, map[string]string{"{.spec.replicas}": "3"}),
	})
	s.Run(steps...)
}
