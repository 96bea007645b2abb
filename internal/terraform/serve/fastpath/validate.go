package fastpath

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Validate returns the diagnostics of the resource for a configuration whose attributes are valid by themselves. It
// returns false if the framework has to answer: an attribute may be invalid, and the framework reports how.
func (a *Answers) Validate(
	ctx context.Context, request *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, bool) {
	if a == nil || request.Config == nil {
		return nil, false
	}
	k := a.kinds()[request.TypeName]
	if k == nil {
		return nil, false
	}
	raw, err := request.Config.Unmarshal(k.typ)
	var given map[string]tftypes.Value
	if err != nil || !raw.IsKnown() || raw.As(&given) != nil || given == nil {
		return nil, false
	}
	for name := range k.schema.Blocks {
		if !given[name].IsNull() {
			return nil, false
		}
	}
	ctx = withLogs(ctx)
	v := validation{config: tfsdk.Config{Schema: k.schema, Raw: raw}}
	if capable := request.ClientCapabilities; capable != nil {
		v.client.WriteOnlyAttributesAllowed = capable.WriteOnlyAttributesAllowed
	}
	if !v.accepts(ctx, path.Empty(), k.schema.Attributes, given) {
		return nil, false
	}
	r, ok := k.configured(ctx, a.provider.ResourceData())
	if !ok {
		return nil, false
	}
	var resp resource.ValidateConfigResponse
	if validates, is := r.(resource.ResourceWithValidateConfig); is {
		req := resource.ValidateConfigRequest{Config: v.config}
		req.ClientCapabilities.WriteOnlyAttributesAllowed = v.client.WriteOnlyAttributesAllowed
		validates.ValidateConfig(ctx, req, &resp)
	}
	return &tfprotov6.ValidateResourceConfigResponse{Diagnostics: diagnostics(ctx, resp.Diagnostics)}, true
}

// validation is one configuration, and what the client that sent it can do.
type validation struct {
	config tfsdk.Config
	client validator.ValidateSchemaClientCapabilities
}

// accepts reports whether the framework finds nothing wrong with attributes below a path. It is false for the elements
// of nested collections.
func (v validation) accepts(
	ctx context.Context, below path.Path, attributes map[string]schema.Attribute, given map[string]tftypes.Value,
) bool {
	for name, attribute := range attributes {
		raw, at := given[name], below.AtName(name)
		if raw.IsNull() && attribute.IsRequired() || !raw.IsNull() && (attribute.GetDeprecationMessage() != "" ||
			attribute.IsComputed() && !attribute.IsOptional() ||
			attribute.IsWriteOnly() && !v.client.WriteOnlyAttributesAllowed) {
			return false
		}
		value, err := attribute.GetType().ValueFromTerraform(ctx, raw)
		if err != nil || !isSound(ctx, at, attribute.GetType(), raw) || !v.passes(ctx, at, attribute, value) {
			return false
		}
		if _, nested := attribute.(schema.NestedAttribute); !nested || raw.IsNull() || !raw.IsKnown() {
			continue
		}
		single, is := attribute.(schema.SingleNestedAttribute)
		var inner map[string]tftypes.Value
		if !is || raw.As(&inner) != nil || !v.accepts(ctx, at, single.Attributes, inner) {
			return false
		}
	}
	return true
}

// isSound reports whether the type of an attribute accepts a value: a set may not have an element twice.
func isSound(ctx context.Context, at path.Path, kind attr.Type, raw tftypes.Value) bool {
	checks, is := kind.(interface {
		Validate(ctx context.Context, raw tftypes.Value, at path.Path) diag.Diagnostics
	})
	return !is || len(checks.Validate(ctx, raw, at)) == 0
}

// passes reports whether the validators of an attribute return no diagnostics. It is false for types whose validators
// it does not call.
func (v validation) passes(ctx context.Context, at path.Path, of schema.Attribute, value attr.Value) bool {
	expression := at.Expression()
	switch value := value.(type) {
	case types.Bool:
		with, is := of.(interface{ BoolValidators() []validator.Bool })
		return is && silent(ctx, with.BoolValidators(), validator.Bool.ValidateBool, validator.BoolRequest{
			Path: at, PathExpression: expression, Config: v.config, ConfigValue: value, ClientCapabilities: v.client,
		})
	case types.Int64:
		with, is := of.(interface{ Int64Validators() []validator.Int64 })
		return is && silent(ctx, with.Int64Validators(), validator.Int64.ValidateInt64, validator.Int64Request{
			Path: at, PathExpression: expression, Config: v.config, ConfigValue: value, ClientCapabilities: v.client,
		})
	case types.String:
		with, is := of.(interface{ StringValidators() []validator.String })
		return is && silent(ctx, with.StringValidators(), validator.String.ValidateString, validator.StringRequest{
			Path: at, PathExpression: expression, Config: v.config, ConfigValue: value, ClientCapabilities: v.client,
		})
	case types.List:
		with, is := of.(interface{ ListValidators() []validator.List })
		return is && silent(ctx, with.ListValidators(), validator.List.ValidateList, validator.ListRequest{
			Path: at, PathExpression: expression, Config: v.config, ConfigValue: value, ClientCapabilities: v.client,
		})
	case types.Set:
		with, is := of.(interface{ SetValidators() []validator.Set })
		return is && silent(ctx, with.SetValidators(), validator.Set.ValidateSet, validator.SetRequest{
			Path: at, PathExpression: expression, Config: v.config, ConfigValue: value, ClientCapabilities: v.client,
		})
	case types.Map:
		with, is := of.(interface{ MapValidators() []validator.Map })
		return is && silent(ctx, with.MapValidators(), validator.Map.ValidateMap, validator.MapRequest{
			Path: at, PathExpression: expression, Config: v.config, ConfigValue: value, ClientCapabilities: v.client,
		})
	case types.Object:
		with, is := of.(interface{ ObjectValidators() []validator.Object })
		return is && silent(ctx, with.ObjectValidators(), validator.Object.ValidateObject, validator.ObjectRequest{
			Path: at, PathExpression: expression, Config: v.config, ConfigValue: value, ClientCapabilities: v.client,
		})
	case types.Dynamic:
		with, is := of.(interface{ DynamicValidators() []validator.Dynamic })
		return is && silent(ctx, with.DynamicValidators(), validator.Dynamic.ValidateDynamic, validator.DynamicRequest{
			Path: at, PathExpression: expression, Config: v.config, ConfigValue: value, ClientCapabilities: v.client,
		})
	}
	return false
}

// silent reports whether all validators return no diagnostics for a request.
func silent[Validator, Request any, Response ~struct{ Diagnostics diag.Diagnostics }](
	ctx context.Context, validators []Validator, ask func(Validator, context.Context, Request, *Response), req Request,
) bool {
	for _, each := range validators {
		var resp Response
		ask(each, ctx, req, &resp)
		if len(struct{ Diagnostics diag.Diagnostics }(resp).Diagnostics) > 0 {
			return false
		}
	}
	return true
}
