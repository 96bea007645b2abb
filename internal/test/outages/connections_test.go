package outages_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// However many objects are handled at once, a process has one connection to a cluster.
func TestOneConnection(t *testing.T) {
	s := newStage(t)
	const count = 100
	through := s.newGate()
	connection := fmt.Sprintf("{ config_path = %q }", s.kubeconfig("through", through))
	s.ConfigureProvider(connection, s.many("single", count))
	for _, command := range []string{"plan -parallelism=50 -out=saved", "apply -parallelism=50 saved", "plan -parallelism=50 -detailed-exitcode"} {
		through.hangUp()
		s.exits(story.Nothing, strings.Fields(command)...)
		if came := through.knocks(); came != 1 {
			t.Errorf("%s: %d connections, want 1", command, came)
		}
	}
	s.exits(story.Nothing, "destroy", "-auto-approve")
}
