package waits

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
)

// Validate returns the errors about the arguments of a wait, which are attributes of at.
func Validate(at path.Path, given map[string]attr.Value) diag.Diagnostics {
	var diags diag.Diagnostics
	if hasUnknown(given) {
		return diags
	}
	_, err := Of(given)
	if fault, is := errors.AsType[*readiness.InputError](err); is {
		name := fault.Error()
		if whole := at.String(); whole != "" {
			name = whole + "." + name
		}
		diags.Append(invalid.Wait(at.AtName(fault.Attribute), name))
	}
	return diags
}

// nestedValidator validates the attribute wait.
type nestedValidator struct{}

func (nestedValidator) Description(context.Context) string {
	return "conditions and fields to wait for"
}

func (v nestedValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (nestedValidator) ValidateObject(_ context.Context, req validator.ObjectRequest, resp *validator.ObjectResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	resp.Diagnostics.Append(Validate(req.Path, req.ConfigValue.Attributes())...)
}

// hasUnknown reports whether an argument, or a part of one, is unknown.
func hasUnknown(given map[string]attr.Value) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(given)), func(part attr.Value) bool {
		all, _ := part.(types.Map)
		return part.IsUnknown() || slices.ContainsFunc(slices.Collect(maps.Values(all.Elements())),
			attr.Value.IsUnknown)
	})
}
