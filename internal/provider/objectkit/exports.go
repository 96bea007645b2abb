package objectkit

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/exports"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
)

// planExports foresees the values that are handed on, and refuses secret ones among those that are not.
func (c *change) planExports() {
	plan := c.plan
	if c.diags.HasError() || plan.Exports.IsNull() && plan.SensitiveExports.IsNull() {
		plan.Values, plan.SensitiveValues = types.MapNull(types.StringType), types.MapNull(types.StringType)
		return
	}
	plan.Values, plan.SensitiveValues = exports.Unknown(plan.Exports), exports.Unknown(plan.SensitiveExports)
	if !plan.argumentsKnown() {
		return
	}
	intent, diags := plan.intent()
	if c.diags.Append(diags...); diags.HasError() {
		return
	}
	c.diags.Append(plan.refuseSecretExports(slices.Concat(intent.Sensitive, record.PatternsOf(intent.WriteOnly.Fields)))...)
	if c.state == nil || len(c.replaces) > 0 {
		return
	}
	was, _ := c.state.intent()
	before, now := was.Sent(), intent.Sent()
	plan.Values = exports.Planned(plan.Exports, exports.Prior{Exports: c.state.Exports, Values: c.state.Values, Body: before}, now)
	plan.SensitiveValues = exports.Planned(plan.SensitiveExports, exports.Prior{Exports: c.state.SensitiveExports, Values: c.state.SensitiveValues, Body: before}, now)
}

// refuseSecretExports returns the errors of secret fields that exports names.
func (m Model) refuseSecretExports(sensitive paths.Patterns) diag.Diagnostics {
	var diags diag.Diagnostics
	parsed, err := m.manifest()
	if err != nil {
		return diags
	}
	for _, name := range exports.Secret(m.Exports, parsed.IsSecret(), sensitive) {
		diags.AddAttributeError(path.Root(exports.Attribute).AtMapKey(name), "Secret Value Exported", fmt.Sprintf(
			"exports[%q]: the field is secret, and values would show it.\n\nMove the name to %s.", name, exports.SensitiveAttribute))
	}
	return diags
}

// readExports reads the object where a plan without an apply left values unknown: one GET then.
func (r *Resource) readExports(ctx context.Context, id manifest.Identity, plan *Model) diag.Diagnostics {
	if !exports.HasUnknown(plan.Values) && !exports.HasUnknown(plan.SensitiveValues) {
		return nil
	}
	api, diags := r.provider.ConnectToApply(ctx, plan.Cluster)
	if diags.HasError() {
		return diags
	}
	live, err := cluster.Get(ctx, api, id)
	if err != nil {
		diags.Append(r.explain(diagnostics.Read, id, err))
		return diags
	}
	plan.Values = exports.Completed(plan.Values, exports.Values(plan.Exports, live.Object))
	plan.SensitiveValues = exports.Completed(plan.SensitiveValues, exports.Values(plan.SensitiveExports, live.Object))
	return diags
}
