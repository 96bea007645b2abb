package faults_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
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

// cellsOf returns the cells of an operation: each of its requests with each fault, which passes or lasts.
func cellsOf(o operation, sent requests, faults ...fault) []cell {
	var cells []cell
	for _, in := range []phase{planning, applying} {
		for at, expected := range sent[in] {
			for _, f := range faults {
				for _, lasts := range f.durations {
					c := cell{operation: o, phase: in, arm: arm{fault: f, at: at, expected: expected, duration: lasts}}
					cells = append(cells, c)
				}
			}
		}
	}
	return cells
}

// creates reports whether the request of the cell's fault is one after which the object exists for the first time, or has
// the fields of a patch.
func (c cell) creates() bool {
	return c.before == nil && c.created == "" && c.phase == applying && c.expected != "dry-run" && (!c.isPatch() || c.expected != "get")
}

// isOrphaned returns a cell in which nobody is left to note that the object was created.
func (c cell) isOrphaned() bool { return c.creates() && c.fault.name == "killed" }

// isOutcomeUnknown returns a cell in which the server may have created the object, and says nothing from then on.
func (c cell) isOutcomeUnknown() bool {
	return c.creates() && (c.expected == "apply" || c.isPatch()) && c.duration == lasting && c.fault.outlook == survived
}

// leastCells guards against a matrix that lost cells unnoticed.
const leastCells = 800

func TestEveryFaultToEveryRequest(t *testing.T) {
	story.SkipUnlessAcceptance(t)
	t.Parallel()
	sent := record(t)
	count := 0
	for _, some := range [][]operation{objects, patches} {
		for group := range slices.Chunk(some, together) {
			count += playGroup(t, http2, group, sent, faults...)
		}
	}
	atLeast(t, leastCells, count)
}

// Over HTTP/1.1 a fault ends the connection, and not one stream of many.
func TestBrokenConnectionsOfHTTP1(t *testing.T) {
	story.SkipUnlessAcceptance(t)
	t.Parallel()
	sent := record(t)
	var breaking []fault
	for _, f := range faults {
		if slices.Contains([]string{"reset-before", "reset-after", "cut-off"}, f.name) {
			f.durations = justOnce
			breaking = append(breaking, f)
		}
	}
	atLeast(t, 100, playGroup(t, http1, operations, sent, breaking...))
}

// together is how many operations share a workspace: each command costs a second for itself.
const together = 3

// playGroup plays all cells of some operations in one workspace, as a parallel subtest, and counts them.
func playGroup(t *testing.T, speaking protocol, group []operation, sent map[string]requests, faults ...fault) int {
	t.Helper()
	var cells []cell
	for _, o := range group {
		cells = append(cells, cellsOf(o, sent[o.name], faults...)...)
	}
	t.Run(namesOf(group), func(t *testing.T) {
		t.Parallel()
		newBench(t, speaking, cells).play()
	})
	return len(cells)
}

// namesOf returns the names of operations that share a workspace.
func namesOf(group []operation) string {
	var names []string
	for _, o := range group {
		names = append(names, o.name)
	}
	return strings.Join(names, "+")
}

func atLeast(t *testing.T, least, count int) {
	t.Helper()
	t.Logf("%d cells", count)
	if count < least {
		t.Errorf("the matrix has %d cells, and should have at least %d", count, least)
	}
}

// play plays the faults of all cells and asserts what they leave behind.
func (b *bench) play() {
	ctx, cancel := context.WithCancel(b.T.Context())
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
