package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// An object that admission plugins of the API server refuse, because something that it refers to is still to come, is
// created once it is there.
func TestWaitsForReferences(t *testing.T) {
	t.Parallel()
	for name, reference := range map[string]struct{ pod, missing, warning string }{
		"a service account": {
			"{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: NS}, spec: {serviceAccountName: late, terminationGracePeriodSeconds: 0, containers: [{name: app, image: nginx}]}}",
			"{apiVersion: v1, kind: ServiceAccount, metadata: {name: late, namespace: NS}}", "ServiceAccount NS/late does not exist",
		},
		"a priority class": {
			"{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: NS}, spec: {priorityClassName: NS-late, terminationGracePeriodSeconds: 0, containers: [{name: app, image: nginx}]}}",
			"{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: NS-late}, value: 5}", "PriorityClass NS-late does not exist",
		},
		"a runtime class": {
			"{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: NS}, spec: {runtimeClassName: NS-late, terminationGracePeriodSeconds: 0, containers: [{name: app, image: nginx}]}}",
			"{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: NS-late}, handler: runc}", "RuntimeClass NS-late does not exist",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.Run(resource.TestStep{
				Config: s.Config(reference.pod),
				ConfigPlanChecks: story.PlanChecks(
					story.ExpectAction(plancheck.ResourceActionCreate),
					s.ExpectOnlyWarning("Dependency Not Ready Yet", s.Expand(reference.warning)),
					story.Meanwhile(func() {
						s.OnceSent(1, "patch pods", func() { s.As("kubectl-create").Create(reference.missing) })
					}),
				),
				Check: s.ExpectLive("v1 Pod web", map[string]any{"metadata.name": "web"}),
			})
		})
	}
}

// A Pod without limits, which a quota demands, gets those of a LimitRange of the same plan.
func TestPodWithLimitsOfTheSamePlan(t *testing.T) {
	const quota = "{apiVersion: v1, kind: ResourceQuota, metadata: {name: q, namespace: NS}, spec: {hard: {limits.cpu: '4'}}}"
	const limits = "{apiVersion: v1, kind: LimitRange, metadata: {name: l, namespace: NS}, spec: {limits: [{type: Container, default: {cpu: 1m}}]}}"
	const pod = "{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: NS}, spec: {terminationGracePeriodSeconds: 0, containers: [{name: app, image: nginx}]}}"
	s := newSet(t)
	s.has(map[string]string{"quota": quota})
	s.Do("apply", "-auto-approve")
	s.has(map[string]string{"quota": quota, "pod": pod})
	s.expect(s.Exits(story.Refused, "plan"), "must specify limits.cpu")
	s.has(map[string]string{"quota": quota, "pod": pod, "limits": limits})
	s.expect(s.Do("plan"), "1 to change", "not", "Dependency Not Ready Yet")
	s.Do("apply", "-auto-approve")
	s.settled()
}

// A namespace and a Pod in it are created in one apply, before the service account of the namespace exists.
func TestPodInNewNamespace(t *testing.T) {
	s := story.New(t)
	s.Run(resource.TestStep{
		Config: s.ProviderBlock() + s.Manifest("namespace", story.InnerNamespace) + s.Manifest("test",
			"{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: NS-inner}, spec: {terminationGracePeriodSeconds: 0, containers: [{name: app, image: nginx}]}}",
			"depends_on = [k8sconnect_manifest.namespace]"),
	})
}

// Kinds that no resource can manage are called that.
func TestKindsThatCannotBeManaged(t *testing.T) {
	s := story.New(t)
	refused := func(body string) resource.TestStep {
		return resource.TestStep{Config: s.Config(body), ExpectError: story.Saying("Kind Cannot Be Managed")}
	}
	s.Run(
		refused("{apiVersion: authorization.k8s.io/v1, kind: SelfSubjectAccessReview, metadata: {name: a}, spec: {}}"),
		refused("{apiVersion: authentication.k8s.io/v1, kind: TokenReview, metadata: {name: a}, spec: {}}"),
		refused("{apiVersion: v1, kind: Binding, metadata: {name: a, namespace: NS}, target: {kind: Node, name: a}}"),
		refused("{apiVersion: v1, kind: ComponentStatus, metadata: {name: a}}"),
	)
}
