package examples_test

import (
	"strings"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// ignoreReplicas is what settles the fight with the autoscaler.
const ignoreReplicas = "\n  # The Deployment starts with 3 replicas; from then on the number belongs to the autoscaler.\n" +
	"  ignore_fields = [\"spec.replicas\"]\n"

// planAutoscaler is the autoscaler of the control plane, at an example that has not left the field to it
// yet.
func planAutoscaler(e *example) {
	target := deployment("autoscaled")
	e.configure(ignoreReplicas, "")
	e.apply(target)
	e.AwaitReplicas(target, 5)
	e.shows("autoscaler", story.Changes)
	e.apply()
	e.AwaitReplicas(target, 5)
	e.showsWarnings("fight")

	e.configure()
	plan := e.plan(story.Changes)
	e.says(plan, `- "spec.replicas" = "5" -> null`, "Plan: 0 to add, 1 to change, 0 to destroy.")
	if strings.Contains(plan, "Warning: Field Ownership") {
		e.T.Errorf("a field that others have already taken is left with a warning:\n%s", plan)
	}
	e.apply()
	e.plan(story.Nothing)
	e.configure("      replicas: 3\n", "")
	e.apply(target)
	e.AwaitReplicas(target, 5)
	e.plan(story.Nothing)
}

// planIgnoredManager has an autoscaler that another team created.
func planIgnoredManager(e *example) {
	target := deployment("search")
	e.apply(target)
	e.createUntilTheEnd(`
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: search, namespace: default}
spec:
  minReplicas: 5
  maxReplicas: 9
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: search}
`)
	e.AwaitReplicas(target, 5)
	e.shows("ignored-manager", story.Changes)
	e.apply(target)
	e.plan(story.Nothing)
	e.As("kube-controller-manager").Scale(target, 7)
	e.plan(story.Nothing)
}

func planRefused(e *example) {
	target := deployment("payments")
	e.apply(target)
	e.As("kubectl-edit").StrategicPatch(target, `{"spec":{"replicas":6,"template":{"spec":{"containers":[{"name":"app","image":"nginx:1.28"}]}}}}`)
	e.says(e.plan(story.Refused), "Error: Field Ownership Conflict", `nothing is applied, because on_conflict is "fail".`,
		`spec.replicas: "6" -> "3", owned by "kubectl-edit"`, `ignore_fields = ["spec.replicas", "spec.template.spec.containers[name=\"app\"].image"]`,
		`To take them anyway, set on_conflict = "force".`)
	e.configure(`on_conflict = "fail"`, `on_conflict = "force"`)
	e.plan(story.Changes)
}

func planInjector(e *example) {
	e.apply()
	const webhook = "admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration widgets.example.com"
	e.As("cert-manager-cainjector").StrategicPatch(webhook, `{"webhooks":[{"name":"check.widgets.example.com","clientConfig":{"caBundle":"Q0E="}}]}`)
	e.plan(story.Nothing)
	e.configure("\n  # The bundle in the manifest is sent once, when the object is created; the CA injector writes the real one.\n  ignore_fields = [\"webhooks[*].clientConfig.caBundle\"]\n", "")
	e.says(e.plan(story.Changes), `clientConfig.caBundle: "Q0E=" -> "Cg==", owned by "cert-manager-cainjector"`,
		`ignore_fields = ["webhooks[name=\"check.widgets.example.com\"].clientConfig.caBundle"]`)
}

// planPolicy has a policy of the API server itself, which marks a Deployment whoever writes it.
func planPolicy(e *example) {
	const version, resource = "admissionregistration.k8s.io/v1", "mutatingadmissionpolicies"
	served, err := story.ControlPlane().Serves(version, resource)
	story.Must(e.T, err)
	if !served {
		e.T.Skipf("Kubernetes %s does not serve %s in %s", story.ControlPlane().Version(), resource, version)
	}
	target := deployment("stamped")
	e.createUntilTheEnd(policy)
	named := []string{"      name: hello\n", "      name: stamped\n"}
	e.configure(named...)
	e.apply(target)
	mark := func() string { return e.Live(target).GetAnnotations()["policy.example.com/checked"] }
	e.Await("the policy is in force", func() bool {
		e.As("kubectl-edit").StrategicPatch(target, `{"metadata":{"annotations":{"note":"`+time.Now().String()+`"}}}`)
		return mark() == "yes"
	})
	e.plan(story.Nothing)
	e.configure(append(named, "replicas: 2", "replicas: 3")...)
	e.apply(target)
	e.plan(story.Nothing)
	if mark() != "yes" {
		e.T.Error("an apply removed what the policy wrote")
	}
}

const policy = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: stamp}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}
  matchConditions:
  - {name: stamped, expression: object.metadata.name == "stamped"}
  reinvocationPolicy: Never
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: >-
        Object{metadata: Object.metadata{annotations: {"policy.example.com/checked": "yes"}}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: stamp}
spec: {policyName: stamp}
`
