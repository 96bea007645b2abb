package providerdata

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
)

// PlanRules sets what rules add to the arguments of a plan. It is unknown as long as a rule
// depends on a name that is not known.
func (p *Provider) PlanRules(ctx context.Context, plan, state *model.Model) {
	all, body := p.Rules(plan.OwnRules), plan.Body()
	if len(all) > 0 && (!body.Known || all.AskCluster() && plan.ClusterName.IsUnknown()) {
		model.SetRulesUnknown(plan)
		return
	}
	id := body.Manifest.Identity
	if all.AskNamespace() {
		var isLocated bool
		if id, isLocated = p.locate(ctx, plan, state, id); !isLocated {
			model.SetRulesUnknown(plan)
			return
		}
	}
	model.PlanRules(ctx, plan, all, id)
}

// locate returns the object of a plan with its namespace. It returns false if the namespace depends on a connection
// that is not known, or on a kind that is not served yet.
func (p *Provider) locate(
	ctx context.Context, plan, state *model.Model, id manifest.Identity,
) (manifest.Identity, bool) {
	if id.Namespace != "" {
		return id, true
	}
	if state != nil {
		last, diags := state.Object()
		if !diags.HasError() && last.Kind == id.Kind && last.Group() == id.Group() && last.Name == id.Name {
			return last, true
		}
	}
	api, _ := p.Look(ctx, plan.Connection)
	if api == nil {
		return id, false
	}
	located, err := cluster.Locate(ctx, api, id)
	return located, err == nil
}

// AddRules sets what rules add if a plan could not know it, and names the rules for the messages of an apply.
func (p *Provider) AddRules(ctx context.Context, plan *model.Model) {
	all, id := p.Rules(plan.OwnRules), plan.Body().Manifest.Identity
	if all.AskNamespace() {
		located, isLocated := p.locate(ctx, plan, nil, id)
		if api, _ := p.Look(ctx, plan.Connection); !isLocated && api != nil {
			located.Namespace = api.DefaultNamespace() // The kind of a custom resource that the apply waits for.
		}
		id = located
	}
	model.AddRules(ctx, plan, all, id)
}
