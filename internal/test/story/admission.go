package story

import (
	"context"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
)

// stamp is a policy of the API server itself, which writes a label and an annotation on every apply.
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

// needsVersion skips the story if the API server does not serve a resource, as older versions do not.
func (s *Story) needsVersion(version, resource string) {
	s.T.Helper()
	served, err := ControlPlane().Serves(version, resource)
	Must(s.T, err)
	if !served {
		s.T.Skipf("Kubernetes %s does not serve %s in %s", ControlPlane().Version(), resource, version)
	}
}

// InstallStamp installs the policy. It is removed after the story.
func (s *Story) InstallStamp() {
	s.T.Helper()
	s.needsVersion("admissionregistration.k8s.io/v1", "mutatingadmissionpolicies")
	for _, body := range []string{stamp, stampBinding} {
		object := s.As("kubectl-create").Create(body)
		s.T.Cleanup(func() {
			_ = s.ResourceOf(object).Delete(context.Background(), object.GetName(), metav1.DeleteOptions{})
		})
	}
	probe := s.Parse("{apiVersion: v1, kind: ConfigMap, metadata: {name: probe, namespace: NS}}")
	objects := s.ResourceOf(probe)
	err := wait.PollUntilContextTimeout(s.T.Context(), 100*time.Millisecond, 90*time.Second, true,
		func(ctx context.Context) (bool, error) {
			answer, err := objects.Apply(ctx, "probe", probe, metav1.ApplyOptions{
				FieldManager: "probe", DryRun: []string{metav1.DryRunAll},
			})
			return err == nil && answer.GetLabels()["stamp"] == "yes", err
		})
	Must(s.T, err)
}

// ForbidPods creates a quota that allows no pods, v1 ResourceQuota none, and waits until the API server enforces it.
// That is later than its creation: a controller fills in its status first, and admission reads it from a cache.
func (s *Story) ForbidPods() {
	s.T.Helper()
	s.As("admin").Create("apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: none, namespace: NS}\n" +
		"spec: {hard: {pods: '0'}}")
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "forbidden"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "app", Image: "app:1"}}},
	}
	s.Await("the quota refuses a pod", func() bool {
		_, err := s.Typed.CoreV1().Pods(s.Namespace).Create(s.T.Context(), pod,
			metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		return err != nil && strings.Contains(err.Error(), "exceeded quota")
	})
}
