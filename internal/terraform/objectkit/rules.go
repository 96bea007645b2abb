package objectkit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
)

// planRules sets what the rules of the provider block add to the arguments of a plan, and refuses what contradicts the
// arguments of the resource. It is unknown as long as a rule depends on a name that is not known.
func (r *Resource) planRules(ctx context.Context, plan, state *model.Model) diag.Diagnostics {
	all, body := r.provider.Rules(), plan.Body()
	if len(all) > 0 && (!body.Known || all.AskCluster() && plan.ClusterName.IsUnknown()) {
		plan.SetRulesUnknown()
		return nil
	}
	id := body.Manifest.Identity
	if all.AskNamespace() {
		var isLocated bool
		if id, isLocated = r.locate(ctx, plan, state, id); !isLocated {
			plan.SetRulesUnknown()
			return nil
		}
	}
	if plan.PlanRules(ctx, all, id); plan.RulesApplied.IsNull() || !plan.ArgumentsKnown() {
		return nil
	}
	return model.Validate(plan, r.speakingOf(plan).Names)
}

// locate returns the object of a plan with its namespace. It returns false if the namespace depends on a connection that
// is not known, or on a kind that is not served yet.
func (r *Resource) locate(
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
	api, _ := r.provider.Look(ctx, plan.Connection)
	if api == nil {
		return id, false
	}
	located, err := cluster.Locate(ctx, api, id)
	return located, err == nil
}

// addRules sets what rules add if a plan could not know it, and names the rules for the messages of an apply.
func (r *Resource) addRules(ctx context.Context, plan *model.Model) {
	id := plan.Body().Manifest.Identity
	located, isLocated := r.locate(ctx, plan, nil, id)
	if api, _ := r.provider.Look(ctx, plan.Connection); !isLocated && api != nil {
		located.Namespace = api.DefaultNamespace() // The kind of a custom resource that the apply waits for.
	}
	plan.AddRules(ctx, r.provider.Rules(), located)
}

// unmatched is the key of a path of a rule that was compared with an object.
type unmatched struct{ argument, text string }

// reportRules warns, once in a run, of paths of rules that an object lacks, and returns the plan without the warnings of
// the object about them.
func (c *change) reportRules(plan ssa.Plan) ssa.Plan {
	plan, diags := changes.UnmatchedInRules(c.resource.Names, plan, c.plan.Rules, func(argument, text string) bool {
		return c.resource.provider.IsNews(unmatched{argument, text})
	})
	c.diags.Append(diags...)
	return plan
}

// unservedKinds warns, once in a run, of kinds in rules that the cluster does not serve.
func (c *change) unservedKinds(ctx context.Context) diag.Diagnostics {
	var diags diag.Diagnostics
	if c.work.API == nil || c.resource.provider.Run().Rounds.Current() == run.SecondRound {
		return nil
	}
	name := c.plan.ClusterName.ValueString()
	for _, kind := range c.resource.provider.UnservedKinds(ctx, c.work.API, name) {
		diags.Append(changes.UnservedKind(kind, name))
	}
	return diags
}
