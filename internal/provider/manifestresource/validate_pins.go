package manifestresource

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
)

// ValidateConfig refuses pin_fields that another argument decides about.
func (r *manifestResource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var config model
	resp.Diagnostics.Append(config.read(ctx, req.Config)...)
	if resp.Diagnostics.HasError() || config.PinFields.IsNull() || config.PinFields.IsUnknown() {
		return
	}
	texts := sortedTexts(config.PinFields)
	pin, err := paths.ParseAll(texts)
	if err != nil {
		return // The attribute's own validator says so.
	}
	refuse := func(text, problem string) {
		resp.Diagnostics.Append(diag.NewAttributeErrorDiagnostic(path.Root("pin_fields"), "Invalid Field Path", "pin_fields: "+text+" "+problem))
	}
	for _, text := range texts {
		if covering := coveredBy(text, sortedTexts(config.IgnoreFields)); covering != "" {
			refuse(text, "is left to others by "+covering+" in ignore_fields.\n\nRemove it from one of the two: pin_fields holds the value, ignore_fields never does.")
		}
		if covering := coveredBy(text, sortedTexts(config.SensitiveFields)); covering != "" {
			refuse(text, "is secret by "+covering+" in sensitive_fields, and pinned values are stored in the state.\n\nRemove it.")
		}
	}
	parsed, err := manifest.Parse(config.YAMLBody.ValueString())
	if !known(config.YAMLBody) || err != nil {
		return
	}
	for _, index := range projection.SplitBody(parsed.Object, pin, nil).Matched {
		refuse(texts[index], "is in yaml_body.\n\nRemove it from one of the two: yaml_body sets a value, pin_fields holds the value that somebody else sets.")
	}
	if !parsed.IsSecret() {
		return
	}
	for _, text := range texts {
		if coveredBy(text, manifest.SecretFields()) != "" {
			refuse(text, "is secret, and pinned values are stored in the state.\n\nRemove it.")
		}
	}
}

// coveredBy returns the first of fields that text is, or is a part of; "" where there is none.
func coveredBy(text string, fields []string) string {
	for _, field := range fields {
		rest, starts := strings.CutPrefix(text, field)
		if starts && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return field
		}
	}
	return ""
}
