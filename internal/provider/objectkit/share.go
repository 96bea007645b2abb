package objectkit

import (
	"maps"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/registry"
)

// shareObject notes which fields of its object the plan applies, against other resources that apply the same ones.
func (c *change) shareObject() {
	if c.diags.HasError() || len(c.replaces) > 0 {
		return
	}
	fields, uid := c.applies, c.uid
	if c.state != nil {
		uid = c.state.uid()
	}
	if fields == nil && c.state != nil {
		fields = c.state.plannedState().ManagedState
	}
	id, diags := c.plan.object()
	if diags.HasError() || fields == nil {
		return
	}
	err := c.resource.provider.Registry().Share(id, uid, registry.Share{
		FieldManager: c.plan.FieldManager.ValueString(), IsPart: c.resource.IsPart, Fields: slices.Collect(maps.Keys(fields)),
	})
	if err != nil {
		c.diags.Append(c.resource.Words.Error(diagnostics.Planned, id, err))
	}
}
