package providerdata

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readonly"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
)

// The values of plan_without_dry_run.
const (
	Never       = "never"
	IfForbidden = "if_forbidden"
)

// planning returns the cluster of a client, with answers to refused dry-runs if the configuration allows them.
func (p *Provider) planning(client cluster.Interface) cluster.Interface {
	if p.withoutDryRun {
		return readonly.Cluster{Interface: client}
	}
	return client
}

// Planner returns the engine of a plan. It does without the dry-runs that the user may not send, unless the
// configuration does not allow that, or an apply makes the plan.
func (p *Provider) Planner(work engine.Work) engine.Engine {
	if !p.withoutDryRun || p.run.Rounds.Current() == run.SecondRound {
		return engine.Of(work)
	}
	return readonly.Planner{Engine: engine.Of(work), Work: work}
}
