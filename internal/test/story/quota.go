package story

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

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
