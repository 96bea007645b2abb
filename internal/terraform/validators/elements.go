package validators

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
)

// Elements validates the strings in a list or a set, and the keys of a map.
type Elements struct {
	Described
	// needed is true if the collection must not be empty.
	needed bool
	each   []validator.String
}

// Each accepts collections whose strings the validators accept, and that contain neither nulls nor a string twice.
func Each(accept ...validator.String) Elements {
	return Elements{Described: "valid elements", each: accept}
}

// EachOfSome does what [Each] does, and refuses an empty collection.
func EachOfSome(accept ...validator.String) Elements {
	return Elements{Described: "at least one valid element", needed: true, each: accept}
}

// ValidateSet implements validator.Set.
func (e Elements) ValidateSet(ctx context.Context, req validator.SetRequest, resp *validator.SetResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	place := func(_ int, element attr.Value) path.Path { return req.Path.AtSetValue(element) }
	resp.Diagnostics.Append(e.all(ctx, req.Config, req.Path, req.ConfigValue.Elements(), place)...)
}

// ValidateList implements validator.List.
func (e Elements) ValidateList(ctx context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	place := func(i int, _ attr.Value) path.Path { return req.Path.AtListIndex(i) }
	resp.Diagnostics.Append(e.all(ctx, req.Config, req.Path, req.ConfigValue.Elements(), place)...)
}

// all returns the errors about the elements of a collection at a path, each of which has its place.
func (e Elements) all(
	ctx context.Context, config tfsdk.Config, at path.Path, elements []attr.Value,
	place func(position int, element attr.Value) path.Path,
) diag.Diagnostics {
	diags := e.collection(at, elements)
	for i, element := range elements {
		diags.Append(e.element(ctx, config, place(i, element), element)...)
	}
	return diags
}

// ValidateMap implements validator.Map.
func (e Elements) ValidateMap(ctx context.Context, req validator.MapRequest, resp *validator.MapResponse) {
	for key := range req.ConfigValue.Elements() {
		resp.Diagnostics.Append(e.element(ctx, req.Config, req.Path.AtMapKey(key), types.StringValue(key))...)
	}
}

// collection returns the errors about the elements together.
func (e Elements) collection(at path.Path, elements []attr.Value) diag.Diagnostics {
	var diags diag.Diagnostics
	if e.needed && len(elements) == 0 {
		diags.Append(invalid.Value(at, at.String()+" is empty.\n\nWrite at least one value."))
	}
	seen := map[string]int{}
	for _, element := range elements {
		switch text, _ := element.(types.String); {
		case text.IsUnknown():
		case element.IsNull():
			diags.Append(invalid.Value(at, at.String()+": a value is null.\n\nRemove it."))
		default:
			if seen[text.ValueString()]++; seen[text.ValueString()] == 2 {
				diags.Append(invalid.Value(at,
					fmt.Sprintf("%s contains %s twice.\n\nRemove one of them.", at, element)))
			}
		}
	}
	return diags
}

func (e Elements) element(ctx context.Context, config tfsdk.Config, at path.Path, element attr.Value) diag.Diagnostics {
	text, isText := element.(types.String)
	if !isText {
		return nil
	}
	var diags diag.Diagnostics
	req := validator.StringRequest{Path: at, PathExpression: at.Expression(), Config: config, ConfigValue: text}
	for _, accept := range e.each {
		var resp validator.StringResponse
		accept.ValidateString(ctx, req, &resp)
		diags.Append(resp.Diagnostics...)
	}
	return diags
}
