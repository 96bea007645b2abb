package acceptance_test

import (
	"sync/atomic"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// TestStrategies plays every merge strategy of server-side apply with every way in which an object comes
// to be: a cell of the matrix is one strategy at one step of one creator's story.
func TestStrategies(t *testing.T) {
	t.Parallel()
	var cells atomic.Int64
	t.Cleanup(func() { t.Logf("%d cells", cells.Load()) })
	play := func(name string, kind sampleKind, c creator) {
		t.Run(name, func(t *testing.T) { playStrategies(story.New(t), kind, c, strategySteps(c), &cells) })
	}
	for name, c := range creators() {
		play(name, samples(), c)
	}
	play("update by strategic merge patch", deployments(), creator{
		manager: "console", create: bareThen(byStrategicPatch), edit: byStrategicPatch,
	})
}
