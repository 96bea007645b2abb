package manifestresource

import (
	"context"
	"errors"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
)

// bodyValidator accepts one parseable manifest.
type bodyValidator struct{}

func (bodyValidator) Description(context.Context) string {
	return "one YAML document with apiVersion, kind and metadata.name"
}

func (v bodyValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (bodyValidator) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	_, err := manifest.Parse(req.ConfigValue.ValueString())
	var fault *manifest.Error
	if errors.As(err, &fault) {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid Manifest",
			req.Path.String()+": "+fault.Problem+".\n\n"+fault.Suggestion)
	}
}

// partialValidator validates a part of a manifest. Its errors quote nothing of it.
type partialValidator struct{}

func (partialValidator) Description(context.Context) string {
	return "one YAML document with fields of an object"
}

func (v partialValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (partialValidator) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	_, err := manifest.ParsePartial(req.ConfigValue.ValueString())
	var fault *manifest.Error
	if errors.As(err, &fault) {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid Manifest",
			req.Path.String()+": "+fault.Problem+".\n\n"+fault.Suggestion)
	}
}

// fieldsValidator accepts paths that parse.
type fieldsValidator struct {
	attribute string
}

func (fieldsValidator) Description(context.Context) string { return "field paths" }

func (v fieldsValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (v fieldsValidator) ValidateSet(_ context.Context, req validator.SetRequest, resp *validator.SetResponse) {
	for _, element := range req.ConfigValue.Elements() {
		v.pattern(element, req.Path, resp)
	}
}

// pattern returns a path of the set; without one where the text is not known, or refused.
func (v fieldsValidator) pattern(element attr.Value, set path.Path, resp *validator.SetResponse) (pattern paths.Pattern, at path.Path, ok bool) {
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
		if pattern, at, ok := (fieldsValidator{attribute: "ignore_fields"}).pattern(element, req.Path, resp); ok {
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

// nameForm says which names of managers an attribute takes.
type nameForm string

const (
	exactName    nameForm = "exact"
	mayEndInStar nameForm = "may end in *"
)

// managerValidator accepts the name of a manager, 1 to 128 characters.
func managerValidator(form nameForm) validator.String {
	star := stringvalidator.RegexMatches(regexp.MustCompile(`^[^*]*\*?$`), "may have one *, at its end")
	if form == exactName {
		star = stringvalidator.RegexMatches(regexp.MustCompile(`^[^*]*$`), "must be the whole name of a manager, without *")
	}
	return stringvalidator.All(stringvalidator.LengthBetween(1, 128), star)
}

// keepEqualBody plans the prior text where the new one means the same manifest.
type keepEqualBody struct{}

func (keepEqualBody) Description(context.Context) string {
	return "An edit that changes only the formatting plans nothing."
}

func (m keepEqualBody) MarkdownDescription(ctx context.Context) string { return m.Description(ctx) }

func (keepEqualBody) PlanModifyString(_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	if req.StateValue.IsNull() || req.PlanValue.IsUnknown() {
		return
	}
	if manifest.EqualText(req.StateValue.ValueString(), req.PlanValue.ValueString()) {
		resp.PlanValue = req.StateValue
	}
}
