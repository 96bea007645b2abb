package acceptance_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const (
	innerNamespace = "v1 Namespace NS-inner"
	stuckInside    = "v1 ConfigMap NS-inner/stuck"
	heldInside     = "apiVersion: v1\nkind: ConfigMap\n" +
		"metadata: {name: stuck, namespace: NS-inner, finalizers: [example.com/hold]}\n"
	webInside = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: NS-inner}\n"
)

// deleteInner deletes a namespace that an object in it holds, until the cluster says what holds it.
func deleteInner(s *story.Story) {
	s.As("kubectl").Remove(innerNamespace)
	s.Await("the namespace says what holds it", func() bool {
		return strings.Contains(story.AsJSON(s.Live(innerNamespace).Object["status"]), "example.com/hold in 1")
	})
}

// Nothing can be created in a namespace that is being deleted: the plan says it, and what holds the namespace. So does
// the error of the apply, which waits for the namespace to come back.
func TestCreateInTerminatingNamespace(t *testing.T) {
	s := story.New(t)
	s.As("kubectl").Create(story.InnerNamespace)
	s.As("kubectl").Create(heldInside)
	deleteInner(s)
	held := s.Expand("NamespaceFinalizersRemaining=True (SomeFinalizersRemain): Some content in the namespace has finalizers remaining: " +
		"example.com/hold in 1 resource instances")
	s.Run(
		resource.TestStep{
			Config: s.Config(webInside, `timeouts { create = "6s" }`),
			ConfigPlanChecks: story.PlanChecks(s.ExpectWarning(s.Expand("Terminating: namespace NS-inner"),
				s.Expand("ConfigMap NS-inner/web (v1)"), held, "waits up to 6s", "remove these finalizers")),
			ExpectError: story.Saying("Namespace Terminating", s.Expand("ConfigMap NS-inner/web (v1) could not be created"), "is being terminated",
				held, "remove these finalizers", "When it is gone, create it again, and apply."),
		},
		resource.TestStep{
			PreConfig: func() { s.As("guardian").Patch(stuckInside, `{"metadata":{"finalizers":null}}`) },
			Config:    s.ProviderBlock(), Check: story.Eventually("the namespace is gone", func() bool { return s.Gone(innerNamespace) }),
		},
	)
}

// An object of the name that is being deleted is neither adopted, which would put an object into the state that is about
// to vanish, nor to be imported: the create waits until it is gone.
func TestCreateOverATerminatingObject(t *testing.T) {
	t.Parallel()
	for name, argument := range map[string]string{"created": "", "adopting": "adopt_existing = true", "immutable": ""} {
		t.Run(name, func(t *testing.T) {
			before := story.ConfigMap
			if name == "immutable" { // The server refuses the new object as a change of the old one.
				before = story.ConfigMapIn("web", `immutable: true`)
			}
			s := story.New(t)
			old := s.Sight("v1 ConfigMap web")
			s.As("helm").Create(strings.Replace(before, "metadata: {", "metadata: {finalizers: [example.com/hold], ", 1))
			story.Must(t, old.See(nil))
			s.As("helm").Remove(old.Target)
			w := s.HostedWorkspace()
			w.Configure(s.Manifest("test", story.ConfigMap, argument, "timeouts {\n create = \"6s\"\n}"))
			out := w.Exits(story.Refused, "apply", "-auto-approve")
			said := story.Saying("Terminating: ConfigMap", "example.com/hold", "waits up to 6s until it is gone", "could not be created",
				"an object of this name is being deleted", "When it is gone, apply again")
			if !said.MatchString(out) {
				t.Errorf("the apply says:\n%s", out)
			}
			w.Configure(s.Manifest("test", story.ConfigMap, argument))
			s.OnceSent(5, "patch configmaps", func() { s.As("guardian").Patch(old.Target, `{"metadata":{"finalizers":null}}`) })
			w.Do("apply", "-auto-approve")
			story.Must(t, old.ExpectReplaced(nil))
			w.Do("plan", "-detailed-exitcode")
		})
	}
}

// The same for an object that takes the name after the plan: the apply keeps the planned values, and waits.
func TestNameThatTerminatesSinceThePlan(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]string{"created": story.ConfigMap, "immutable": story.ConfigMapIn("web", `immutable: true`)} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			const target = "v1 ConfigMap web"
			release := func() { s.As("guardian").Patch(target, `{"metadata":{"finalizers":null}}`) }
			w := s.HostedWorkspace()
			plan := func(arguments ...string) {
				w.Configure(s.Manifest("test", story.ConfigMap, arguments...))
				w.Do("plan", "-out=saved")
				s.As("helm").Create(strings.Replace(before, "metadata: {", "metadata: {finalizers: [example.com/hold], ", 1))
				s.As("helm").Remove(target)
			}
			plan("timeouts {\n create = \"6s\"\n}")
			says(t, w.Exits(story.Refused, "apply", "saved"), "Terminating: ConfigMap", "example.com/hold", "could not be created",
				"an object of this name is being deleted", "When it is gone, apply again")
			release()
			plan()
			s.OnceSent(4, "patch configmaps", release)
			w.Do("apply", "saved")
			w.Do("plan", "-detailed-exitcode")
		})
	}
}

// A custom resource cannot be created while its definition is being deleted. The user lacks no permission: the plan and
// the error say what holds the definition, and the apply waits until the kind is back.
func TestCreateOfTerminatingKind(t *testing.T) {
	s := story.New(t)
	t.Cleanup(s.DropDefinition)
	const definition, stuck = "apiextensions.k8s.io/v1 CustomResourceDefinition widgets.NS.example.com", "NS.example.com/v1 Widget NS/stuck"
	s.As("kubectl").Create(story.WidgetDefinition)
	s.Await("the kind is served", func() bool { return !unserved(s, "NS.example.com/v1", "widgets") })
	s.As("kubectl").Create("apiVersion: NS.example.com/v1\nkind: Widget\nmetadata: {name: stuck, namespace: NS, finalizers: [example.com/hold]}\n")
	s.As("kubectl").Remove(definition)
	s.Await("the definition is terminating", func() bool {
		return strings.Contains(story.AsJSON(s.Live(definition).Object["status"]), "Terminating")
	})
	says := []string{"Terminating=True", "kubectl get widgets.NS.example.com --all-namespaces"}
	for i := range says {
		says[i] = s.Expand(says[i])
	}
	s.Run(
		resource.TestStep{
			Config: s.Config(story.WidgetHere, `timeouts { create = "6s" }`),
			ConfigPlanChecks: story.PlanChecks(s.ExpectWarning(append(says,
				s.Expand("Terminating: CustomResourceDefinition widgets.NS.example.com"))...)),
			ExpectError: story.Saying(append([]string{"Dependency Still Missing"}, says...)...),
		},
		resource.TestStep{
			PreConfig: func() {
				go func() {
					s.As("guardian").Patch(stuck, `{"metadata":{"finalizers":null}}`)
					s.Await("the definition is gone", func() bool { return s.Gone(definition) })
					s.As("kubectl").Create(story.WidgetDefinition)
				}()
			},
			Config: s.Config(story.WidgetHere),
		},
	)
}

// A namespace that another client has deleted waits for no grace period: the warning says what is in it.
func TestNamespaceBeingDeleted(t *testing.T) {
	s := story.New(t)
	s.Run(
		resource.TestStep{Config: s.Config(story.InnerNamespace)},
		resource.TestStep{
			PreConfig: func() {
				s.As("kubectl").Create(heldInside)
				deleteInner(s)
				s.Provider.Take()
			},
			Config: s.Config(story.InnerNamespace), PlanOnly: true,
		},
		resource.TestStep{
			PreConfig: func() {
				story.Must(s.T, s.Warned("Object Being Deleted", s.Expand("Namespace NS-inner (v1) was deleted at "),
					"NamespaceFinalizersRemaining=True", "example.com/hold in 1 resource instances", "remove these finalizers"))
				s.As("guardian").Patch(stuckInside, `{"metadata":{"finalizers":null}}`)
			},
			Config: s.ProviderBlock(), Check: s.ExpectGone(innerNamespace),
		},
	)
}

// A pod whose node does not answer waits for its grace period, and force_destroy does not help: the error has the
// command that does.
func TestPodOfLostNode(t *testing.T) {
	s := story.New(t)
	const pod = "v1 Pod web"
	s.Run(
		resource.TestStep{Config: s.Config("apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: NS}\n"+
			"spec: {nodeName: lost, containers: [{name: app, image: nginx}]}\n", `timeouts { delete = "2s" }`)},
		resource.TestStep{
			Config: s.ProviderBlock(), Destroy: true,
			ExpectError: story.Saying("Deletion Blocked", "it has a grace period of 30 s", "the pod web is on the node lost, which does not exist",
				s.Expand("kubectl delete pod web -n NS --grace-period=0 --force"), "Then destroy again."),
		},
		resource.TestStep{
			PreConfig: func() {
				zero := int64(0)
				story.Must(t, s.Typed.CoreV1().Pods(s.Namespace).Delete(t.Context(), "web", metav1.DeleteOptions{GracePeriodSeconds: &zero}))
			},
			Config: s.ProviderBlock(), Check: s.ExpectGone(pod),
		},
	)
}

// deadNode has kwok, which plays the kubelet of each node, do nothing for the node and the pods of a story.
const deadNode = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: dead-node.NS}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [""], apiVersions: [v1], operations: [UPDATE], resources: [nodes/status]}
    - {apiGroups: [""], apiVersions: [v1], operations: [DELETE], resources: [pods]}
  matchConditions:
  - {name: ours, expression: request.name == "NS" || request.namespace == "NS-inner"}
  validations:
  - {expression: request.userInfo.username != "kwok"}
`

// lostNode creates a node with the name of the story's namespace that does not answer.
func lostNode(s *story.Story) {
	s.T.Helper()
	head, _, _ := strings.Cut(deadNode, "spec:")
	binding := strings.NewReplacer("Policy\n", "PolicyBinding\n").Replace(head) +
		"spec: {policyName: dead-node.NS, validationActions: [Deny]}\n"
	for _, text := range []string{deadNode, binding} {
		object := s.As("kubectl-create").Create(text)
		client, name := s.ResourceOf(object), object.GetName()
		s.T.Cleanup(func() { _ = client.Delete(context.Background(), name, metav1.DeleteOptions{}) })
	}
	nodes := s.Typed.CoreV1().Nodes()
	node, err := nodes.Create(s.T.Context(), &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: s.Namespace}, Spec: corev1.NodeSpec{Unschedulable: true},
	}, metav1.CreateOptions{})
	story.Must(s.T, err)
	s.T.Cleanup(func() { _ = nodes.Delete(context.Background(), node.Name, metav1.DeleteOptions{}) })
	s.Await("the policy is in effect", func() bool {
		node, err := nodes.Get(s.T.Context(), s.Namespace, metav1.GetOptions{})
		story.Must(s.T, err)
		if conditions := node.Status.Conditions; len(conditions) == 1 && conditions[0].Status == corev1.ConditionUnknown {
			return true
		}
		node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionUnknown, LastTransitionTime: metav1.Now()}}
		_, _ = nodes.UpdateStatus(s.T.Context(), node, metav1.UpdateOptions{}) // The next round tries again, and sees whether kwok has changed it.
		time.Sleep(time.Second)
		return false
	})
}

// A namespace that waits for a pod whose node does not answer says so, with the command that ends it, and names no finalizer,
// neither before the cluster writes conditions nor after.
func TestNamespaceWithPodOfLostNode(t *testing.T) {
	s := story.New(t)
	lostNode(s)
	blocked := func() resource.TestStep {
		return resource.TestStep{
			Config: s.ProviderBlock(), Destroy: true,
			ExpectError: story.Saying("Deletion Blocked", s.Expand("the pod web is on the node NS, which does not answer (Ready=Unknown"),
				"Start the node again", s.Expand("kubectl delete pod web -n NS-inner --grace-period=0 --force"), "Then destroy again."),
		}
	}
	again := blocked()
	again.PreConfig = func() {
		s.Await("the namespace says what is left in it", func() bool {
			return strings.Contains(story.AsJSON(s.Live(innerNamespace).Object["status"]), "Resource=pods")
		})
	}
	s.Run(
		resource.TestStep{Config: s.Config(story.InnerNamespace, `timeouts { delete = "2s" }`)},
		resource.TestStep{
			PreConfig: func() {
				s.As("kubectl").Create("apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: NS-inner}\n" +
					"spec: {nodeName: NS, terminationGracePeriodSeconds: 1, containers: [{name: app, image: nginx}]}\n")
			},
			Config: s.Config(story.InnerNamespace, `timeouts { delete = "2s" }`),
		},
		blocked(), again,
		resource.TestStep{
			PreConfig: func() {
				never(s, "finalizer", "kube-controller-manager")
				zero := int64(0)
				story.Must(t, s.Typed.CoreV1().Pods(s.Expand("NS-inner")).Delete(t.Context(), "web", metav1.DeleteOptions{GracePeriodSeconds: &zero}))
				s.Await("the cluster has looked again", func() bool { return s.Gone(innerNamespace) })
			},
			Config: s.ProviderBlock(), Check: s.ExpectGone(innerNamespace),
		},
	)
}

// A finalizer that the manifest itself declares is named as such.
func TestOwnFinalizerBlocksDestroy(t *testing.T) {
	s := story.New(t)
	const target = "v1 ConfigMap web"
	s.Run(
		resource.TestStep{Config: s.Config(story.ConfigMapIn("web", "data: {a: x}", "finalizers: [example.com/own]"),
			`timeouts { delete = "2s" }`)},
		resource.TestStep{
			Config: s.ProviderBlock(), Destroy: true,
			ExpectError: story.Saying("Deletion Blocked", "the finalizer example.com/own (set by k8sconnect)",
				"This resource itself sets example.com/own.", "remove it from metadata.finalizers in yaml_body and apply"),
		},
		resource.TestStep{
			PreConfig: func() { s.As("guardian").Patch(target, `{"metadata":{"finalizers":null}}`) },
			Config:    s.ProviderBlock(), Check: s.ExpectGone(target),
		},
	)
}
