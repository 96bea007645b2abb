package ownershipdatasource

import (
	"context"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
)

var (
	apiVersion = stringvalidator.RegexMatches(regexp.MustCompile(`^([^/\s]+/)?[^/\s]+$`), `must be a version or group/version, "v1" or "apps/v1" for instance`)
	kind       = stringvalidator.RegexMatches(regexp.MustCompile(`^[^/\s]+$`), `must be a kind, "Deployment" for instance`)
	manager    = stringvalidator.RegexMatches(regexp.MustCompile(`^[^*]*\*?$`), "may have one *, at its end")
	name       = checked{what: "the name of an object", check: func(text string) string {
		if text == "" {
			return "must not be empty"
		}
		return strings.Join(content.IsPathSegmentName(text), ", ")
	}}
	namespace = checked{what: "the name of a namespace", check: func(text string) string {
		return strings.Join(validation.IsDNS1123Label(text), ", ")
	}}
	fieldPath = checked{what: "a field path", check: func(text string) string {
		if _, err := paths.Parse(text); err != nil {
			return err.Error()
		}
		return ""
	}}
)

// checked accepts the texts in which check finds no problem.
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
