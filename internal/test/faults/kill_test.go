package faults_test

import (
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The provider dies right after a request that the server acted on: one cell for each request of each
// operation. All of them wait for their answer when the process is killed.
func TestProviderIsKilledAfterEveryRequest(t *testing.T) {
	story.SkipUnlessAcceptance(t)
	t.Parallel()
	sent := record(t)
	for _, in := range []phase{planning, applying} {
		t.Run(string(in), func(t *testing.T) {
			t.Parallel()
			var arrived sync.WaitGroup
			killed := fault{name: "killed", play: func(p player, _ http.ResponseWriter, r *http.Request) {
				p.answer(r)
				arrived.Done()
				<-r.Context().Done()
				reset()
			}}
			var cells []cell
			for _, o := range operations {
				for at, expected := range sent[o.name][in] {
					cells = append(cells, cell{operation: o, phase: in, arm: arm{fault: killed, at: at, expected: expected, duration: once}})
				}
			}
			arrived.Add(len(cells))
			atLeast(t, 15, len(cells))
			newBench(t, http2, cells).playKill(in, &arrived)
		})
	}
}

func (b *bench) playKill(in phase, arrived *sync.WaitGroup) {
	b.setUp()
	go b.letGo(b.T.Context())
	var was map[string]unstructured.Unstructured
	switch in {
	case planning:
		was = b.live()
		b.runKilled(in, arrived, "plan")
		for name, object := range b.live() {
			if old := was[name]; object.GetResourceVersion() != old.GetResourceVersion() {
				b.T.Errorf("the plan wrote to %s", name)
			}
		}
		b.mustRun("plan", "-out=plan")
		b.meanwhile()
		b.mustRun("apply", "plan")
	case applying:
		b.mustRun("plan", "-out=plan")
		b.meanwhile()
		was = b.live()
		b.checkApplied(b.runKilled(in, arrived, "apply", "plan"), was)
	}
	b.converge(was)
	b.report()
}

// runKilled runs a command whose provider is killed when all cells wait for an answer.
func (b *bench) runKilled(in phase, arrived *sync.WaitGroup, args ...string) outcome {
	b.T.Helper()
	process, reattach := b.Detached()
	b.arm(in)
	all := make(chan struct{})
	go func() {
		arrived.Wait()
		close(all)
	}()
	go func() {
		select {
		case <-all:
		case <-time.After(2 * time.Minute): // Disarming tells which cells were not reached.
		}
		_ = process.Kill()
	}()
	plain := b.Env
	b.Env = append(slices.Clone(plain), reattach)
	out := b.command(1000, args...)
	b.Env = plain
	b.disarm(in)
	return out
}
