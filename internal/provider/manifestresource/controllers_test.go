package manifestresource_test

import (
	"fmt"
	"time"
)

// awaitRevision waits for the one write of the deployment controller to the object itself.
func (s *story) awaitRevision() {
	s.t.Helper()
	must(s.t, eventually("the controller has numbered the revision", func() bool {
		return s.live(web).GetAnnotations()["deployment.kubernetes.io/revision"] != ""
	})(nil))
}

// awaitReplicas waits until the Deployment web asks for want replicas.
func (s *story) awaitReplicas(want int64) {
	s.t.Helper()
	deadline := time.Now().Add(90 * time.Second)
	for time.Now().Before(deadline) {
		spec, _ := s.live("apps/v1 Deployment web").Object["spec"].(map[string]any)
		if fmt.Sprint(spec["replicas"]) == fmt.Sprint(want) {
			return
		}
		time.Sleep(250 * time.Millisecond)
	}
	s.t.Fatalf("replicas never became %d", want)
}
