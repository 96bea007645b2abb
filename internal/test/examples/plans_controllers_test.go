package examples_test

import (
	"fmt"
	"testing"
	"time"
)

// ignoreReplicas is what settles the fight with the autoscaler.
const ignoreReplicas = "\n  # The Deployment starts with 3 replicas; from then on the number belongs to the autoscaler.\n" +
	"  ignore_fields = [\"spec.replicas\"]\n"

// planAutoscaler is the autoscaler of the control plane, at an example that has not left the field to it
// yet.
func planAutoscaler(t *testing.T, cli cli) {
	s := newStory(t, cli, "autoscaler")
	target := deployment("autoscaled")
	s.configure(ignoreReplicas, "")
	s.apply(target)
	s.awaitReplicas(target, 5)
	s.shows("autoscaler", changes)
	s.apply()
	s.awaitReplicas(target, 5)
	s.shows("fight", changes)

	s.configure()
	s.shows("leaving-to-autoscaler", changes)
	s.apply()
	s.plan(nothing)
	s.configure("      replicas: 3\n", "")
	s.apply(target)
	s.awaitReplicas(target, 5)
	s.plan(nothing)
}

// planIgnoredManager has an autoscaler that another team created.
func planIgnoredManager(t *testing.T, cli cli) {
	s := newStory(t, cli, "ignore-managers")
	target := deployment("search")
	s.apply(target)
	manager("kubectl-create").createUntilTheEnd(t, `
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: search, namespace: default}
spec:
  minReplicas: 5
  maxReplicas: 9
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: search}
`)
	s.awaitReplicas(target, 5)
	s.shows("ignored-manager", changes)
	s.apply(target)
	s.plan(nothing)
	manager("kube-controller-manager").scale(t, target, 7)
	s.plan(nothing)
}

// awaitReplicas waits until the autoscaler has scaled.
func (s story) awaitReplicas(target target, want int64) {
	s.Helper()
	s.await(fmt.Sprintf("%s has %d replicas", target.name, want), func() bool {
		spec, _ := target.live(s.T).Object["spec"].(map[string]any)
		return spec["replicas"] == want
	})
}

func planRefused(t *testing.T, cli cli) {
	s := newStory(t, cli, "on-conflict")
	target := deployment("payments")
	s.apply(target)
	manager("kubectl-edit").patch(t, target, `{"spec":{"replicas":6,"template":{"spec":{"containers":[{"name":"app","image":"nginx:1.28"}]}}}}`)
	s.shows("refused", refused)
	s.configure(`on_conflict = "fail"`, `on_conflict = "force"`)
	s.plan(changes)
}

func planInjector(t *testing.T, cli cli) {
	s := newStory(t, cli, "ca-injector")
	s.apply()
	webhook := target{"validatingwebhookconfigurations.v1.admissionregistration.k8s.io", "", "widgets.example.com"}
	manager("cert-manager-cainjector").patch(t, webhook, `{"webhooks":[{"name":"check.widgets.example.com","clientConfig":{"caBundle":"Q0E="}}]}`)
	s.plan(nothing)
	s.configure("\n  # The bundle in the manifest is sent once, when the object is created; the CA injector writes the real one.\n  ignore_fields = [\"webhooks[*].clientConfig.caBundle\"]\n", "")
	s.shows("injector", changes)
}

// planPolicy has a policy of the API server itself, which marks a Deployment whoever writes it.
func planPolicy(t *testing.T, cli cli) {
	const version, resource = "admissionregistration.k8s.io/v1", "mutatingadmissionpolicies"
	served, err := controlPlane.Serves(version, resource)
	must(t, err)
	if !served {
		t.Skipf("Kubernetes %s does not serve %s in %s", controlPlane.Version(), resource, version)
	}
	s := newStory(t, cli, "getting-started")
	target := deployment("stamped")
	manager("kubectl-create").createUntilTheEnd(t, policy)
	named := []string{"      name: hello\n", "      name: stamped\n"}
	s.configure(named...)
	s.apply(target)
	mark := func() string { return target.live(t).GetAnnotations()["policy.example.com/checked"] }
	s.await("the policy is in force", func() bool {
		manager("kubectl-edit").patch(t, target, `{"metadata":{"annotations":{"note":"`+time.Now().String()+`"}}}`)
		return mark() == "yes"
	})
	s.plan(nothing)
	s.configure(append(named, "replicas: 2", "replicas: 3")...)
	s.apply(target)
	s.plan(nothing)
	if mark() != "yes" {
		t.Error("an apply removed what the policy wrote")
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
