package objectkit

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
)

// Model has the attributes of all resources that embed Resource. Each resource uses those of its schema.
type Model struct {
	ID       types.String `tfsdk:"id"`
	Target   types.Object `tfsdk:"target"`
	YAMLBody types.String `tfsdk:"yaml_body"`
	// Manifest is an object of the configuration instead of the text of yaml_body.
	Manifest types.Dynamic `tfsdk:"manifest"`
	// Patch is what a part sends instead of yaml_body.
	Patch types.Object `tfsdk:"patch"`
	// Subresource is the subresource that a part applies to.
	Subresource types.String `tfsdk:"subresource"`
	// RemoveFields are the fields that a part takes away.
	RemoveFields types.Set `tfsdk:"remove_fields"`
	// YAMLBodyWO is null except in the configuration; see writeOnly.
	YAMLBodyWO        types.String   `tfsdk:"yaml_body_wo"`
	YAMLBodyWOVersion types.String   `tfsdk:"yaml_body_wo_version"`
	SensitiveFields   types.Set      `tfsdk:"sensitive_fields"`
	FieldManager      types.String   `tfsdk:"field_manager"`
	IgnoreFields      types.Set      `tfsdk:"ignore_fields"`
	IgnoreManagers    types.Set      `tfsdk:"ignore_managers"`
	PinFields         types.Set      `tfsdk:"pin_fields"`
	Repin             types.String   `tfsdk:"repin"`
	ListLengths       types.Map      `tfsdk:"list_lengths"`
	TakeOver          types.List     `tfsdk:"take_over_managers"`
	OnConflict        types.String   `tfsdk:"on_conflict"`
	AdoptExisting     types.Bool     `tfsdk:"adopt_existing"`
	OnDestroy         types.String   `tfsdk:"on_destroy"`
	Propagation       types.String   `tfsdk:"delete_propagation"`
	ForceDestroy      types.Bool     `tfsdk:"force_destroy"`
	Protection        types.Bool     `tfsdk:"delete_protection"`
	ObjectRef         types.Object   `tfsdk:"object_ref"`
	FieldOwnership    types.Map      `tfsdk:"field_ownership"`
	CoOwners          types.Map      `tfsdk:"co_owners"`
	ManagedState      types.Map      `tfsdk:"managed_state"`
	Pinned            types.Map      `tfsdk:"pinned"`
	AddedFields       types.Set      `tfsdk:"added_fields"`
	FieldsToRemove    types.Map      `tfsdk:"fields_to_remove"`
	Wait              types.Object   `tfsdk:"wait"`
	Ready             types.Bool     `tfsdk:"ready"`
	Exports           types.Map      `tfsdk:"exports"`
	Values            types.Map      `tfsdk:"values"`
	SensitiveExports  types.Map      `tfsdk:"sensitive_exports"`
	SensitiveValues   types.Map      `tfsdk:"sensitive_values"`
	Timeouts          timeouts.Value `tfsdk:"timeouts"`

	attributes.Connection

	// writeOnly is the configuration's yaml_body_wo.
	writeOnly types.String
	// sent is the intent with the live values that are sent instead of those of writeOnly; nil without such values.
	sent *intents.Intent
	// absent are the names of the attributes that the schema of the resource does not have.
	absent []string
	// resource is the resource that the model belongs to.
	resource *Resource
}

var (
	refTypes = map[string]attr.Type{
		"api_version": types.StringType, "kind": types.StringType, "namespace": types.StringType,
		"name": types.StringType, "uid": types.StringType,
	}
	coOwnersType = types.ListType{ElemType: types.StringType}
)

// argumentsKnown reports whether everything that an intent is made of is known.
func (m Model) argumentsKnown() bool {
	all := []attr.Value{
		m.Target, m.YAMLBody, m.Manifest, m.Patch, m.Subresource, m.RemoveFields, m.FieldManager, m.OnConflict, m.AdoptExisting, m.IgnoreFields, m.IgnoreManagers, m.TakeOver, m.SensitiveFields,
		m.YAMLBodyWOVersion, m.PinFields, m.Repin,
	}
	all = slices.Concat(all, m.RemoveFields.Elements(), m.PinFields.Elements(), m.IgnoreFields.Elements(), m.IgnoreManagers.Elements(), m.TakeOver.Elements(), m.SensitiveFields.Elements())
	return m.namesObject() && m.limitsKnown() && !isUnknown(m.Target) && !isUnknown(m.Patch) && !slices.ContainsFunc(all, attr.Value.IsUnknown)
}

// intent returns the intent of the configuration. Validation has accepted the texts before.
func (m Model) intent() (intents.Intent, diag.Diagnostics) {
	var diags diag.Diagnostics
	parsed, err := m.manifest()
	if err != nil {
		diags.AddAttributeError(path.Root(m.bodyAttribute()), "Invalid Manifest", m.bodyAttribute()+": "+err.Error())
	}
	patch, err := m.patch()
	if err != nil {
		diags.AddAttributeError(path.Root(PatchAttribute), "Invalid Patch", err.Error())
	}
	ignore, err := paths.ParseAll(m.ignoreTexts())
	if err != nil {
		diags.AddError("Invalid Field Path", "ignore_fields: "+err.Error())
	}
	sensitive, err := paths.ParseAll(sortedTexts(m.SensitiveFields))
	if err != nil {
		diags.AddError("Invalid Field Path", "sensitive_fields: "+err.Error())
	}
	pin, err := paths.ParseAll(sortedTexts(m.PinFields))
	if err != nil {
		diags.AddError("Invalid Field Path", "pin_fields: "+err.Error())
	}
	remove, err := paths.ParseAll(sortedTexts(m.RemoveFields))
	if err != nil {
		diags.AddError("Invalid Field Path", "remove_fields: "+err.Error())
	}
	intent, faults := m.mergeWriteOnly(intents.Intent{
		Manifest:       parsed,
		Undecided:      intents.UndecidedOf(parsed.Identity, m.undecided()),
		Patch:          patch,
		Ignore:         record.PatternsFor(parsed.Identity, ignore),
		Sensitive:      record.PatternsFor(parsed.Identity, sensitive),
		FieldManager:   m.FieldManager.ValueString(),
		OnConflict:     m.onConflict(),
		Existing:       m.existing(),
		TakeOver:       m.takeOver(),
		IgnoreManagers: textsOf(m.IgnoreManagers.Elements()),
		Pin:            pin,
		Repin:          m.Repin.ValueString(),
		Lengths:        m.listLengths(),
		IsPart:         m.resource.IsPart,
		Remove:         remove,
		Restores:       m.OnDestroy.ValueString() == restoreFields,
	})
	diags.Append(faults...)
	return intent, diags
}

// manifest returns what is applied.
func (m Model) manifest() (manifest.Manifest, error) {
	written, err := attributes.DecodeObject(m.Manifest)
	switch {
	case err != nil:
		return manifest.Manifest{}, err
	case m.resource.IsPart && written.Object != nil:
		return manifest.PartOf(written.Object, m.target())
	case m.resource.IsPart:
		return manifest.ParsePart(m.partText(), m.target())
	case written.Object != nil:
		return manifest.Of(written.Object)
	}
	return manifest.Parse(m.YAMLBody.ValueString())
}

func (m Model) onConflict() intents.ConflictPolicy {
	if m.OnConflict.IsNull() {
		return intents.Force
	}
	return intents.ConflictPolicy(m.OnConflict.ValueString())
}

func (m Model) existing() intents.ExistingPolicy {
	if m.AdoptExisting.ValueBool() {
		return intents.Adopt
	}
	return intents.Refuse
}

// defaultTakeOver are the managers of kubectl's client-side commands, and the manager that the API server records for
// an object that has no managers when it is first applied.
var defaultTakeOver = []string{"kubectl-client-side-apply", "kubectl-create", "before-first-apply"}

func (m Model) takeOver() []string {
	if m.resource.IsPart {
		return []string{m.FieldManager.ValueString()} // A part takes over only what its own manager wrote by update before an import.
	}
	if m.TakeOver.IsNull() {
		return defaultTakeOver
	}
	return textsOf(m.TakeOver.Elements())
}

func (m Model) ignoreTexts() []string { return sortedTexts(m.IgnoreFields) }

func (m Model) settings() record.Settings {
	body := m.YAMLBody.ValueString()
	if m.resource.IsPart || !m.Manifest.IsNull() {
		parsed, _ := m.manifest()
		body = parsed.Text
	}
	patch, _ := m.patch()
	if patch != nil {
		body = patch.Text
	}
	return record.Settings{
		IsPart: m.resource.IsPart, Patch: patch, Remove: sortedTexts(m.RemoveFields), Body: body, Ignore: m.ignoreTexts(), FieldManager: m.FieldManager.ValueString(),
		Sensitive: sortedTexts(m.SensitiveFields), WriteOnlyVersion: m.YAMLBodyWOVersion.ValueString(),
		Pin: sortedTexts(m.PinFields), Repin: m.Repin.ValueString(), Lists: slices.Sorted(maps.Keys(m.ListLengths.Elements())),
	}
}

// prior returns what the state and the snapshot hold of the object.
func (m Model) prior(snapshot record.Snapshot) (record.Prior, diag.Diagnostics) {
	id, diags := m.object()
	planned := m.plannedState()
	return record.Prior{
		Object: id, UID: m.uid(), View: planned.View, ManagedState: planned.ManagedState, Added: sortedTexts(m.AddedFields),
		Snapshot: snapshot, Settings: m.settings(),
	}, diags
}

// readPrior fills the model from a state, and returns what the state and private state hold of the object.
func (m *Model) readPrior(ctx context.Context, state tfsdk.State, private privatestate.PrivateState) (record.Prior, diag.Diagnostics) {
	diags := m.read(ctx, state)
	snapshot, more := privatestate.LoadSnapshot(ctx, private)
	if diags.Append(more...); diags.HasError() {
		return record.Prior{}, diags
	}
	prior, more := m.prior(snapshot)
	diags.Append(more...)
	return prior, diags
}

// object returns the object that id names.
func (m Model) object() (manifest.Identity, diag.Diagnostics) {
	var diags diag.Diagnostics
	id, err := manifest.ParseID(m.ID.ValueString())
	if err != nil {
		diags.AddError("Invalid Import ID", err.Error())
	}
	id.Subresource = m.Subresource.ValueString()
	return id, diags
}

// sameArguments reports whether two models have the same arguments.
func (m Model) sameArguments(other Model) bool {
	arguments := func(m Model) []attr.Value {
		return []attr.Value{
			m.Target, m.YAMLBody, m.Manifest, m.Patch, m.Subresource, m.RemoveFields, m.YAMLBodyWOVersion, m.SensitiveFields, m.Cluster, m.ClusterName, m.FieldManager, m.IgnoreFields, m.IgnoreManagers, m.TakeOver, m.PinFields, m.Repin, m.ListLengths,
			m.OnConflict, m.AdoptExisting, m.OnDestroy, m.Propagation, m.ForceDestroy, m.Protection, m.Timeouts,
			m.Wait, m.Exports, m.SensitiveExports,
		}
	}
	return slices.EqualFunc(arguments(m), arguments(other), attributes.SameValue)
}

// equal reports whether two models are the same for Terraform.
func (m Model) equal(other Model) bool {
	computed := func(m Model) []attr.Value {
		return []attr.Value{m.ID, m.ObjectRef, m.FieldOwnership, m.CoOwners, m.ManagedState, m.Pinned, m.AddedFields, m.FieldsToRemove, m.Ready, m.Values, m.SensitiveValues}
	}
	return m.sameArguments(other) && slices.EqualFunc(computed(m), computed(other), attributes.SameValue)
}

// uid returns the uid of the object; "" if the state has none.
func (m Model) uid() string {
	uid, _ := m.ObjectRef.Attributes()["uid"].(types.String)
	return uid.ValueString()
}

// plannedState returns the computed maps. Those that are null or unknown become empty.
func (m Model) plannedState() prediction.PlannedState {
	f := prediction.PlannedState{ManagedState: map[string]string{}}
	f.View = ownership.View{FieldOwnership: map[string]string{}, CoOwners: map[string][]string{}}
	for field, element := range m.FieldOwnership.Elements() {
		text, _ := element.(types.String)
		if text.IsUnknown() {
			f.UnknownOwners = append(f.UnknownOwners, field)
			continue
		}
		f.View.FieldOwnership[field] = text.ValueString()
	}
	for field, element := range m.CoOwners.Elements() {
		names, _ := element.(types.List)
		f.View.CoOwners[field] = textsOf(names.Elements())
	}
	for field, element := range m.ManagedState.Elements() {
		text, _ := element.(types.String)
		if text.IsUnknown() {
			f.UnknownValues = append(f.UnknownValues, field)
			continue
		}
		f.ManagedState[field] = text.ValueString()
	}
	return f
}
