package objectkit

import (
	"context"

	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
)

// ValidateConfig refuses pin_fields that another argument decides about, and list_lengths that the manifest contradicts.
func (r *Resource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	if r.IsPart {
		r.validatePart(ctx, req, resp)
		return
	}
	var given map[string]tftypes.Value
	if err := req.Config.Raw.As(&given); err != nil || given["pin_fields"].IsNull() && given[ListLengthsAttribute].IsNull() {
		return // The other attributes have validators of their own. To parse the manifest again takes longer than they do.
	}
	config := Model{resource: r}
	resp.Diagnostics.Append(config.read(ctx, req.Config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	// What is not known, or is refused by the validator of its own attribute, is empty.
	parsed, _ := manifest.Parse(config.YAMLBody.ValueString())
	intent := intents.Intent{
		Manifest:  parsed,
		Pin:       record.PatternsOf(sortedTexts(config.PinFields)),
		Ignore:    record.PatternsOf(config.ignoreTexts()),
		Sensitive: record.PatternsOf(sortedTexts(config.SensitiveFields)),
	}
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

// ListLengthsAttribute is the name of the attribute with the limits of lists.
const ListLengthsAttribute = "list_lengths"

// listLengths returns the limits in order of their paths, without those whose path validation refuses.
func (m Model) listLengths() []intents.ListLength {
	var limits []intents.ListLength
	elements := m.ListLengths.Elements()
	for _, text := range slices.Sorted(maps.Keys(elements)) {
		limit, _ := elements[text].(types.Object)
		pattern, err := paths.Parse(text)
		if err != nil || limit.IsNull() {
			continue
		}
		number := func(name string) int {
			value, _ := limit.Attributes()[name].(types.Int64)
			return int(value.ValueInt64())
		}
		enforce, _ := limit.Attributes()["enforce"].(types.Bool)
		limits = append(limits, intents.ListLength{Pattern: pattern, Min: number("min"), Max: number("max"), Enforce: enforce.ValueBool()})
	}
	return limits
}

// limitsKnown reports whether all of list_lengths is known.
func (m Model) limitsKnown() bool {
	return !isUnknown(m.ListLengths) && !slices.ContainsFunc(slices.Collect(maps.Values(m.ListLengths.Elements())), isUnknown)
}

// isUnknown reports whether a value, or an attribute of it, is unknown.
func isUnknown(value attr.Value) bool {
	object, _ := value.(types.Object)
	return value.IsUnknown() || slices.ContainsFunc(slices.Collect(maps.Values(object.Attributes())), attr.Value.IsUnknown)
}
