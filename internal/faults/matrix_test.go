package faults_test

import (
	"context"
	"os"
	"sync"
	"testing"
)

// requests are what an operation on one object sends, in order.
type requests map[phase][]signature

// recorded are the requests of each operation where nothing goes wrong.
var recorded struct {
	sync.Once
	of map[string]requests
}

// record runs every operation once and notes its requests.
func record(t *testing.T) map[string]requests {
	t.Helper()
	recorded.Do(func() {
		var cells []cell
		for _, o := range operations {
			cells = append(cells, cell{operation: o})
		}
		b := newBench(t, http2, cells)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go b.letGo(ctx)
		b.setUp()
		found := map[string]requests{}
		for _, c := range cells {
			b.proxy.take(c.object())
			found[c.name] = requests{}
		}
		b.mustRun("plan", "-out=plan")
		for _, c := range cells {
			found[c.name][planning] = b.proxy.take(c.object())
		}
		b.meanwhile()
		b.mustRun("apply", "plan")
		for _, c := range cells {
			found[c.name][applying] = b.proxy.take(c.object())
			t.Logf("%-16s plan %q, apply %q", c.name, found[c.name][planning], found[c.name][applying])
		}
		recorded.of = found
	})
	if recorded.of == nil {
		t.Fatal("the requests of the operations are not known")
	}
	return recorded.of
}

// cellsOf are the cells of an operation: each of its requests with each fault, which passes or lasts.
func cellsOf(o operation, sent requests) []cell {
	var cells []cell
	for _, in := range []phase{planning, applying} {
		for at, expected := range sent[in] {
			for _, f := range faults {
				for _, lasts := range []duration{once, lasting} {
					cells = append(cells, cell{
						operation: o, phase: in,
						arm: arm{fault: f, at: at, expected: expected, duration: lasts},
					})
				}
			}
		}
	}
	return cells
}

// leastCells guards against a matrix that lost cells unnoticed.
const leastCells = 300

func TestEveryFaultToEveryRequest(t *testing.T) {
	if os.Getenv("TF_ACC") == "" {
		t.Skip("acceptance tests run with TF_ACC=1, as make test does")
	}
	sent := record(t)
	count := 0
	for _, o := range operations {
		cells := cellsOf(o, sent[o.name])
		count += len(cells)
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			newBench(t, http2, cells).play()
		})
	}
	t.Logf("%d cells", count)
	if count < leastCells {
		t.Errorf("the matrix has %d cells, and should have at least %d", count, leastCells)
	}
}

// play plays the faults of all cells and asserts what they leave behind.
func (b *bench) play() {
	ctx, cancel := context.WithCancel(b.t.Context())
	defer cancel()
	go b.letGo(ctx)
	b.setUp()

	untouched := b.live()
	b.arm(planning)
	planned := b.run("plan")
	b.disarm(planning)
	b.checkPlanned(planned, untouched)

	b.mustRun("plan", "-out=plan")
	b.meanwhile()
	was := b.live()
	b.arm(applying)
	applied := b.run("apply", "plan")
	b.disarm(applying)
	b.checkApplied(applied, was)

	b.converge(was)
	b.report()
}
