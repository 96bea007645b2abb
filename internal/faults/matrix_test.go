package faults_test

import (
	"context"
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

// record runs every operation once for all tests and notes its requests.
func record(t *testing.T) map[string]requests {
	t.Helper()
	recorded.Do(func() { recorded.of = recordOver(t, oneConnection, operations) })
	if recorded.of == nil {
		t.Fatal("the requests of the operations are not known")
	}
	return recorded.of
}

// recordOver runs operations once and notes their requests.
func recordOver(t *testing.T, over connection, operations []operation) map[string]requests {
	t.Helper()
	var cells []cell
	for _, o := range operations {
		cells = append(cells, cell{operation: o})
	}
	b := newBench(t, http2, cells)
	b.connection = over
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
	return found
}

// cellsOf are the cells of an operation: each of its requests with each fault, which passes or lasts.
func cellsOf(o operation, sent requests, faults ...fault) []cell {
	var cells []cell
	for _, in := range []phase{planning, applying} {
		for at, expected := range sent[in] {
			for _, f := range faults {
				for _, lasts := range f.durations {
					c := cell{operation: o, phase: in, arm: arm{fault: f, at: at, expected: expected, duration: lasts}}
					if !c.hopeless() {
						cells = append(cells, c)
					}
				}
			}
		}
	}
	return cells
}

// hopeless is a cell in which the server goes on to say that an object which is to be deleted does not
// exist. Nobody can tell that from the truth.
func (c cell) hopeless() bool {
	return c.want == nil && c.fault.name == "404" && c.duration == lasting
}

// creates says whether the request of the cell's fault is one after which the object exists for the first time.
func (c cell) creates() bool {
	return c.before == nil && c.created == "" && c.phase == applying && c.expected != "dry-run"
}

// isOrphaned is a cell in which nobody is left to note that the object was created.
func (c cell) isOrphaned() bool { return c.creates() && c.fault.name == "killed" }

// isUnclear is a cell in which the server may have created the object, and says nothing from then on.
func (c cell) isUnclear() bool {
	return c.creates() && c.expected == "apply" && c.duration == lasting && c.fault.outlook == survived
}

// leastCells guards against a matrix that lost cells unnoticed.
const leastCells = 300

func TestEveryFaultToEveryRequest(t *testing.T) {
	skipUnlessAcceptance(t)
	sent := record(t)
	count := 0
	for _, o := range operations {
		cells := cellsOf(o, sent[o.name], faults...)
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
	planned := b.runFaulty("plan")
	b.disarm(planning)
	b.checkPlanned(planned, untouched)

	b.mustRun("plan", "-out=plan")
	b.meanwhile()
	was := b.live()
	b.arm(applying)
	applied := b.runFaulty("apply", "plan")
	b.disarm(applying)
	b.checkExplained(applied)
	b.checkApplied(applied, was)

	b.converge(was)
	b.report()
}
