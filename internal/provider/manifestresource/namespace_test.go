package manifestresource_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
)

const nowhere = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {colour: %s}\n"

// inNamespace returns a provider whose kubeconfig has a context with a namespace; "" for one without.
func inNamespace(s *story, namespace string, lines ...string) string {
	s.t.Helper()
	config, err := clientcmd.Load(controlPlane().Kubeconfig())
	must(s.t, err)
	config.Contexts[config.CurrentContext].Namespace = namespace
	text, err := clientcmd.Write(*config)
	must(s.t, err)
	return providerWith(cluster(append([]string{attributes("config_path", s.file("config", text, 0o600))}, lines...)...))
}

// otherNamespace returns a second namespace of the story.
func otherNamespace(s *story) string {
	s.t.Helper()
	s.as("kubectl").create("apiVersion: v1\nkind: Namespace\nmetadata: {name: NS-other}\n")
	s.t.Cleanup(func() {
		_ = s.typed.CoreV1().Namespaces().Delete(context.Background(), s.namespace+"-other", metav1.DeleteOptions{})
	})
	return s.namespace + "-other"
}

// An object whose manifest names no namespace stays where it is when the context moves, and moves when the
// connection itself says so.
func TestNamespaceOfStateStays(t *testing.T) {
	s := newStory(t)
	other := otherNamespace(s)
	here, there := "v1 ConfigMap "+s.namespace+"/web", "v1 ConfigMap "+other+"/web"
	colour := func(name string) string { return s.manifest("test", fmt.Sprintf(nowhere, name)) }
	s.run(
		resource.TestStep{
			Config:           inNamespace(s, s.namespace) + colour("red"),
			ConfigPlanChecks: checks(s.expectNoWarning()),
			Check:            s.expectLive(here, map[string]any{"data.colour": "red"}),
		},
		resource.TestStep{
			Config:           inNamespace(s, other) + colour("red"),
			ConfigPlanChecks: checks(plancheck.ExpectEmptyPlan()),
		},
		resource.TestStep{
			Config:            inNamespace(s, other) + colour("blue"),
			ConfigPlanChecks:  checks(expectAction(plancheck.ResourceActionUpdate), expectValue("data.colour", "red", "blue")),
			ConfigStateChecks: states(expectState("object_ref", "namespace: "+s.namespace)),
			Check:             lives(s.expectLive(here, map[string]any{"data.colour": "blue"}), s.expectGone(there)),
		},
		resource.TestStep{
			Config:           inNamespace(s, "", attributes("namespace", s.namespace)) + colour("blue"),
			ConfigPlanChecks: checks(plancheck.ExpectEmptyPlan()),
		},
		resource.TestStep{
			Config: inNamespace(s, "", attributes("namespace", other)) + colour("blue"),
			ConfigPlanChecks: checks(expectAction(plancheck.ResourceActionReplace),
				s.expectPlanSays("Namespace Change: ConfigMap "+s.namespace+"/web (v1)", "the cluster connection names \""+other+"\"",
					"write metadata.namespace: "+s.namespace)),
			ConfigStateChecks: states(expectState("object_ref", "namespace: "+other)),
			Check:             lives(s.expectLive(there, map[string]any{"data.colour": "blue"}), s.expectGone(here)),
		},
		resource.TestStep{
			Config:           inNamespace(s, s.namespace) + strings.Replace(colour("blue"), "name: web", "name: web, namespace: "+other, 1),
			ConfigPlanChecks: checks(expectAction(plancheck.ResourceActionUpdate)),
			Check:            s.expectGone(here),
		},
	)
}

// The connection of a resource has a namespace of its own, which cluster-scoped kinds ignore.
func TestNamespaceOfConnection(t *testing.T) {
	s := newStory(t)
	own := cluster(attributes("config_path", controlPlane().KubeconfigPath(), "namespace", s.namespace))
	role := "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: NS}\n"
	s.run(
		resource.TestStep{
			Config:           s.providerBlock() + s.manifest("test", fmt.Sprintf(nowhere, "red"), own) + s.manifest("role", role, own),
			ConfigPlanChecks: checks(s.expectNoWarning()),
			Check: lives(s.expectLive("v1 ConfigMap "+s.namespace+"/web", map[string]any{"data.colour": "red"}),
				s.expectLive("rbac.authorization.k8s.io/v1 ClusterRole "+s.namespace, map[string]any{"metadata.name": s.namespace})),
		},
		resource.TestStep{
			Config:      s.providerBlock() + s.manifest("test", fmt.Sprintf(nowhere, "red"), cluster(attributes("config_path", controlPlane().KubeconfigPath(), "namespace", "a.b"))),
			PlanOnly:    true,
			ExpectError: saying("Invalid Cluster Connection", "`cluster.namespace` is \"a.b\"", "cannot be the name of a namespace"),
		},
		resource.TestStep{
			Config: s.providerBlock() + s.manifest("test", fmt.Sprintf(nowhere, "red"), own),
		},
	)
}

// A namespace that nothing names is told once, however many objects are created in it.
func TestNamespaceThatNothingNames(t *testing.T) {
	s := newStory(t)
	named := strings.Replace(nowhere, "name: web", "name: NS-%s", 1)
	role := "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: NS}\n"
	s.run(resource.TestStep{
		Config: inNamespace(s, "") + s.manifest("one", fmt.Sprintf(named, "one", "red")) + s.manifest("two", fmt.Sprintf(named, "two", "red")) +
			s.manifest("role", role),
		ConfigPlanChecks: checks(
			s.expectPlanSays("Namespace Not Named", "in the namespace \"default\"", "`namespace` into `cluster`"),
			check(func(context.Context, plancheck.CheckPlanRequest) error {
				if warnings, _ := s.provider.lastPlan(); len(warnings) != 1 {
					return fmt.Errorf("%d warnings, want 1:\n%s", len(warnings), strings.Join(warnings, "\n"))
				}
				return nil
			}),
		),
	})
}

// A namespace on a cluster-scoped kind is left out, by an update and an adoption too.
func TestNamespaceOfClusterScopedKind(t *testing.T) {
	s := newStory(t)
	role := func(name, verb string) string {
		return s.manifest(name, "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: NS-"+name+", namespace: NS}\n"+
			"rules: [{apiGroups: [''], resources: [pods], verbs: ["+verb+"]}]\n", "adopt_existing = true")
	}
	target := func(name string) string {
		return "rbac.authorization.k8s.io/v1 ClusterRole " + s.namespace + "-" + name
	}
	s.as("kubectl").create("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: NS-found}\n")
	leftOut := s.expectPlanSays("Namespace of a Cluster-Scoped Kind Left Out", "metadata.namespace is not sent", "Remove it from yaml_body")
	s.run(
		resource.TestStep{
			Config:            s.providerBlock() + role("test", "get"),
			ConfigPlanChecks:  checks(leftOut),
			ConfigStateChecks: states(expectState("object_ref", "namespace: <nil>", "name: "+s.namespace+"-test")),
		},
		resource.TestStep{
			Config:           s.providerBlock() + role("test", "list"),
			ConfigPlanChecks: checks(expectAction(plancheck.ResourceActionUpdate), leftOut),
		},
		resource.TestStep{
			Config:           s.providerBlock() + role("test", "list") + role("found", "get"),
			ConfigPlanChecks: checks(leftOut),
			Check:            s.expectLive(target("found"), map[string]any{"metadata.name": s.namespace + "-found"}),
		},
	)
}
