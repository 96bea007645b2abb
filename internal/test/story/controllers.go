package story

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// AwaitRollouts waits until the deployment controller has nothing left to write to the Deployments of the namespace
// that are there. Until then, a plan that previews may have to read an object twice.
func (s *Story) AwaitRollouts() {
	s.T.Helper()
	s.Await("the rollouts have ended", func() bool {
		found, err := s.Typed.AppsV1().Deployments(s.Namespace).List(s.T.Context(), metav1.ListOptions{})
		Must(s.T, err)
		for i := range found.Items {
			if !isRolledOut(&found.Items[i]) {
				return false
			}
		}
		return true
	})
}

// isRolledOut reports whether the controller has seen the last change, and all pods are new ones. They need not be
// ready.
func isRolledOut(d *appsv1.Deployment) bool {
	seen := d.Status.ObservedGeneration == d.Generation
	if d.DeletionTimestamp != nil || seen && d.Spec.Paused {
		return true
	}
	if !seen || d.Annotations["deployment.kubernetes.io/revision"] == "" {
		return false
	}
	for _, condition := range d.Status.Conditions {
		if condition.Type == appsv1.DeploymentReplicaFailure && condition.Status == corev1.ConditionTrue {
			return true
		}
	}
	want := *d.Spec.Replicas
	return d.Status.Replicas == want && d.Status.UpdatedReplicas == want
}

// AwaitReplicas waits until a Deployment asks for want replicas.
func (s *Story) AwaitReplicas(target string, want int64) {
	s.T.Helper()
	s.Await(fmt.Sprintf("%s asks for %d replicas", target, want), func() bool {
		spec, _ := s.Live(target).Object["spec"].(map[string]any)
		return spec["replicas"] == want
	})
}
