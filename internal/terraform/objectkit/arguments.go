package objectkit

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/deletion"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patches"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/registry"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
)

// restoreFields is the value of on_destroy with which a destroy gives the fields of a part their values from before.
const restoreFields = "restore"

// target returns the object that a part belongs to.
func (m Model) target() manifest.Identity {
	id := attributes.TargetOf(m.Target)
	id.Subresource = m.Subresource.ValueString()
	return id
}

// partText returns the fields that a part applies. One that only removes fields applies none.
func (m Model) partText() string {
	if m.YAMLBody.IsNull() {
		return "{}"
	}
	return m.YAMLBody.ValueString()
}

// isRefusedPart reports whether the validator of yaml_body or manifest refuses the fields of a part.
func (m Model) isRefusedPart() bool {
	written, err := attributes.DecodeObject(m.Manifest)
	return err != nil || manifest.CheckPartOf(written.Object) != nil || manifest.CheckPart(m.partText()) != nil
}

// isImported reports whether the state comes from an import and no read has filled it in yet.
func (m Model) isImported() bool {
	return m.YAMLBody.IsNull() && m.Manifest.IsNull() && (!m.resource.IsPart || m.RemoveFields.IsNull() && m.Patch.IsNull())
}

// bodyAttribute returns the name of the attribute that has the fields to apply.
func (m Model) bodyAttribute() string {
	if m.Manifest.IsNull() {
		return "yaml_body"
	}
	return ManifestAttribute
}

// keepEqualManifest keeps the manifest of the state if the new one differs only in types or nulls, and no other argument
// changes. If another argument changes, the CLI plans again during the apply, and that plan must have the same manifest as
// this one.
func (m *Model) keepEqualManifest(state *Model, round registry.Round) {
	if state == nil || m.Manifest.IsNull() || state.Manifest.IsNull() || round != registry.FirstRound {
		return
	}
	before, _ := attributes.DecodeObject(state.Manifest)
	now, err := attributes.DecodeObject(m.Manifest)
	if err != nil || len(now.Undecided) > 0 || !manifest.Equal(manifest.Manifest{Object: before.Object}, manifest.Manifest{Object: now.Object}) {
		return
	}
	kept := *m
	kept.Manifest = state.Manifest
	if kept.equal(*state) {
		m.Manifest = state.Manifest
	}
}

// undecided returns the values of manifest that are not known yet.
func (m Model) undecided() []intents.Undecided {
	written, _ := attributes.DecodeObject(m.Manifest)
	return written.Undecided
}

// namesObject reports whether all values in manifest that name the object are known.
func (m Model) namesObject() bool {
	return !slices.ContainsFunc(m.undecided(), intents.Undecided.NamesObject)
}

// setTarget sets the object that a part belongs to.
func (m *Model) setTarget(id manifest.Identity) {
	m.Target = types.ObjectValueMust(
		map[string]attr.Type{"api_version": types.StringType, "kind": types.StringType, "namespace": types.StringType, "name": types.StringType},
		map[string]attr.Value{
			"api_version": types.StringValue(id.APIVersion), "kind": types.StringValue(id.Kind),
			"namespace": orNull(id.Namespace), "name": types.StringValue(id.Name),
		})
}

// releases reports whether a destroy leaves the object on the cluster.
func (m Model) releases() bool { return m.OnDestroy.ValueString() == string(deletion.ReleaseObject) }

// isUnknown reports whether a value, or an attribute of it, is unknown.
func isUnknown(value attr.Value) bool {
	object, _ := value.(types.Object)
	return value.IsUnknown() || slices.ContainsFunc(slices.Collect(maps.Values(object.Attributes())), attr.Value.IsUnknown)
}

// limitsKnown reports whether all of list_lengths is known.
func (m Model) limitsKnown() bool {
	return !isUnknown(m.ListLengths) && !slices.ContainsFunc(slices.Collect(maps.Values(m.ListLengths.Elements())), isUnknown)
}

// listLengths returns the limits in order of their paths, without those with an invalid path.
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

// ListLengthsAttribute is the name of the attribute with the limits of lists.
const ListLengthsAttribute = "list_lengths"

// ManifestAttribute is the name of the attribute with an object instead of a text.
const ManifestAttribute = "manifest"

// PatchAttribute is the name of the attribute with a patch that is not server-side apply.
const PatchAttribute = "patch"

// patch returns the patch of a part; nil where it has none.
func (m Model) patch() (*patches.Patch, error) {
	if m.Patch.IsNull() || isUnknown(m.Patch) {
		return nil, nil
	}
	kind, _ := m.Patch.Attributes()["type"].(types.String)
	body, _ := m.Patch.Attributes()["body"].(types.String)
	patch, err := patches.ParseFor(m.Subresource.ValueString(), patches.Type(kind.ValueString()), body.ValueString())
	if err != nil {
		return nil, err
	}
	return &patch, nil
}

func known(value attr.Value) bool { return !value.IsNull() && !value.IsUnknown() }

func sortedTexts(set types.Set) []string {
	texts := textsOf(set.Elements())
	slices.Sort(texts)
	return texts
}

func textsOf(elements []attr.Value) []string {
	var texts []string
	for _, element := range elements {
		if text, ok := element.(types.String); ok {
			texts = append(texts, text.ValueString())
		}
	}
	return texts
}
