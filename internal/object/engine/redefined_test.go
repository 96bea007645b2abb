package engine

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
)

// gizmos is a cluster that serves the kind Gizmo.
type gizmos struct{ cluster.Interface }

func (gizmos) Kind(context.Context, string, string) (cluster.Kind, error) {
	return cluster.Kind{Plural: "gizmos"}, nil
}

// planner is an engine whose plans always know the values.
type planner struct {
	Engine
	plans *int
}

func (p planner) Plan(context.Context, record.Prior) (ssa.Plan, error) {
	*p.plans++
	return ssa.Plan{State: &prediction.PlannedState{}}, nil
}

// A plan that is shown leaves values unknown that a new schema may change. The plan that an apply makes waits for the
// change instead: the shown plan may have been made before that of the definition, and then it has values.
func TestPlansBeforeAChangedDefinition(t *testing.T) {
	t.Parallel()
	for round, want := range map[run.Round]struct {
		known bool
		plans int
	}{
		run.FirstRound: {false, 1}, run.SecondRound: {true, 2},
	} {
		t.Run(string(round), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				current, of := redefining()
				current.Rounds.Set(round)
				defer current.Waits.Begin(t.Context())()
				end, ended := current.Waits.Begin(t.Context()), make(chan struct{})
				go func() {
					defer close(ended)
					time.Sleep(time.Second)
					current.Definitions.EndChange(of, "k8sconnect", nil)
					end()
				}()
				plans := 0
				plan, err := redefined{Engine: planner{plans: &plans}, work: workOn(current)}.Plan(t.Context(), record.Prior{})
				if err != nil || (plan.State != nil) != want.known || plans != want.plans {
					t.Errorf("values are known: %t, after %d plans, %v", plan.State != nil, plans, err)
				}
				<-ended
			})
		})
	}
}

// failing is an engine whose applies are refused while the change of a definition ends without success.
type failing struct {
	Engine
	end func(error)
}

func (f failing) Apply(context.Context, record.Prior, ssa.Plan) (record.Observed, ssa.Result, error) {
	f.end(errors.New("no"))
	return record.Observed{}, ssa.Result{}, &cluster.Error{Reason: cluster.ReasonInvalid}
}

// A refusal is not blamed on a definition whose change has failed in the meantime.
func TestRefusedAfterAFailedChange(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		current, of := redefining()
		defer current.Waits.Begin(t.Context())()
		end := func(err error) { current.Definitions.EndChange(of, "k8sconnect", err) }
		e := redefined{Engine: failing{end: end}, work: workOn(current)}
		_, _, err := e.Apply(t.Context(), record.Prior{}, ssa.Plan{})
		if still, is := errors.AsType[*run.StillRefusedError](err); is || err == nil {
			t.Errorf("unchanged: %+v, %v", still, err)
		}
	})
}

// redefining returns a run that will change the definition of gizmos.
func redefining() (*run.Run, run.Definition) {
	current, of := &run.Run{}, run.Definition{Cluster: gizmos{}, Name: "gizmos.example.com"}
	current.Definitions.PlanChange(of, "k8sconnect", nil)
	return current, of
}

func workOn(current *run.Run) Work {
	work := Work{API: gizmos{}, Run: current}
	work.Args.Manifest.Identity = manifest.Identity{APIVersion: "example.com/v1", Kind: "Gizmo", Name: "one"}
	return work
}
