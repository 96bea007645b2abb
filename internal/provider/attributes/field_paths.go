package attributes

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
)

// FieldPathsValidator returns a validator of a set of field paths; attribute is its name, for errors.
func FieldPathsValidator(attribute string) validator.Set { return fieldPathsValidator{attribute} }

// IgnoreFieldsValidator returns a validator of ignore_fields: paths that do not name the object's identity.
func IgnoreFieldsValidator() validator.Set { return ignoreFieldsValidator{} }

// fieldPathsValidator accepts paths that parse.
type fieldPathsValidator struct{ attribute string }

func (fieldPathsValidator) Description(context.Context) string { return "field paths" }

func (v fieldPathsValidator) MarkdownDescription(ctx context.Context) string {
	return v.Description(ctx)
}

func (v fieldPathsValidator) ValidateSet(_ context.Context, req validator.SetRequest, resp *validator.SetResponse) {
	for _, element := range req.ConfigValue.Elements() {
		v.pattern(element, req.Path, resp)
	}
}

// pattern returns a path of the set; without one where the text is not known, or refused.
func (v fieldPathsValidator) pattern(element attr.Value, set path.Path, resp *validator.SetResponse) (pattern paths.Pattern, at path.Path, ok bool) {
	text, isText := element.(types.String)
	if !isText || text.IsUnknown() {
		return paths.Pattern{}, at, false
	}
	at = set.AtSetValue(text)
	if text.IsNull() {
		resp.Diagnostics.AddAttributeError(at, "Invalid Field Path", v.attribute+": a path is null.\n\nRemove it.")
		return paths.Pattern{}, at, false
	}
	pattern, err := paths.Parse(text.ValueString())
	if err != nil {
		resp.Diagnostics.AddAttributeError(at, "Invalid Field Path", v.attribute+": "+err.Error())
		return paths.Pattern{}, at, false
	}
	return pattern, at, true
}

// ignoreFieldsValidator accepts paths that parse and do not name the object's identity.
type ignoreFieldsValidator struct{}

// identityFields cannot be ignored: they identify the object.
var identityFields = []paths.Path{
	{paths.Field("apiVersion")},
	{paths.Field("kind")},
	{paths.Field("metadata"), paths.Field("name")},
	{paths.Field("metadata"), paths.Field("namespace")},
}

func (ignoreFieldsValidator) Description(context.Context) string { return "field paths" }

func (v ignoreFieldsValidator) MarkdownDescription(ctx context.Context) string {
	return v.Description(ctx)
}

func (ignoreFieldsValidator) ValidateSet(_ context.Context, req validator.SetRequest, resp *validator.SetResponse) {
	for _, element := range req.ConfigValue.Elements() {
		if pattern, at, ok := (fieldPathsValidator{"ignore_fields"}).pattern(element, req.Path, resp); ok {
			checkIdentity(pattern, at, resp)
		}
	}
}

func checkIdentity(pattern paths.Pattern, at path.Path, resp *validator.SetResponse) {
	if pattern.Match(identityFields[0]) && pattern.Match(identityFields[1]) {
		resp.Diagnostics.AddAttributeError(at, "Invalid Field Path",
			"ignore_fields: "+pattern.String()+" covers the whole object, and its identity cannot be ignored.\n\n"+
				"Name the fields to leave to others, spec or spec.replicas for instance.")
		return
	}
	for _, identity := range identityFields {
		if pattern.Match(identity) && !pattern.Match(identity[:1]) || len(identity) == 1 && pattern.Match(identity) {
			resp.Diagnostics.AddAttributeError(at, "Invalid Field Path",
				"ignore_fields: "+pattern.String()+" is part of the object's identity and cannot be ignored.\n\nRemove it.")
			return
		}
	}
}
