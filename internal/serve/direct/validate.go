package direct

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

// Validate answers for a configuration without nested attributes and blocks in which nothing is wrong; it returns false if the
// framework has to answer.
func (a *Answers) Validate(ctx context.Context, request *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, bool) {
	if a == nil || request.Config == nil {
		return nil, false
	}
	k := a.kinds()[request.TypeName]
	if k == nil || k.schema.DeprecationMessage != "" {
		return nil, false
	}
	raw, err := request.Config.Unmarshal(k.typ)
	if err != nil {
		return nil, false
	}
	var values map[string]tftypes.Value
	if err := raw.As(&values); err != nil {
		return nil, false
	}
	for name := range k.schema.Blocks {
		if !values[name].IsNull() {
			return nil, false
		}
	}
	v := validation{config: tfsdk.Config{Schema: k.schema, Raw: raw}}
	if request.ClientCapabilities != nil {
		v.capabilities.WriteOnlyAttributesAllowed = request.ClientCapabilities.WriteOnlyAttributesAllowed
	}
	ctx = withLogs(ctx)
	for name, attribute := range k.schema.Attributes {
		if !v.accepts(ctx, name, attribute, values[name]) {
			return nil, false
		}
	}
	r, ok := k.configured(ctx, a.provider.ResourceData())
	return &tfprotov6.ValidateResourceConfigResponse{}, ok && v.acceptedBy(ctx, r)
}

// validation is the validation of one configuration.
type validation struct {
	config       tfsdk.Config
	capabilities validator.ValidateSchemaClientCapabilities
}

// acceptedBy reports whether the resource itself finds nothing.
func (v validation) acceptedBy(ctx context.Context, r resource.Resource) bool {
	if _, is := r.(resource.ResourceWithConfigValidators); is {
		return false
	}
	validated, is := r.(resource.ResourceWithValidateConfig)
	if !is {
		return true
	}
	req, resp := resource.ValidateConfigRequest{Config: v.config}, resource.ValidateConfigResponse{}
	req.ClientCapabilities.WriteOnlyAttributesAllowed = v.capabilities.WriteOnlyAttributesAllowed
	validated.ValidateConfig(ctx, req, &resp)
	return len(resp.Diagnostics) == 0
}

// accepts reports whether it is certain that the framework and the validators of an attribute find nothing.
func (v validation) accepts(ctx context.Context, name string, attribute schema.Attribute, raw tftypes.Value) bool {
	_, isText := attribute.(schema.StringAttribute)
	switch {
	case raw.IsNull() && attribute.IsRequired():
		return false
	case raw.IsNull() && !isText:
		return true // TestSchemas holds that its validators accept that.
	case raw.IsNull():
	case attribute.IsWriteOnly(), !attribute.IsOptional() && !attribute.IsRequired(), attribute.GetDeprecationMessage() != "":
		return false
	}
	value, err := attribute.GetType().ValueFromTerraform(ctx, raw)
	return err == nil && v.passes(ctx, path.Root(name), attribute, value)
}

// passes reports whether the validators of an attribute find nothing. It returns false for attributes of other types, which
// the framework has to validate.
func (v validation) passes(ctx context.Context, at path.Path, attribute schema.Attribute, value attr.Value) bool {
	switch attribute := attribute.(type) {
	case schema.StringAttribute:
		return allPass(v, at, value, attribute.Validators, func(one validator.String, asked question[types.String], into *answer) {
			one.ValidateString(ctx, validator.StringRequest(asked), (*validator.StringResponse)(into))
		})
	case schema.BoolAttribute:
		return allPass(v, at, value, attribute.Validators, func(one validator.Bool, asked question[types.Bool], into *answer) {
			one.ValidateBool(ctx, validator.BoolRequest(asked), (*validator.BoolResponse)(into))
		})
	case schema.SetAttribute:
		return allPass(v, at, value, attribute.Validators, func(one validator.Set, asked question[types.Set], into *answer) {
			one.ValidateSet(ctx, validator.SetRequest(asked), (*validator.SetResponse)(into))
		})
	case schema.DynamicAttribute:
		return allPass(v, at, value, attribute.Validators, func(one validator.Dynamic, asked question[types.Dynamic], into *answer) {
			one.ValidateDynamic(ctx, validator.DynamicRequest(asked), (*validator.DynamicResponse)(into))
		})
	}
	return false
}

// question is what the framework asks the validators of each type of attribute, whose requests have these same fields.
type question[V attr.Value] struct {
	Path               path.Path
	PathExpression     path.Expression
	Config             tfsdk.Config
	ConfigValue        V
	ClientCapabilities validator.ValidateSchemaClientCapabilities
}

// answer is what a validator says to a question.
type answer struct{ Diagnostics diag.Diagnostics }

// allPass reports whether no validator finds anything in a value. ask gives a value to one validator.
func allPass[T any, V attr.Value](v validation, at path.Path, value attr.Value, validators []T, ask func(T, question[V], *answer)) bool {
	configured, is := value.(V)
	asked := question[V]{Path: at, PathExpression: at.Expression(), Config: v.config, ConfigValue: configured, ClientCapabilities: v.capabilities}
	var found answer
	for _, one := range validators {
		ask(one, asked, &found)
	}
	return is && len(found.Diagnostics) == 0
}
