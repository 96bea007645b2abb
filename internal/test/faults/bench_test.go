package faults_test

import (
	"context"
	"fmt"
	"testing"

	"k8s.io/client-go/dynamic"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// bench is a workspace and a namespace for some cells, with the proxy between.
type bench struct {
	*workspace
	proxy   *proxy
	objects dynamic.ResourceInterface
	cells   []cell
	// connection is oneConnection where nothing else is set.
	connection connection
	// doors are those of the cells' own connections, where connections are to be refused.
	doors map[string]*door
	// repairs are what is done about objects that exist and are not in the state.
	repairs map[string]repair
	// problems are what went wrong in each cell.
	problems map[string][]string
}

// connection says whose connection a resource uses.
type connection string

const (
	// oneConnection is the provider's, for all resources.
	oneConnection connection = ""
	// ownConnection is one of each resource's own.
	ownConnection connection = "own"
)

// repair is a way to get an object into the state.
type repair string

const (
	imported repair = "imported"
	adopted  repair = "adopted"
)

func newBench(t *testing.T, speaking protocol, cells []cell) *bench {
	t.Helper()
	begun, p := story.NewSerial(t), newProxy(t, speaking)
	return &bench{
		workspace: newWorkspace(begun, p.kubeconfig(t)),
		proxy:     p,
		objects:   begun.Resource("v1", "ConfigMap", begun.Namespace),
		cells:     cells,
		repairs:   map[string]repair{},
		problems:  map[string][]string{},
	}
}

// turns bounds how many commands keep the processors busy at the same time; the timeouts of the resources
// are for faults, not for a crowd.
var turns = make(chan struct{}, 2)

// run runs a command without faults.
func (b *bench) run(args ...string) outcome {
	b.T.Helper()
	turns <- struct{}{}
	defer func() { <-turns }()
	return b.command(16, args...)
}

// runFaulty runs a command with all resources at once, whose faults take their time side by side. The
// turn of others comes when all faults have been met.
func (b *bench) runFaulty(args ...string) outcome {
	b.T.Helper()
	turns <- struct{}{}
	ctx, cancel := context.WithCancel(b.T.Context())
	defer cancel()
	go func() {
		defer func() { <-turns }()
		b.proxy.awaitMet(ctx)
	}()
	return b.command(len(b.cells), args...)
}

func (b *bench) problem(c cell, format string, args ...any) {
	b.problems[c.object()] = append(b.problems[c.object()], fmt.Sprintf(format, args...))
}

// report makes each cell a subtest of its own.
func (b *bench) report() {
	for _, c := range b.cells {
		b.T.Run(c.object(), func(t *testing.T) {
			for _, problem := range b.problems[c.object()] {
				t.Error(problem)
			}
		})
	}
}

// arm arms the cells of a phase.
func (b *bench) arm(in phase) {
	for _, c := range b.cells {
		switch d := b.doors[c.object()]; {
		case c.phase != in:
		case d != nil:
			d.arm(c.arm)
		default:
			b.proxy.arm(c.object(), c.arm)
		}
	}
}

// disarm ends the faults of a phase, each of which must have been played.
func (b *bench) disarm(in phase) {
	for _, c := range b.cells {
		if c.phase != in {
			continue
		}
		if d := b.doors[c.object()]; d != nil {
			if !d.disarm() {
				b.problem(c, "the connection was never refused")
			}
			continue
		}
		if err := b.proxy.disarm(c.object()); err != nil {
			b.problem(c, "%v", err)
		}
	}
}
