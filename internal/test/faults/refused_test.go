package faults_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Connections are refused from some request on, for a moment or for as long as the command runs. Each cell
// has a connection of its own, whose discovery counts.
func TestConnectionIsRefusedBeforeEveryRequest(t *testing.T) {
	story.SkipUnlessAcceptance(t)
	t.Parallel()
	// An import has no resource whose connection it could use.
	resources := slices.DeleteFunc(slices.Clone(operations), func(o operation) bool { return o.created != "" })
	sent := recordOver(t, ownConnection, resources)
	refused := fault{name: "refused", durations: onceAndLasting, outlook: survived}
	count := 0
	groups := slices.Collect(slices.Chunk(resources[:len(resources)-len(patches)], 1))
	for _, group := range append(groups, patches) {
		var cells []cell
		for _, o := range group {
			cells = append(cells, cellsOf(o, sent[o.name], refused)...)
		}
		count += len(cells)
		t.Run(namesOf(group), func(t *testing.T) {
			t.Parallel()
			b := newBench(t, http1, cells)
			b.connection = ownConnection
			b.doors = map[string]*door{}
			for _, c := range cells {
				b.doors[c.object()] = newDoor(t, b.proxy)
			}
			b.play()
		})
	}
	atLeast(t, 100, count)
}

// The API server cannot be reached from the beginning of a command.
func TestConnectionIsRefusedFromTheStart(t *testing.T) {
	story.SkipUnlessAcceptance(t)
	t.Parallel()
	refused := fault{name: "refused"}
	sent := record(t)
	for _, in := range []phase{planning, applying} {
		t.Run(string(in), func(t *testing.T) {
			t.Parallel()
			var cells []cell
			for _, o := range operations {
				if requests := sent[o.name][in]; len(requests) > 0 {
					cells = append(cells, cell{operation: o, phase: in, arm: arm{fault: refused, expected: requests[0], duration: lasting}})
				}
			}
			newBench(t, http2, cells).playRefused(in)
		})
	}
}

func (b *bench) playRefused(in phase) {
	b.setUp()
	go b.letGo(b.T.Context())
	was := b.live()
	if in == planning {
		out := b.whileShut(func() outcome { return b.command(len(b.cells), "plan") })
		b.checkPlanned(out, was)
		b.expectRefused(out)
	}
	b.mustRun("plan", "-out=plan")
	b.meanwhile()
	was = b.live()
	if in == applying {
		out := b.whileShut(func() outcome { return b.command(len(b.cells), "apply", "plan") })
		b.checkExplained(out)
		b.checkApplied(out, was)
		b.expectRefused(out)
	}
	b.converge(was)
	b.report()
}

// whileShut runs a command while the kubeconfig leads to a door that is shut.
func (b *bench) whileShut(command func() outcome) outcome {
	b.T.Helper()
	d := newDoor(b.T, b.proxy)
	d.arm(arm{duration: lasting})
	kubeconfig := b.proxy.kubeconfig(b.T)
	b.write("kubeconfig", []byte(strings.ReplaceAll(string(kubeconfig), b.proxy.server.Listener.Addr().String(), d.address)))
	defer b.write("kubeconfig", kubeconfig)
	return command()
}

// expectRefused asserts that every cell says that the server gave no answer, and one of them in full that the connection
// was refused: they all have the same server.
func (b *bench) expectRefused(out outcome) {
	var full []string
	for _, c := range b.cells {
		said := out.errors(c.object())
		switch {
		case len(said) == 1 && strings.Contains(said[0].Detail, "connection refused"):
			full = append(full, said[0].Summary+": "+said[0].Detail)
		case len(said) == 1 && strings.Contains(said[0].Detail, "See the first error about this server."):
		default:
			b.problem(c, "want one error that says \"connection refused\", or refers to the one that does, got %v", said)
		}
	}
	if len(full) != 1 {
		b.T.Errorf("%d errors say in full that the connection was refused, want 1:\n%s", len(full), strings.Join(full, "\n"))
	}
}
