package validators

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
)

// Together validates an attribute against other attributes, of any type.
type Together struct {
	Described
	others []string
	check  func(self attribute, others []attribute) diag.Diagnostics
	// ofNull is true if the check may refuse a null attribute.
	ofNull bool
}

type attribute struct {
	path  path.Path
	value attr.Value
}

// isSet reports whether the attribute has a value. One that is unknown may still become null.
func (a attribute) isSet() bool { return !a.value.IsNull() && !a.value.IsUnknown() }

func (a attribute) is(value string) bool { return a.isSet() && a.value.Equal(types.StringValue(value)) }

// Needs refuses an attribute without another one.
func Needs(other string) Together {
	return Together{Described("set together with " + other), []string{other}, needs, false}
}

func needs(self attribute, others []attribute) diag.Diagnostics {
	if !self.isSet() || !others[0].value.IsNull() {
		return nil
	}
	return diag.Diagnostics{invalid.Combination(self.path, self.path.String()+" needs "+others[0].path.String()+
		".\n\nSet both, or remove "+self.path.String()+".")}
}

// ValueNeeds refuses one value of an attribute without another attribute. what describes the value to write for the
// other.
func ValueNeeds(value, other, what string) Together {
	return Together{Described("set to " + value + " together with " + other), []string{other}, func(
		self attribute, others []attribute,
	) diag.Diagnostics {
		if !self.is(value) || !others[0].value.IsNull() {
			return nil
		}
		return diag.Diagnostics{invalid.Combination(self.path, self.path.String()+" = "+diagnostics.HCLString(value)+
			" needs "+other+".\n\nSet "+other+" to "+what+".")}
	}, false}
}

// NeedsValue refuses an attribute unless another one has a value.
func NeedsValue(other, value string) Together {
	set := other + " = " + diagnostics.HCLString(value)
	return Together{Described("set together with " + set), []string{other}, func(
		self attribute, others []attribute,
	) diag.Diagnostics {
		if !self.isSet() || others[0].value.IsUnknown() || others[0].is(value) {
			return nil
		}
		return diag.Diagnostics{invalid.Combination(self.path, self.path.String()+" needs "+set+".\n\nSet both, or "+
			"remove "+self.path.String()+".")}
	}, false}
}

// IsNotOwn refuses the name of a manager that is the resource's own field manager.
func IsNotOwn(fieldManager string) Together {
	return Together{Described("different from " + fieldManager), []string{fieldManager}, func(
		self attribute, others []attribute,
	) diag.Diagnostics {
		if !self.isSet() || !self.value.Equal(others[0].value) {
			return nil
		}
		return diag.Diagnostics{invalid.OwnSuccessor(self.path)}
	}, false}
}

// Excludes refuses an attribute together with any of the other attributes.
func Excludes(others ...string) Together {
	return Together{Described("set without " + strings.Join(others, ", ")), others, excludes, false}
}

func excludes(self attribute, others []attribute) diag.Diagnostics {
	var diags diag.Diagnostics
	for _, other := range others {
		if self.isSet() && other.isSet() {
			diags.Append(invalid.Combination(self.path, self.path.String()+" and "+other.path.String()+
				" cannot be set together.\n\nRemove one of them."))
		}
	}
	return diags
}

// ExactlyOneOf refuses a configuration that sets both or none of the attribute and another one.
func ExactlyOneOf(other string) Together {
	return Together{Described("set exactly one of it and " + other), []string{other}, exactlyOne, true}
}

func exactlyOne(self attribute, others []attribute) diag.Diagnostics {
	if self.value.IsNull() && others[0].value.IsNull() {
		return diag.Diagnostics{invalid.Missing("Neither " + self.path.String() + " nor " + others[0].path.String() +
			" is set.\n\nSet one of them.")}
	}
	return excludes(self, others)
}

// AtLeastOneOf refuses a configuration that sets neither the attribute nor any of the other attributes.
func AtLeastOneOf(others ...string) Together {
	return Together{Described("set at least one of it and " + strings.Join(others, ", ")), others, atLeastOne, true}
}

func atLeastOne(self attribute, others []attribute) diag.Diagnostics {
	names := []string{self.path.String()}
	for _, other := range others {
		if !other.value.IsNull() {
			return nil
		}
		names = append(names, other.path.String())
	}
	if !self.value.IsNull() {
		return nil
	}
	return diag.Diagnostics{invalid.Missing("Nothing is set that can change the object.\n\nSet " +
		diagnostics.Alternatives(names) + ".")}
}

func (t Together) validate(ctx context.Context, config tfsdk.Config, self attribute) diag.Diagnostics {
	if self.value.IsNull() && !t.ofNull {
		return nil
	}
	beside := self.path.ParentPath()
	var diags diag.Diagnostics
	others := make([]attribute, len(t.others))
	for i, name := range t.others {
		others[i].path = beside.AtName(name)
		diags.Append(config.GetAttribute(ctx, others[i].path, &others[i].value)...)
	}
	if diags.HasError() {
		return diags
	}
	return t.check(self, others)
}

// ValidateString implements validator.String.
func (t Together) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	resp.Diagnostics.Append(t.validate(ctx, req.Config, attribute{req.Path, req.ConfigValue})...)
}

// ValidateInt64 implements validator.Int64.
func (t Together) ValidateInt64(ctx context.Context, req validator.Int64Request, resp *validator.Int64Response) {
	resp.Diagnostics.Append(t.validate(ctx, req.Config, attribute{req.Path, req.ConfigValue})...)
}

// ValidateObject implements validator.Object.
func (t Together) ValidateObject(ctx context.Context, req validator.ObjectRequest, resp *validator.ObjectResponse) {
	resp.Diagnostics.Append(t.validate(ctx, req.Config, attribute{req.Path, req.ConfigValue})...)
}

// ValidateMap implements validator.Map.
func (t Together) ValidateMap(ctx context.Context, req validator.MapRequest, resp *validator.MapResponse) {
	resp.Diagnostics.Append(t.validate(ctx, req.Config, attribute{req.Path, req.ConfigValue})...)
}

// ValidateDynamic implements validator.Dynamic.
func (t Together) ValidateDynamic(ctx context.Context, req validator.DynamicRequest, resp *validator.DynamicResponse) {
	resp.Diagnostics.Append(t.validate(ctx, req.Config, attribute{req.Path, req.ConfigValue})...)
}
