package waits

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

// Attribute is the name of the argument of resources that apply an object.
const Attribute = "wait"

// Attributes returns the attributes wait and ready. failures are as those of [ArgumentAttributes].
func Attributes(failures ...string) map[string]schema.Attribute {
	return map[string]schema.Attribute{
		Attribute: schema.SingleNestedAttribute{
			Optional: true, Attributes: ArgumentAttributes(failures...),
			Validators: []validator.Object{nestedValidator{"conditions and fields to wait for"}},
		},
		"ready": schema.BoolAttribute{Computed: true},
	}
}

// ArgumentAttributes returns the arguments of a wait. failures are values of on_failure other than fail and report.
func ArgumentAttributes(failures ...string) map[string]schema.Attribute {
	texts := schema.MapAttribute{Optional: true, ElementType: types.StringType}
	return map[string]schema.Attribute{
		"until": schema.StringAttribute{
			Optional: true, Validators: []validator.String{validators.OneOf("ready", "exists")},
		},
		"conditions": texts, "fields": texts,
		"logs": schema.Int64Attribute{
			Optional: true, Validators: []validator.Int64{validators.Between(1, waiting.MostLogLines)},
		},
		"on_failure": schema.StringAttribute{
			Optional:   true,
			Validators: []validator.String{validators.OneOf(append([]string{"fail", "report"}, failures...)...)},
		},
	}
}

// Type is the type of the argument wait of resources.
var Type = types.ObjectType{AttrTypes: func() map[string]attr.Type {
	kinds := map[string]attr.Type{}
	for name, attribute := range ArgumentAttributes("", "") {
		kinds[name] = attribute.GetType()
	}
	return kinds
}()}

// Plain returns the argument wait of resources that at contains as plain Go, without nulls. The errors are those of the
// validators of the argument.
func Plain(ctx context.Context, at path.Path, given map[string]any) (types.Object, diag.Diagnostics) {
	var diags diag.Diagnostics
	names := slices.Sorted(maps.Keys(Type.AttrTypes))
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if Type.AttrTypes[name] == nil {
			diags.Append(invalid.Value(at, fmt.Sprintf("%s has the key %s, which no wait has.\n\nWrite %s.", at, name,
				diagnostics.Alternatives(names))))
		}
	}
	values := map[string]attr.Value{}
	for name, attribute := range ArgumentAttributes("", "", "replace", "undo") {
		value, diagnostic := plainArgument(ctx, at.AtName(name), attribute, given[name])
		values[name] = value
		diags.Append(diagnostic...)
	}
	if diags.HasError() {
		return types.ObjectNull(Type.AttrTypes), diags
	}
	return types.ObjectValueMust(Type.AttrTypes, values), Validate(at, values)
}

// plainArgument returns an argument of a wait; null for nil.
func plainArgument(
	ctx context.Context, at path.Path, attribute schema.Attribute, given any,
) (attr.Value, diag.Diagnostics) {
	var diags diag.Diagnostics
	refuse := func(kind string) {
		if given != nil {
			diags.Append(invalid.Value(at, at.String()+" is not "+kind+".\n\nWrite "+kind+"."))
		}
	}
	switch attribute := attribute.(type) {
	case schema.StringAttribute:
		text, is := given.(string)
		if !is {
			refuse("a string")
			return types.StringNull(), diags
		}
		value := types.StringValue(text)
		for _, accept := range attribute.Validators {
			var resp validator.StringResponse
			accept.ValidateString(ctx, validator.StringRequest{Path: at, ConfigValue: value}, &resp)
			diags.Append(resp.Diagnostics...)
		}
		return value, diags
	case schema.Int64Attribute:
		number, is := given.(int64)
		if !is {
			refuse("a whole number")
			return types.Int64Null(), diags
		}
		value := types.Int64Value(number)
		for _, accept := range attribute.Validators {
			var resp validator.Int64Response
			accept.ValidateInt64(ctx, validator.Int64Request{Path: at, ConfigValue: value}, &resp)
			diags.Append(resp.Diagnostics...)
		}
		return value, diags
	}
	entries, is := given.(map[string]any)
	if !is {
		refuse("an object")
		return types.MapNull(types.StringType), diags
	}
	values := map[string]attr.Value{}
	for key, entry := range entries {
		values[key] = types.StringValue(readiness.TextOf(entry))
	}
	return types.MapValueMust(types.StringType, values), diags
}
