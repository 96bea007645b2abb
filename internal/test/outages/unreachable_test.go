package outages_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A cluster that goes out of reach between plan and apply does not hold up other objects, and does not cost a timeout
// for each of its own.
func TestOneOfTwoClustersUnreachable(t *testing.T) {
	t.Parallel()
	const count = 40
	for name, shut := range map[string]func(*gate){
		"refused":   (*gate).refuse,
		"swallowed": (*gate).swallow,
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			g := s.newGate()
			far := fmt.Sprintf("cluster = { config_path = %q }", s.kubeconfig("far.yaml", g))
			s.Configure(s.many("near", count), s.many("far", count, far))
			s.exits(story.Nothing, "plan", "-out=both.plan")

			shut(g)
			said := s.exits(story.Refused, "apply", "both.plan")
			s.expectAll("near", count)
			s.expectNone("far")
			s.says(said, "Cluster Unreachable", "ConfigMap "+s.Namespace+"/far-0 (v1) could not be planned: no answer from https://127.0.0.1:")

			said = s.exits(story.Refused, "plan")
			s.says(said, "could not be planned: no answer from")
			if full := strings.Count(said, "Check the address in the cluster connection"); full != 1 {
				t.Errorf("%d errors tell in full what one can, want 1", full)
			}
			if told := strings.Count(said, "could not be planned"); told != count {
				t.Errorf("%d objects could not be planned, want %d", told, count)
			}

			// Each of the two runs finds out a few times, and not once for each object.
			if knocks := g.knocks(); knocks >= count {
				t.Errorf("the shut cluster was asked %d times for %d objects", knocks, 2*count)
			}

			open := s.newGate()
			far = fmt.Sprintf("cluster = { config_path = %q }", s.kubeconfig("open.yaml", open))
			s.Configure(s.many("near", count), s.many("far", count, far))
			s.exits(story.Nothing, "apply", "-auto-approve")
			s.expectAll("near", count)
			s.expectAll("far", count)
			s.settled()
		})
	}
}

// expectNone asserts that no object of many is on the server or in the state.
func (s *stage) expectNone(name string) {
	s.T.Helper()
	if live := s.configMaps(name + "-"); len(live) != 0 {
		s.T.Errorf("%d ConfigMaps of %s are on the server", len(live), name)
	}
	for address := range s.state() {
		if strings.HasPrefix(address, "k8sconnect_manifest."+name+"[") {
			s.T.Errorf("%s is in the state", address)
		}
	}
}
