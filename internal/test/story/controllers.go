package story

import "fmt"

// AwaitRevision waits for the one write of the deployment controller to the object itself that follows a change.
func (s *Story) AwaitRevision() {
	s.T.Helper()
	s.Await("the controller has numbered the revision", func() bool {
		live := s.Live(Web)
		status, _ := live.Object["status"].(map[string]any)
		return live.GetAnnotations()["deployment.kubernetes.io/revision"] != "" &&
			status["observedGeneration"] == live.GetGeneration()
	})
}

// AwaitReplicas waits until a Deployment asks for want replicas.
func (s *Story) AwaitReplicas(target string, want int64) {
	s.T.Helper()
	s.Await(fmt.Sprintf("%s asks for %d replicas", target, want), func() bool {
		spec, _ := s.Live(target).Object["spec"].(map[string]any)
		return spec["replicas"] == want
	})
}
