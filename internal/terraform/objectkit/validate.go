package objectkit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// ValidateConfig refuses pin_fields that contradict another argument, and list_lengths that contradict the manifest.
func (r *Resource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	if r.IsPart {
		r.validatePart(ctx, req, resp)
		return
	}
	var given map[string]tftypes.Value
	if err := req.Config.Raw.As(&given); err != nil || given["pin_fields"].IsNull() && given[ListLengthsAttribute].IsNull() {
		return // The other attributes have their own validators. Parsing the manifest again would take longer than those.
	}
	config := Model{resource: r}
	resp.Diagnostics.Append(config.read(ctx, req.Config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	// Values that are unknown, or that the validator of their attribute refuses, are left out here.
	parsed, _ := config.manifest()
	intent := intents.Intent{
		Manifest:  parsed,
		Pin:       record.PatternsOf(sortedTexts(config.PinFields)),
		Ignore:    record.PatternsOf(config.ignoreTexts()),
		Sensitive: record.PatternsOf(sortedTexts(config.SensitiveFields)),
	}
	r = r.speakingOf(config)
	for _, refused := range intent.CheckPins() {
		resp.Diagnostics.Append(r.Words.Unpinnable(refused))
	}
	if !config.limitsKnown() {
		return
	}
	intent.Lengths = config.listLengths()
	for _, refused := range intent.CheckLengths() {
		resp.Diagnostics.Append(r.Words.WrongLength(refused))
	}
}

// validatePart refuses a body that names another object than target, and other arguments that contradict each other.
func (r *Resource) validatePart(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	config := Model{resource: r}
	resp.Diagnostics.Append(config.read(ctx, req.Config)...)
	if resp.Diagnostics.HasError() || isUnknown(config.Target) || config.YAMLBody.IsUnknown() || !config.namesObject() || isUnknown(config.Patch) || config.Subresource.IsUnknown() || config.isRefusedPart() {
		return
	}
	part, err := config.manifest()
	if err != nil {
		resp.Diagnostics.AddAttributeError(path.Root(config.bodyAttribute()), "Invalid Manifest", config.bodyAttribute()+": "+err.Error())
		return
	}
	if secret := part.IsSecret() || len(config.SensitiveFields.Elements()) > 0 || !config.YAMLBodyWO.IsNull(); secret && config.OnDestroy.ValueString() == restoreFields {
		resp.Diagnostics.AddAttributeError(path.Root("on_destroy"), "Invalid Attribute Value", "on_destroy = \"restore\" would store the values from before "+
			"the patch in the state, and values of this patch are secret.\n\nUse \"remove\" or \"release\".")
	}
	if patch, err := config.patch(); err != nil {
		resp.Diagnostics.AddAttributeError(path.Root(PatchAttribute).AtName("body"), "Invalid Patch", "patch: "+err.Error())
	} else if patch != nil {
		return
	}
	remove := record.PatternsOf(sortedTexts(config.RemoveFields))
	for _, index := range projection.SplitBody(part.Object, remove, nil).Matched {
		resp.Diagnostics.AddAttributeError(path.Root("remove_fields"), "Invalid Field Path", "remove_fields: "+remove[index].String()+
			" covers a field of "+config.bodyAttribute()+", which the apply would set and remove.\n\nRemove it from one of the two.")
	}
}
