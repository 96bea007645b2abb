package waits

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/readiness"
)

// waitValidator accepts what can be waited for.
type waitValidator struct{}

func (waitValidator) Description(context.Context) string { return "conditions and fields to wait for" }

func (v waitValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (waitValidator) ValidateObject(_ context.Context, req validator.ObjectRequest, resp *validator.ObjectResponse) {
	if req.ConfigValue.IsNull() || isUnknown(req.ConfigValue) {
		return
	}
	_, err := Of(req.ConfigValue)
	if fault, is := errors.AsType[*readiness.InputError](err); is {
		resp.Diagnostics.AddAttributeError(req.Path.AtName(fault.Attribute), "Invalid Wait", req.Path.String()+"."+fault.Error())
	}
}

// isUnknown reports whether a part of the attribute is unknown.
func isUnknown(value types.Object) bool {
	return value.IsUnknown() || slices.ContainsFunc(slices.Collect(maps.Values(value.Attributes())), func(part attr.Value) bool {
		all, _ := part.(types.Map)
		return part.IsUnknown() || slices.ContainsFunc(slices.Collect(maps.Values(all.Elements())), attr.Value.IsUnknown)
	})
}
