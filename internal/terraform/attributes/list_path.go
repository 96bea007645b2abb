package attributes

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
)

// ListPathValidator returns a validator of a key of list_lengths: a path of a list whose length can be limited.
func ListPathValidator() validator.String { return listPathValidator{} }

type listPathValidator struct{}

func (listPathValidator) Description(context.Context) string { return "the path of a list" }

func (v listPathValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (listPathValidator) ValidateString(
	_ context.Context, req validator.StringRequest, resp *validator.StringResponse,
) {
	refuse := func(problem string) {
		resp.Diagnostics.Append(invalid.FieldPath(req.Path, "list_lengths", problem))
	}
	pattern, err := paths.ParseArgument(req.ConfigValue.ValueString())
	if err != nil {
		refuse(err.Error())
		return
	}
	if pattern.IsEntry() {
		refuse(pattern.String() + " selects entries of a list.\n\nWrite the path of the list itself, for example " +
			"spec.ports.")
		return
	}
	for _, check := range []func(paths.Pattern) string{checkIdentity("have a length"),
		checkServerOwned("have a length")} {
		if problem := check(pattern); problem != "" {
			refuse(pattern.String() + problem)
			return
		}
	}
}
