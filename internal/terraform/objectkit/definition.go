package objectkit

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
)

// noteDefinition notes whether the plan changes the CustomResourceDefinition that it is about, so that the plans of
// objects of the kind know. It does nothing for other objects.
func (c *change) noteDefinition(ctx context.Context) {
	args, _ := c.plan.Legible()
	id := args.Manifest.Identity
	if c.state != nil {
		id = c.object()
	}
	if !id.IsDefinition() {
		return
	}
	api, _, diags := c.resource.provider.Connect(ctx, c.plan.Connection)
	if diags.HasError() || api == nil {
		return
	}
	definitions := &c.resource.provider.Run().Definitions
	of, manager := run.Definition{Cluster: api, Name: id.Name}, c.plan.FieldManager.ValueString()
	if c.state != nil {
		definitions.PlanNothing(of, c.state.FieldManager.ValueString())
	}
	object := args.Manifest.Object
	if c.plan.IsPart {
		object = nil
	}
	if redefines(c) {
		definitions.PlanChange(of, manager, object)
	} else {
		definitions.PlanNothing(of, manager)
	}
}

// redefines reports whether the plan may change the spec of its object.
func redefines(c *change) bool {
	switch {
	case c.state == nil, c.diags.HasError(), len(c.replaces) > 0, !c.plan.ArgumentsKnown():
		return true
	case !c.pending:
		return false
	}
	return !model.IsKnown(c.plan.ManagedState) || engine.ChangesSpec(c.state.Shown().Shown, c.plan.Shown().Shown)
}
