// Package exports contains the attributes with which a resource passes on values of its object: exports and values, and
// the same two for secret values. Each name in exports is a key of values.
//
// A plan leaves the values unknown that the apply may change: values of new names, and of fields for which the
// configuration or the cluster contains another value. The other values stay known: resources that use them do not
// change in the plan. The next read shows their live values.
package exports

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

// Attribute and sensitiveAttribute are the names of the arguments.
const (
	Attribute          = "exports"
	sensitiveAttribute = "sensitive_exports"
)

// Attributes returns the attributes exports, values, and the same two for secret values.
func Attributes() map[string]schema.Attribute {
	given := schema.MapAttribute{
		Optional: true, ElementType: types.StringType,
		Validators: []validator.Map{pathsValidator{"paths of single fields"}},
	}
	return map[string]schema.Attribute{
		Attribute: given, sensitiveAttribute: given,
		"values":           schema.MapAttribute{Computed: true, ElementType: types.StringType},
		"sensitive_values": schema.MapAttribute{Computed: true, Sensitive: true, ElementType: types.StringType},
	}
}

// pathsValidator accepts paths that name one field.
type pathsValidator struct{ validators.Described }

func (pathsValidator) ValidateMap(_ context.Context, req validator.MapRequest, resp *validator.MapResponse) {
	for name, element := range req.ConfigValue.Elements() {
		text, isText := element.(types.String)
		if !isText || text.IsUnknown() {
			continue
		}
		if fault := check(text); fault != "" {
			at := req.Path.AtMapKey(name)
			resp.Diagnostics.Append(invalid.FieldPath(at, at.String(), fault))
		}
	}
}

// check returns the mistake in one path, and advice; "" if the path is valid.
func check(text types.String) string {
	if text.IsNull() {
		return "the path is null.\n\nRemove the name, or write a path."
	}
	pattern, err := paths.ParseArgument(text.ValueString())
	switch {
	case err != nil:
		return err.Error()
	case pattern.HasWildcard():
		return text.ValueString() + " may name several fields.\n\nWrite the path of one field: a list item by its " +
			"keys or its position."
	default:
		return ""
	}
}
