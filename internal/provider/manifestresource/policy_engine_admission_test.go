package manifestresource_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
)

// stamp is a policy of the API server itself, which writes a label and an annotation whoever applies.
const stamp = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: stamp.NS}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NS}}
    resourceRules:
    - {apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps]}
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: >-
        Object{metadata: Object.metadata{labels: {"stamp": "yes"}, annotations: {"stamp": "yes"}}}
`

const stampBinding = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: stamp.NS}
spec: {policyName: stamp.NS}
`

// The API server runs admission on our own applies, create included, after it has recorded who owns what:
// what a policy adds is nobody's, stays, and is no change.
func TestAdmissionPolicy(t *testing.T) {
	s := newStory(t)
	needsVersion(s, "admissionregistration.k8s.io/v1", "mutatingadmissionpolicies")
	installStamp(s)
	const target = "v1 ConfigMap web"
	bigger := strings.Replace(configMap, "{colour: red}", "{colour: red, size: large}", 1)
	labelled := strings.Replace(configMap, "namespace: NS", "namespace: NS, labels: {team: shop}", 1)
	stamped := lives(
		s.expectLiveJSON(target, `"yes"`, "metadata", "labels", "stamp"),
		s.expectLiveJSON(target, `"yes"`, "metadata", "annotations", "stamp"),
		s.expectNoOwner(target, "metadata.labels.stamp"),
	)
	var steps []resource.TestStep
	for _, body := range []string{configMap, bigger, labelled, configMap} {
		steps = append(steps, resource.TestStep{
			PreConfig: s.anew(),
			Config:    s.config(body),
			ConfigPlanChecks: checks(
				expectValue("metadata.labels.stamp", absent, absent),
				expectOwner("metadata.labels.stamp", absent, absent),
				expectOwner("metadata.annotations.stamp", absent, absent),
				s.expectPrediction(body),
				s.expectNoWarning(),
			),
			ConfigStateChecks: states(s.expectServersOwners(target)),
			Check:             stamped,
		})
	}
	s.run(steps...)
}

// needsVersion skips the story where the API server does not serve a resource, as older ones do not.
func needsVersion(s *story, version, resource string) {
	s.t.Helper()
	served, err := controlPlane().Serves(version, resource)
	must(s.t, err)
	if !served {
		s.t.Skipf("Kubernetes %s does not serve %s in %s", controlPlane().Version(), resource, version)
	}
}

// installStamp puts the policy in force. It is gone after the story.
func installStamp(s *story) {
	s.t.Helper()
	for _, body := range []string{stamp, stampBinding} {
		object := s.as("kubectl-create").create(body)
		s.t.Cleanup(func() {
			_ = s.resourceOf(object).Delete(context.Background(), object.GetName(), metav1.DeleteOptions{})
		})
	}
	probe := s.parse("{apiVersion: v1, kind: ConfigMap, metadata: {name: probe, namespace: NS}}")
	objects := s.resourceOf(probe)
	err := wait.PollUntilContextTimeout(s.t.Context(), 100*time.Millisecond, 30*time.Second, true, func(ctx context.Context) (bool, error) {
		answer, err := objects.Apply(ctx, "probe", probe, metav1.ApplyOptions{FieldManager: "probe", DryRun: []string{metav1.DryRunAll}})
		return err == nil && answer.GetLabels()["stamp"] == "yes", err
	})
	must(s.t, err)
}
