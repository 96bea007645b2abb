package providerdata

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/rules"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
)

// Rules returns the rules that add arguments to a resource: those of the provider block, and its own ones.
func (p *Provider) Rules(own rules.Rules) rules.Rules { return slices.Concat(p.rules, own) }

// checkedKinds is the key of a cluster whose kinds were compared with rules.
type checkedKinds struct {
	api   cluster.Interface
	named string
}

// UnservedKinds returns the globs of rules that match none of the kinds that a cluster serves or that the run defines,
// once in a run for each cluster: rules of the provider block, and those of a resource itself. name is the name of the
// cluster. It returns nil if the kinds are not known. It sends nothing while the process holds discovery.
func (p *Provider) UnservedKinds(
	ctx context.Context, api cluster.Interface, name string, own rules.Rules,
) []rules.UnmatchedKind {
	// No kind matches any glob here, so the result has all rules that name kinds: without one, discovery is not needed.
	if len(p.Rules(own).UnmatchedKinds(name, nil)) == 0 {
		return nil
	}
	known, err := api.Kinds(ctx)
	// A kind of a group that does not answer would look like one that is not served.
	if err != nil || len(known.Failed) > 0 {
		return nil
	}
	fresh := slices.DeleteFunc([]rules.Rules{p.rules, own}, func(all rules.Rules) bool {
		named := all.UnmatchedKinds(name, nil)
		return len(named) == 0 || !p.IsNews(checkedKinds{api, fmt.Sprint(named)})
	})
	if len(fresh) == 0 {
		return nil
	}
	served := make([]rules.Kind, len(known.Served))
	for i, kind := range known.Served {
		served[i] = rules.Kind{Group: schema.FromAPIVersionAndKind(kind.APIVersion, kind.Kind).Group, Kind: kind.Kind}
	}
	var unserved []rules.UnmatchedKind
	for _, all := range fresh {
		if len(all.UnmatchedKinds(name, served)) == 0 {
			continue
		}
		// Terraform plans resources in any order, so the definition of a kind may be planned after an object of it.
		for _, kind := range p.run.AwaitDefinedKinds(ctx, api) {
			served = append(served, rules.Kind{Group: kind.Group, Kind: kind.Kind})
		}
		unserved = append(unserved, all.UnmatchedKinds(name, served)...)
	}
	return unserved
}

// PlanRules sets what rules add to the arguments of a plan. It is unknown as long as a rule depends on a name that is
// not known, or on the scope of a kind that is not served yet: then the error names the kind.
func (p *Provider) PlanRules(ctx context.Context, plan, state *model.Model) error {
	all, body := p.Rules(plan.OwnRules), plan.Body()
	if len(all) > 0 && (!body.Known || all.AskCluster() && plan.ClusterName.IsUnknown()) {
		model.SetRulesUnknown(plan)
		return nil
	}
	id, err := p.locate(ctx, plan, state, all)
	switch {
	case errors.Is(err, errDeferred):
		model.SetRulesUnknown(plan)
	case err != nil && run.NotReady(err) == nil:
		model.SetRulesUnknown(plan)
		return err
	default: // The plan itself meets any other error.
		model.PlanRules(ctx, plan, all, id)
	}
	return nil
}

// errDeferred is the error of [Provider.locate] for a connection that is not known.
var errDeferred = errors.New("the connection is not known yet")

// locate returns the object of a plan, with the namespace that it has if rules ask for that. before is the state, or
// the plan that an apply has; nil without one. Without a connection that works, the object is as the manifest names it.
func (p *Provider) locate(ctx context.Context, plan, before *model.Model, all rules.Rules) (manifest.Identity, error) {
	id := plan.Body().Manifest.Identity
	if !all.AskNamespace(id) {
		return id, nil
	}
	if before != nil {
		last, diags := before.Object()
		if !diags.HasError() && last.Kind == id.Kind && last.Group() == id.Group() && last.Name == id.Name {
			if last.Namespace != "" {
				last.Namespace = cmp.Or(id.Namespace, last.Namespace)
			}
			return last, nil
		}
	}
	switch api, status := p.Look(ctx, plan.Connection); status {
	case Ready:
		return cluster.Locate(ctx, api, id)
	case Deferred:
		return id, errDeferred
	default:
		return id, nil
	}
}

// AddRules sets what rules add if a plan could not know it, and names the rules for the messages of an apply. If that
// depends on the scope of a kind that is not served yet, it waits for the kind until ctx ends.
func (p *Provider) AddRules(ctx context.Context, plan *model.Model) error {
	all := p.Rules(plan.OwnRules)
	return run.AwaitSettled(ctx, &p.run.Waits, func() error {
		id, err := p.locate(ctx, plan, plan, all)
		if err == nil || errors.Is(err, errDeferred) {
			model.AddRules(ctx, plan, all, id)
			return nil
		}
		return err
	})
}
