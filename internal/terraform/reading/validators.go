package reading

import (
	"context"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/listing"
)

// The validators of selectors.
var (
	LabelSelector = Checked("a label selector", func(text string) string {
		_, err := labels.Parse(text)
		return problem(err)
	})
	FieldSelector = Checked("a field selector", func(text string) string {
		_, err := fields.ParseSelector(text)
		return problem(err)
	})
)

func problem(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// The validators of arguments that name objects.
var (
	APIVersion = stringvalidator.RegexMatches(regexp.MustCompile(`^([^/\s]+/)?[^/\s]+$`), `must be a version or group/version, "v1" or "apps/v1" for instance`)
	Kind       = stringvalidator.RegexMatches(regexp.MustCompile(`^[^/\s]+$`), `must be a kind, "Deployment" for instance`)
	name       = Checked("the name of an object", func(text string) string {
		if text == "" {
			return "must not be empty"
		}
		return strings.Join(content.IsPathSegmentName(text), ", ")
	})
	Namespace = Checked("the name of a namespace", func(text string) string {
		return strings.Join(validation.IsDNS1123Label(text), ", ")
	})
)

// KindWithVersion accepts a kind, with or without its API version.
var KindWithVersion = Checked("a kind", func(text string) string {
	if _, ok := listing.ParseKind(text); !ok {
		return `write "Deployment" or "apps/v1 Deployment"`
	}
	return ""
})

// Checked returns a validator that accepts the strings in which check finds no problem.
func Checked(what string, check func(text string) string) validator.String {
	return checked{what, check}
}

type checked struct {
	what  string
	check func(text string) string
}

func (c checked) Description(context.Context) string { return c.what }

func (c checked) MarkdownDescription(ctx context.Context) string { return c.Description(ctx) }

func (c checked) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if problem := c.check(req.ConfigValue.ValueString()); problem != "" {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid Attribute Value", req.Path.String()+" is not "+c.what+": "+problem+".")
	}
}
