package providerdata

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/local"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
)

// The values of plan_without_dry_run.
const (
	Never       = "never"
	IfForbidden = "if_forbidden"
)

// planning returns the cluster of a client, with answers to dry-runs that it refuses; see [local.Cluster].
func planning(client cluster.Interface) cluster.Interface { return local.Cluster{Interface: client} }

// Planner returns the engine of a plan. It does without the dry-runs that the user may not send, unless the
// configuration does not allow that, or an apply makes the plan.
func (p *Provider) Planner(work engine.Work) engine.Engine {
	planner := engine.Of(work)
	if p.withoutDryRun && p.run.Rounds.Current() != run.SecondRound {
		planner = local.Planner{Engine: planner, Work: work}
	}
	return local.Explainer{Engine: planner, Work: work}
}
