package conflicts_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
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
	s := story.New(t)
	needsVersion(s, "admissionregistration.k8s.io/v1", "mutatingadmissionpolicies")
	installStamp(s)
	const target = "v1 ConfigMap web"
	bigger := strings.Replace(story.ConfigMap, "{colour: red}", "{colour: red, size: large}", 1)
	labelled := strings.Replace(story.ConfigMap, "namespace: NS", "namespace: NS, labels: {team: shop}", 1)
	stamped := story.Lives(
		s.ExpectLiveJSON(target, `"yes"`, "metadata", "labels", "stamp"),
		s.ExpectLiveJSON(target, `"yes"`, "metadata", "annotations", "stamp"),
		s.ExpectNoOwner(target, "metadata.labels.stamp"),
	)
	var steps []resource.TestStep
	for _, body := range []string{story.ConfigMap, bigger, labelled, story.ConfigMap} {
		steps = append(steps, resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.Config(body),
			ConfigPlanChecks: story.Checks(
				story.ExpectValue("metadata.labels.stamp", story.Absent, story.Absent),
				story.ExpectOwner("metadata.labels.stamp", story.Absent, story.Absent),
				story.ExpectOwner("metadata.annotations.stamp", story.Absent, story.Absent),
				s.ExpectPrediction(body),
				s.ExpectNoWarning(),
			),
			ConfigStateChecks: story.States(s.ExpectServersOwners(target)),
			Check:             stamped,
		})
	}
	s.Run(steps...)
}

// needsVersion skips the story where the API server does not serve a resource, as older ones do not.
func needsVersion(s *story.Story, version, resource string) {
	s.T.Helper()
	served, err := story.ControlPlane().Serves(version, resource)
	story.Must(s.T, err)
	if !served {
		s.T.Skipf("Kubernetes %s does not serve %s in %s", story.ControlPlane().Version(), resource, version)
	}
}

// installStamp puts the policy in force. It is gone after the story.
func installStamp(s *story.Story) {
	s.T.Helper()
	for _, body := range []string{stamp, stampBinding} {
		object := s.As("kubectl-create").Create(body)
		s.T.Cleanup(func() {
			_ = s.ResourceOf(object).Delete(context.Background(), object.GetName(), metav1.DeleteOptions{})
		})
	}
	probe := s.Parse("{apiVersion: v1, kind: ConfigMap, metadata: {name: probe, namespace: NS}}")
	objects := s.ResourceOf(probe)
	err := wait.PollUntilContextTimeout(s.T.Context(), 100*time.Millisecond, 30*time.Second, true, func(ctx context.Context) (bool, error) {
		answer, err := objects.Apply(ctx, "probe", probe, metav1.ApplyOptions{FieldManager: "probe", DryRun: []string{metav1.DryRunAll}})
		return err == nil && answer.GetLabels()["stamp"] == "yes", err
	})
	story.Must(s.T, err)
}
