package attributes

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	providerschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/rules"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/waits"
)

const (
	// RulesAttribute is the attribute of the provider with rules.
	RulesAttribute = "rules"
	// RulesAppliedAttribute is the attribute of a resource with the arguments that rules add.
	RulesAppliedAttribute = "rules_applied"
)

// Rules returns the attribute rules of the provider. Its type is dynamic, because the CLI drops keys that the type of a
// nested attribute does not have: a rule with a mistyped limit would cover every object.
func Rules() providerschema.DynamicAttribute {
	return providerschema.DynamicAttribute{Optional: true, Validators: validRules}
}

var rulesAppliedTypes = func() map[string]attr.Type {
	all := map[string]attr.Type{}
	for _, argument := range arguments.OfRules() {
		switch {
		case argument.Kind.IsList():
			all[argument.Name] = types.ListType{ElemType: types.StringType}
		case argument.Kind == arguments.OneOf:
			all[argument.Name] = types.StringType
		case argument.Kind == arguments.Flag:
			all[argument.Name] = types.BoolType
		default:
			all[argument.Name] = waits.Type
		}
	}
	return all
}()

// RulesAppliedOf returns the value of the attribute that shows what rules add.
func RulesAppliedOf(ctx context.Context, added rules.Added) types.Object {
	if added.IsEmpty() {
		return types.ObjectNull(rulesAppliedTypes)
	}
	values := map[string]attr.Value{}
	for name, kind := range rulesAppliedTypes {
		switch value := added.Arguments[name].(type) {
		case []string:
			values[name] = types.ListNull(types.StringType)
			if value != nil {
				values[name] = types.ListValueMust(types.StringType, Texts(value))
			}
		case string:
			values[name] = types.StringValue(value)
		case bool:
			values[name] = types.BoolValue(value)
		case map[string]any:
			// The validator of rules has refused an invalid one.
			values[name], _ = waits.Plain(ctx, path.Empty(), value)
		default:
			values[name], _ = kind.ValueFromTerraform(ctx, tftypes.NewValue(kind.TerraformType(ctx), nil))
		}
	}
	return types.ObjectValueMust(rulesAppliedTypes, values)
}

// RulesAppliedUnknown returns the value of the attribute while it is not known what rules add.
func RulesAppliedUnknown() types.Object { return types.ObjectUnknown(rulesAppliedTypes) }

// DecodeRules returns the rules in a value, with the errors of its validator. isKnown is false if one of them is
// unknown.
func DecodeRules(
	ctx context.Context, source rules.Source, value types.Dynamic,
) (all rules.Rules, isKnown bool, diags diag.Diagnostics) {
	at := path.Root(RulesAttribute)
	if value.IsNull() || value.IsUnderlyingValueNull() {
		return nil, true, nil
	}
	if value.IsUnknown() || value.IsUnderlyingValueUnknown() {
		return nil, false, nil
	}
	elements := ElementsOf(value.UnderlyingValue())
	if elements == nil {
		diags.Append(invalid.Value(at, "rules is not a list.\n\nWrite a list of objects, for example "+
			`[{ kinds = ["Deployment"], ignore_fields = ["spec.replicas"] }].`))
		return nil, true, diags
	}
	var given []map[string]any
	var d decoder
	for i, element := range elements {
		decoded, is := d.decode(element, nil)
		rule, isObject := decoded.(map[string]any)
		if is && !isObject && len(d.undecided) == 0 {
			diags.Append(invalid.Value(at.AtListIndex(i), fmt.Sprintf("rules[%d] is not an object.\n\nWrite an "+
				`object, for example { kinds = ["Deployment"], ignore_fields = ["spec.replicas"] }.`, i)))
		}
		given = append(given, rule)
	}
	if len(d.undecided) > 0 || diags.HasError() {
		return nil, len(d.undecided) == 0, diags
	}
	all, problems := rules.Parse(source, given)
	for _, problem := range problems {
		diags.Append(invalid.Value(at, problem.Text))
	}
	for i, rule := range all {
		diags.Append(checkArguments(ctx, at.AtListIndex(i), rule)...)
	}
	return all, true, diags
}

// RulesOfResource returns the rules of a resource, which have to be known.
func RulesOfResource(ctx context.Context, value types.Dynamic) (rules.Rules, diag.Diagnostics) {
	return KnownRules(ctx, rules.Resource, value)
}

// KnownRules returns the rules in a value, which have to be known.
func KnownRules(ctx context.Context, source rules.Source, value types.Dynamic) (rules.Rules, diag.Diagnostics) {
	all, isKnown, diags := DecodeRules(ctx, source, value)
	if !isKnown {
		diags.Append(invalid.RulesUnknown(RulesAttribute))
	}
	return all, diags
}

// checkArguments returns the errors about the arguments of a rule, as the validators of a resource find them.
func checkArguments(ctx context.Context, at path.Path, rule rules.Rule) diag.Diagnostics {
	var diags diag.Diagnostics
	for _, kind := range []arguments.Kind{arguments.FieldPaths, arguments.Managers, arguments.ExactManagers} {
		for _, argument := range arguments.OfRules() {
			if argument.Kind != kind {
				continue
			}
			var resp validator.SetResponse
			list := at.AtName(argument.Name)
			elementsValidator(argument, list.String()).ValidateSet(ctx, validator.SetRequest{
				Path: list, ConfigValue: types.SetValueMust(types.StringType, Texts(rule.List(argument.Name))),
			}, &resp)
			diags.Append(resp.Diagnostics...)
		}
	}
	if wait, is := rule.Arguments[arguments.Wait].(map[string]any); is {
		_, faults := waits.Plain(ctx, at.AtName(arguments.Wait), wait)
		diags.Append(faults...)
	}
	return diags
}

// rulesValidator accepts what DecodeRules accepts, as far as it is known.
type rulesValidator struct{ validators.Described }

var validRules = []validator.Dynamic{rulesValidator{"a list of rules"}}

func (rulesValidator) ValidateDynamic(
	ctx context.Context, req validator.DynamicRequest, resp *validator.DynamicResponse,
) {
	_, _, diags := DecodeRules(ctx, "", req.ConfigValue)
	resp.Diagnostics.Append(diags...)
}
