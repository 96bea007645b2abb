package outages_test

import (
	"testing"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// objects is how many objects an apply has during which a server goes down.
const objects = 100

// meanwhile applies the configuration, and calls harm once some objects are there and others are not.
func (s *stage) meanwhile(harm func() error) {
	s.T.Helper()
	harmed := make(chan error, 1)
	go func() {
		defer close(harmed)
		for len(s.configMaps("many-")) < objects/5 && s.T.Context().Err() == nil {
			time.Sleep(10 * time.Millisecond)
		}
		s.T.Logf("%d of %d objects are there", len(s.configMaps("many-")), objects)
		harmed <- harm()
	}()
	s.exits(story.Nothing, "apply", "-auto-approve")
	story.Must(s.T, <-harmed)
}

// An apply goes on when the API server is back, whether it went in peace or not.
func TestAPIServerRestarts(t *testing.T) {
	for name, ending := range map[string]testcluster.Ending{
		"after a shutdown": testcluster.Shutdown,
		"after a crash":    testcluster.Crash,
	} {
		t.Run(name, func(t *testing.T) {
			s := newStageAlone(t)
			s.Configure(s.many("many", objects))
			s.meanwhile(func() error { return story.ControlPlane().RestartAPIServer(t.Context(), ending, 2*time.Second) })
			s.expectAll("many", objects)
			s.settled()
		})
	}
}

// An apply waits for an API server that has no data for ten seconds.
func TestEtcdPauses(t *testing.T) {
	s := newStageAlone(t)
	s.Configure(s.many("many", objects))
	s.meanwhile(func() error {
		resume, err := story.ControlPlane().PauseEtcd()
		if err != nil {
			return err
		}
		time.Sleep(10 * time.Second)
		return resume()
	})
	s.expectAll("many", objects)
	s.settled()
}
