package fastpath

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// plainNames returns the names of the attributes without attributes below them. Only the framework looks below an
// attribute or a block for what a plan changes.
func plainNames(of schema.Schema) map[string]bool {
	plain := map[string]bool{}
	for name, attribute := range of.Attributes {
		_, isNested := attribute.(schema.NestedAttribute)
		plain[name] = !isNested
	}
	return plain
}

// areAllPlain reports whether nothing is configured that has attributes below it.
func (k *kind) areAllPlain(configured map[string]tftypes.Value) bool {
	for name, value := range configured {
		if !value.IsNull() && !k.plain[name] {
			return false
		}
	}
	return true
}

// propose returns the plan that the framework hands to the resource: what the CLI proposes, with write-only values as
// null, with computed values that the configuration does not set as unknown if anything changes, and with the changes
// of the plan modifiers of strings. It returns false if the framework has to plan.
func (k *kind) propose(ctx context.Context, config, proposed, prior tftypes.Value) (plan tftypes.Value, ok bool) {
	var configured, before, shared map[string]tftypes.Value
	if config.As(&configured) != nil || prior.As(&before) != nil || proposed.As(&shared) != nil ||
		!k.areAllPlain(configured) {
		return plan, false
	}
	values := maps.Clone(shared)
	for name, attribute := range k.schema.Attributes {
		// Before the comparison: no state holds a write-only value, so each plan would differ from it.
		if attribute.IsWriteOnly() && !values[name].IsNull() {
			values[name] = tftypes.NewValue(values[name].Type(), nil)
		}
	}
	if prior.IsNull() || !maps.EqualFunc(values, before, tftypes.Value.Equal) {
		for name, attribute := range k.schema.Attributes {
			if attribute.IsComputed() && configured[name].IsNull() {
				values[name] = tftypes.NewValue(attribute.GetType().TerraformType(ctx), tftypes.UnknownValue)
			}
		}
	}
	req := planmodifier.StringRequest{
		Config: tfsdk.Config{Schema: k.schema, Raw: config}, State: tfsdk.State{Schema: k.schema, Raw: prior},
		Plan: tfsdk.Plan{Schema: k.schema, Raw: tftypes.NewValue(k.typ, values)},
	}
	// NewValue keeps the map that it gets, and each modifier has to see the plan from before all of them.
	modified := maps.Clone(values)
	for name, attribute := range k.schema.Attributes {
		text, is := attribute.(schema.StringAttribute)
		if !is || len(text.PlanModifiers) == 0 {
			continue
		}
		req.Path, req.PathExpression = path.Root(name), path.MatchRoot(name)
		req.ConfigValue, req.PlanValue, req.StateValue = stringOf(
			configured[name]), stringOf(values[name]), stringOf(before[name])
		resp := planmodifier.StringResponse{PlanValue: req.PlanValue}
		for _, modifier := range text.PlanModifiers {
			req.PlanValue = resp.PlanValue
			modifier.PlanModifyString(ctx, req, &resp)
		}
		if resp.RequiresReplace || len(resp.Diagnostics) > 0 {
			return plan, false
		}
		value, err := resp.PlanValue.ToTerraformValue(ctx)
		if err != nil {
			return plan, false
		}
		modified[name] = value
	}
	return tftypes.NewValue(k.typ, modified), true
}

// stringOf returns a string; null for a value that is not there.
func stringOf(raw tftypes.Value) types.String {
	var text *string
	switch {
	case raw.IsNull():
		return types.StringNull()
	case !raw.IsKnown() || raw.As(&text) != nil:
		return types.StringUnknown()
	}
	return types.StringPointerValue(text)
}
