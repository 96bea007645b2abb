package faults_test

import (
	"slices"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Discovery is read once per connection. Where each cell has a connection of its own, its faults are like
// those of other requests.
func TestEveryFaultToDiscovery(t *testing.T) {
	story.SkipUnlessAcceptance(t)
	t.Parallel()
	var some []operation
	for _, o := range operations {
		if slices.Contains([]string{"create", "read", "delete"}, o.name) {
			some = append(some, o)
		}
	}
	sent := recordOver(t, ownConnection, some)
	count := 0
	for _, o := range some {
		cells := slices.DeleteFunc(cellsOf(o, sent[o.name], faults...), func(c cell) bool {
			return !slices.Contains(discovering, c.expected) || len(c.fault.durations) > 1 && c.duration == once
		})
		count += len(cells)
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, http2, cells)
			b.connection = ownConnection
			b.play()
		})
	}
	atLeast(t, 100, count)
}
