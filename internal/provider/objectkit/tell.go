package objectkit

import (
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ssa"
)

// show sets what a plan foresees, and tells the rest.
func (c *change) show(plan ssa.Plan) {
	if plan.State != nil {
		c.applies = plan.State.ManagedState
	}
	for _, field := range plan.Targets {
		if c.applies == nil {
			c.applies = map[string]string{}
		}
		c.applies[field] = ""
	}
	// An adoption is planned on the live object, or on the want of one, and both may change before the apply.
	adopting := c.state == nil && (c.plan.AdoptExisting.ValueBool() || c.resource.IsPart)
	if plan.State == nil || adopting {
		c.plan.setUnknown()
	} else {
		c.plan.setPlannedState(*plan.State)
	}
	c.tell(plan)
}

// tell says what a plan warns of.
func (c *change) tell(plan ssa.Plan) {
	if plan.Adopts {
		c.diags.Append(c.resource.Words.Adopts(plan))
	}
	if len(plan.Changes) > 0 {
		c.diags.Append(c.resource.Words.Changes(plan, time.Now()))
	}
	if len(plan.UnmatchedSensitive) > 0 {
		c.diags.Append(c.resource.Words.UnmatchedSensitive(plan.Object, plan.UnmatchedSensitive))
	}
	if len(plan.Unmatched) > 0 {
		c.diags.Append(c.resource.Words.Unmatched(plan.Object, plan.Unmatched))
	}
	if len(plan.UnseenPins) > 0 {
		c.diags.Append(c.resource.Words.UnseenPins(plan.Object, plan.UnseenPins))
	}
	if len(plan.NewItems) > 0 {
		c.diags.Append(c.resource.Words.AddsItems(plan.Object, plan.NewItems))
	}
	if long, is := c.resource.Words.ListsTooLong(plan, time.Now()); is {
		c.diags.Append(long)
	}
	if awaited, is := c.resource.Words.Awaited(plan, c.timeout); is {
		c.diags.Append(awaited)
	}
	if len(plan.Dropped) > 0 {
		c.diags.Append(c.resource.Words.LeftOut(plan.Object, plan.Dropped)...)
	}
	if large, is := diagnostics.Large(plan.Object, plan.Bytes); is {
		c.diags.Append(large)
	}
	for _, warning := range plan.Warnings {
		c.diags.Append(diagnostics.ServerWarning(plan.Object, warning))
	}
}
