package story

import (
	"fmt"
	"time"
)

// AwaitRevision waits for the one write of the deployment controller to the object itself.
func (s *Story) AwaitRevision() {
	s.T.Helper()
	Must(s.T, Eventually("the controller has numbered the revision", func() bool {
		return s.Live(Web).GetAnnotations()["deployment.kubernetes.io/revision"] != ""
	})(nil))
}

// AwaitReplicas waits until the Deployment web asks for want replicas.
func (s *Story) AwaitReplicas(want int64) {
	s.T.Helper()
	deadline := time.Now().Add(90 * time.Second)
	for time.Now().Before(deadline) {
		spec, _ := s.Live("apps/v1 Deployment web").Object["spec"].(map[string]any)
		if fmt.Sprint(spec["replicas"]) == fmt.Sprint(want) {
			return
		}
		time.Sleep(250 * time.Millisecond)
	}
	s.T.Fatalf("replicas never became %d", want)
}
