package examples_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report/command"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/pages"
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
	e.says(e.plan(story.Changes), `+ effect = "take-back"`, `+ "kube-controller-manager" = "controller: Update scale"`)
	e.showsEnd("autoscaler-end")
	e.showsOutput("report", e.report())
	e.apply()
	e.AwaitReplicas(target, 5)
	e.showsWarnings("fight")

	e.configure()
	e.says(e.plan(story.Changes), `- "spec.replicas" = "5" -> null`, "Plan: 0 to add, 1 to change, 0 to destroy.",
		"Deployment default/autoscaled (apps/v1): the apply leaves a field to its owner, with the value it has:", `spec.replicas: "5", owned by "kube-controller-manager"`)
	e.apply()
	e.showsNothing("nothing")
	e.configure("      replicas: 3\n", "")
	e.apply(target)
	e.AwaitReplicas(target, 5)
	e.plan(story.Nothing)
}

// overrides is the message about the provider that the tests use instead of a released one.
var overrides = regexp.MustCompile(`(?m)^.*development overrides are in effect.*\n`)

// report saves a plan that breaks the rules of policies/, and returns the commands of a pipeline with what the report prints.
func (e *example) report() string {
	e.T.Helper()
	plan, log := filepath.Join(e.Dir, "plan.json"), filepath.Join(e.Dir, "plan.jsonl")
	write(e.T, log, overrides.ReplaceAllString(e.Do("plan", "-json", "-out=plan.bin"), ""))
	write(e.T, plan, e.Do("show", "-json", "plan.bin"))
	var printed, errors strings.Builder
	args := []string{"--rules", filepath.Join(pages.Root, "policies", "k8sconnect.rules"), plan, log}
	if code := command.Run(args, &printed, &errors); code != 2 {
		e.T.Fatalf("exit code %d: %s\n%s", code, errors.String(), printed.String())
	}
	return "$ terraform plan -json -out=plan.bin > plan.jsonl\n$ terraform show -json plan.bin > plan.json\n" +
		"$ terraform-provider-k8sconnect report --rules k8sconnect.rules plan.json plan.jsonl\n\n" + printed.String()
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
	e.shows("refused", story.Refused)
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
