package outages_test

import (
	"testing"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// objects is how many objects an apply has during which a server goes down.
const objects = 100

// meanwhile applies the configuration, and calls harm once some objects are there and others are not.
func (s *stage) meanwhile(harm func() error) {
	s.Helper()
	harmed := make(chan error, 1)
	go func() {
		defer close(harmed)
		for len(s.configMaps("many-")) < objects/5 && s.Context().Err() == nil {
			time.Sleep(10 * time.Millisecond)
		}
		s.Logf("%d of %d objects are there", len(s.configMaps("many-")), objects)
		harmed <- harm()
	}()
	s.exits(nothing, "apply", "-auto-approve")
	must(s.T, <-harmed)
}

// An apply goes on when the API server is back, whether it went in peace or not.
func TestAPIServerRestarts(t *testing.T) {
	for name, ending := range map[string]testcluster.Ending{
		"after a shutdown": testcluster.Shutdown,
		"after a crash":    testcluster.Crash,
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.configure(s.many("many", objects))
			s.meanwhile(func() error { return controlPlane.RestartAPIServer(t.Context(), ending, 2*time.Second) })
			s.expectAll("many", objects)
			s.settled()
		})
	}
}

// An apply waits for an API server that has no data for ten seconds.
func TestEtcdPauses(t *testing.T) {
	s := newStage(t)
	s.configure(s.many("many", objects))
	s.meanwhile(func() error {
		resume, err := controlPlane.PauseEtcd()
		if err != nil {
			return err
		}
		time.Sleep(10 * time.Second)
		return resume()
	})
	s.expectAll("many", objects)
	s.settled()
}
