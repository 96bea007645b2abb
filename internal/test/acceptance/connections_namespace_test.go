package acceptance_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const nowhere = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {colour: %s}\n"

// inNamespace returns a provider whose kubeconfig has a context with a namespace; "" for one without.
func inNamespace(s *story.Story, namespace string, lines ...string) string {
	s.T.Helper()
	config, err := clientcmd.Load(story.ControlPlane().Kubeconfig())
	story.Must(s.T, err)
	config.Contexts[config.CurrentContext].Namespace = namespace
	text, err := clientcmd.Write(*config)
	story.Must(s.T, err)
	return story.ProviderWith(story.Cluster(append([]string{story.Attributes("config_path", s.File("config", text, 0o600))}, lines...)...))
}

// otherNamespace returns a second namespace of the story.
func otherNamespace(s *story.Story) string {
	s.T.Helper()
	s.As("kubectl").Create("apiVersion: v1\nkind: Namespace\nmetadata: {name: NS-other}\n")
	s.T.Cleanup(func() {
		_ = s.Typed.CoreV1().Namespaces().Delete(context.Background(), s.Namespace+"-other", metav1.DeleteOptions{})
	})
	return s.Namespace + "-other"
}

// A wait that names no namespace goes on in the namespace of another cluster.
func TestWaitInTheNamespaceOfAnotherCluster(t *testing.T) {
	s := story.New(t)
	here := story.Attributes("config_path", story.ControlPlane().KubeconfigPath(), "namespace", s.Namespace)
	there := story.Attributes("config_path", story.ControlPlane().KubeconfigPath(), "namespace", otherNamespace(s))
	waitIn := func(name string) resource.TestStep {
		return resource.TestStep{
			Config: story.ProviderWith(clusters("here", here, "there", there)) + `resource "k8sconnect_wait" "test" {
  target       = { api_version = "v1", kind = "ConfigMap", name = "web" }
  fields       = { "data.colour" = "red" }
  cluster_name = "` + name + `"
  ` + waitTimeouts("20s") + `
}
`,
			ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownValue(waitAddress, tfjsonpath.New("id"),
				knownvalue.StringExact("apiVersion=v1,kind=ConfigMap,namespace="+map[string]string{"here": s.Namespace, "there": s.Namespace + "-other"}[name]+",name=web"))},
		}
	}
	s.As("kubectl").Create("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: NS}\ndata: {colour: red}\n")
	s.As("kubectl").Create("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: NS-other}\ndata: {colour: red}\n")
	s.Run(waitIn("here"), waitIn("there"))
}

// An object whose manifest names no namespace stays where it is when the context moves, and moves when the
// connection itself says so.
func TestNamespaceOfStateStays(t *testing.T) {
	s := story.New(t)
	other := otherNamespace(s)
	here, there := "v1 ConfigMap "+s.Namespace+"/web", "v1 ConfigMap "+other+"/web"
	colour := func(name string) string { return s.Manifest("test", fmt.Sprintf(nowhere, name)) }
	s.Run(
		resource.TestStep{
			Config:           inNamespace(s, s.Namespace) + colour("red"),
			ConfigPlanChecks: story.PlanChecks(s.ExpectNoWarning()),
			Check:            s.ExpectLive(here, map[string]any{"data.colour": "red"}),
		},
		resource.TestStep{
			Config:           inNamespace(s, other) + colour("red"),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan()),
		},
		resource.TestStep{
			Config:            inNamespace(s, other) + colour("blue"),
			ConfigPlanChecks:  story.PlanChecks(story.ExpectAction(plancheck.ResourceActionUpdate), story.ExpectValue("data.colour", "red", "blue")),
			ConfigStateChecks: story.StateChecks(story.ExpectState("object_ref", "namespace: "+s.Namespace)),
			Check:             story.LiveChecks(s.ExpectLive(here, map[string]any{"data.colour": "blue"}), s.ExpectGone(there)),
		},
		resource.TestStep{
			Config:           inNamespace(s, "", story.Attributes("namespace", s.Namespace)) + colour("blue"),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan()),
		},
		resource.TestStep{
			Config: inNamespace(s, "", story.Attributes("namespace", other)) + colour("blue"),
			ConfigPlanChecks: story.PlanChecks(story.ExpectAction(plancheck.ResourceActionReplace),
				s.ExpectPlanSays("Namespace Change: ConfigMap "+s.Namespace+"/web (v1)", "the cluster connection names \""+other+"\"",
					"set metadata.namespace: "+s.Namespace)),
			ConfigStateChecks: story.StateChecks(story.ExpectState("object_ref", "namespace: "+other)),
			Check:             story.LiveChecks(s.ExpectLive(there, map[string]any{"data.colour": "blue"}), s.ExpectGone(here)),
		},
		resource.TestStep{
			Config:           inNamespace(s, s.Namespace) + strings.Replace(colour("blue"), "name: web", "name: web, namespace: "+other, 1),
			ConfigPlanChecks: story.PlanChecks(story.ExpectAction(plancheck.ResourceActionUpdate)),
			Check:            s.ExpectGone(here),
		},
	)
}

// An object of a kind that has no namespaces any more leaves none, whatever the connection names.
func TestKindThatLosesItsNamespaces(t *testing.T) {
	s := story.New(t)
	s.InstallKind(jobKind)
	w := s.HostedWorkspace()
	w.Configure(s.Manifest("test", "apiVersion: NS.example.com/v1\nkind: Task\nmetadata: {name: one, namespace: NS}\n"))
	w.Do("apply", "-auto-approve")
	const definition = "apiextensions.k8s.io/v1 CustomResourceDefinition tasks.NS.example.com"
	definitions := s.ResourceOf(s.Live(definition))
	story.Must(t, definitions.Delete(t.Context(), s.Expand("tasks.NS.example.com"), metav1.DeleteOptions{}))
	s.Await("the definition is gone", func() bool { return s.Gone(definition) })
	s.As("kubectl-create").Create(strings.Replace(jobKind, "scope: Namespaced", "scope: Cluster", 1))
	s.Await("the kind has no namespaces", func() bool {
		served, err := s.Typed.Discovery().ServerResourcesForGroupVersion(s.Expand("NS.example.com/v1"))
		return err == nil && len(served.APIResources) > 0 && !served.APIResources[0].Namespaced
	})
	w.Configure(s.Manifest("test", "apiVersion: NS.example.com/v1\nkind: Task\nmetadata: {name: one}\n"))
	if out := w.Do("apply", "-auto-approve"); strings.Contains(out, "Namespace Change") {
		t.Error(out)
	}
	w.Do("plan", "-detailed-exitcode")
	w.Do("destroy", "-auto-approve")
}

// The connection of a resource has a namespace of its own, which cluster-scoped kinds ignore.
func TestNamespaceOfConnection(t *testing.T) {
	s := story.New(t)
	own := story.Cluster(story.Attributes("config_path", story.ControlPlane().KubeconfigPath(), "namespace", s.Namespace))
	role := "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: NS}\n"
	s.Run(
		resource.TestStep{
			Config:           s.ProviderBlock() + s.Manifest("test", fmt.Sprintf(nowhere, "red"), own) + s.Manifest("role", role, own),
			ConfigPlanChecks: story.PlanChecks(s.ExpectNoWarning()),
			Check: story.LiveChecks(s.ExpectLive("v1 ConfigMap "+s.Namespace+"/web", map[string]any{"data.colour": "red"}),
				s.ExpectLive("rbac.authorization.k8s.io/v1 ClusterRole "+s.Namespace, map[string]any{"metadata.name": s.Namespace})),
		},
		resource.TestStep{
			Config:      s.ProviderBlock() + s.Manifest("test", fmt.Sprintf(nowhere, "red"), story.Cluster(story.Attributes("config_path", story.ControlPlane().KubeconfigPath(), "namespace", "a.b"))),
			PlanOnly:    true,
			ExpectError: story.Saying("Invalid Cluster Connection", "`cluster.namespace` is \"a.b\"", "cannot be the name of a namespace"),
		},
		resource.TestStep{
			Config: s.ProviderBlock() + s.Manifest("test", fmt.Sprintf(nowhere, "red"), own),
		},
	)
}

// If nothing names a namespace, one warning says so, however many objects are created in it.
func TestNamespaceThatNothingNames(t *testing.T) {
	s := story.New(t)
	named := strings.Replace(nowhere, "name: web", "name: NS-%s", 1)
	role := "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: NS}\n"
	s.Run(resource.TestStep{
		Config: inNamespace(s, "") + s.Manifest("one", fmt.Sprintf(named, "one", "red")) + s.Manifest("two", fmt.Sprintf(named, "two", "red")) +
			s.Manifest("role", role),
		ConfigPlanChecks: story.PlanChecks(
			s.ExpectPlanSays("Namespace Not Named", "in the namespace \"default\"", "`namespace` in `cluster`"),
			story.Check(func(context.Context, plancheck.CheckPlanRequest) error {
				if warnings, _ := s.Provider.LastPlan(); len(warnings) != 1 {
					return fmt.Errorf("%d warnings, want 1:\n%s", len(warnings), strings.Join(warnings, "\n"))
				}
				return nil
			}),
		),
	})
}

// A namespace on a cluster-scoped kind is left out, by an update and an adoption too.
func TestNamespaceOfClusterScopedKind(t *testing.T) {
	s := story.New(t)
	role := func(name, verb string) string {
		return s.Manifest(name, "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: NS-"+name+", namespace: NS}\n"+
			"rules: [{apiGroups: [''], resources: [pods], verbs: ["+verb+"]}]\n", "adopt_existing = true")
	}
	target := func(name string) string {
		return "rbac.authorization.k8s.io/v1 ClusterRole " + s.Namespace + "-" + name
	}
	s.As("kubectl").Create("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: NS-found}\n")
	leftOut := s.ExpectPlanSays("Namespace of a Cluster-Scoped Kind Left Out", "metadata.namespace is not sent", "Remove it from yaml_body")
	s.Run(
		resource.TestStep{
			Config:            s.ProviderBlock() + role("test", "get"),
			ConfigPlanChecks:  story.PlanChecks(leftOut),
			ConfigStateChecks: story.StateChecks(story.ExpectState("object_ref", "namespace: <nil>", "name: "+s.Namespace+"-test")),
		},
		resource.TestStep{
			Config:           s.ProviderBlock() + role("test", "list"),
			ConfigPlanChecks: story.PlanChecks(story.ExpectAction(plancheck.ResourceActionUpdate), leftOut),
		},
		resource.TestStep{
			Config:           s.ProviderBlock() + role("test", "list") + role("found", "get"),
			ConfigPlanChecks: story.PlanChecks(leftOut),
			Check:            s.ExpectLive(target("found"), map[string]any{"metadata.name": s.Namespace + "-found"}),
		},
	)
}
