package manifestresource

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ssa"
)

type model struct {
	ID       types.String `tfsdk:"id"`
	YAMLBody types.String `tfsdk:"yaml_body"`
	// YAMLBodyWO is null except in the configuration; see writeOnly.
	YAMLBodyWO        types.String   `tfsdk:"yaml_body_wo"`
	YAMLBodyWOVersion types.String   `tfsdk:"yaml_body_wo_version"`
	SensitiveFields   types.Set      `tfsdk:"sensitive_fields"`
	Cluster           types.Object   `tfsdk:"cluster"`
	FieldManager      types.String   `tfsdk:"field_manager"`
	IgnoreFields      types.Set      `tfsdk:"ignore_fields"`
	IgnoreManagers    types.Set      `tfsdk:"ignore_managers"`
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
	Timeouts          timeouts.Value `tfsdk:"timeouts"`

	// writeOnly is the configuration's yaml_body_wo.
	writeOnly types.String
}

var (
	refTypes = map[string]attr.Type{
		"api_version": types.StringType, "kind": types.StringType, "namespace": types.StringType,
		"name": types.StringType, "uid": types.StringType,
	}
	coOwnersType = types.ListType{ElemType: types.StringType}
)

// argumentsKnown says whether everything that an intent is made of is known.
func (m model) argumentsKnown() bool {
	all := []attr.Value{
		m.YAMLBody, m.FieldManager, m.OnConflict, m.AdoptExisting, m.IgnoreFields, m.IgnoreManagers, m.TakeOver, m.SensitiveFields,
		m.YAMLBodyWOVersion,
	}
	all = slices.Concat(all, m.IgnoreFields.Elements(), m.IgnoreManagers.Elements(), m.TakeOver.Elements(), m.SensitiveFields.Elements())
	return !slices.ContainsFunc(all, attr.Value.IsUnknown)
}

// intent is what the configuration asks for. Validation has accepted the texts before.
func (m model) intent() (ssa.Intent, diag.Diagnostics) {
	var diags diag.Diagnostics
	parsed, err := manifest.Parse(m.YAMLBody.ValueString())
	if err != nil {
		diags.AddError("Invalid Manifest", "yaml_body: "+err.Error())
	}
	ignore, err := paths.ParseAll(m.ignoreTexts())
	if err != nil {
		diags.AddError("Invalid Field Path", "ignore_fields: "+err.Error())
	}
	sensitive, err := paths.ParseAll(sortedTexts(m.SensitiveFields))
	if err != nil {
		diags.AddError("Invalid Field Path", "sensitive_fields: "+err.Error())
	}
	intent, faults := m.layOver(ssa.Intent{
		Manifest:       parsed,
		Ignore:         ssa.PatternsFor(parsed.Identity, ignore),
		Sensitive:      ssa.PatternsFor(parsed.Identity, sensitive),
		FieldManager:   m.FieldManager.ValueString(),
		OnConflict:     m.onConflict(),
		Existing:       m.existing(),
		TakeOver:       m.takeOver(),
		IgnoreManagers: textsOf(m.IgnoreManagers.Elements()),
	})
	diags.Append(faults...)
	return intent, diags
}

func (m model) onConflict() ssa.ConflictPolicy {
	if m.OnConflict.IsNull() {
		return ssa.Force
	}
	return ssa.ConflictPolicy(m.OnConflict.ValueString())
}

func (m model) existing() ssa.ExistingPolicy {
	if m.AdoptExisting.ValueBool() {
		return ssa.Adopt
	}
	return ssa.Refuse
}

func (m model) takeOver() []string {
	if m.TakeOver.IsNull() {
		return defaultTakeOver
	}
	return textsOf(m.TakeOver.Elements())
}

func (m model) ignoreTexts() []string { return sortedTexts(m.IgnoreFields) }

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

func (m model) settings() ssa.Settings {
	return ssa.Settings{
		Body: m.YAMLBody.ValueString(), Ignore: m.ignoreTexts(), FieldManager: m.FieldManager.ValueString(),
		Sensitive: sortedTexts(m.SensitiveFields), WriteOnlyVersion: m.YAMLBodyWOVersion.ValueString(),
	}
}

// prior is what the state and the snapshot hold of the object.
func (m model) prior(snapshot ssa.Snapshot) (ssa.Prior, diag.Diagnostics) {
	id, diags := m.object()
	forecast := m.forecast()
	return ssa.Prior{
		Object: id, View: forecast.View, ManagedState: forecast.ManagedState, Snapshot: snapshot, Settings: m.settings(),
	}, diags
}

// object is what id stands for.
func (m model) object() (manifest.Identity, diag.Diagnostics) {
	var diags diag.Diagnostics
	id, err := manifest.ParseID(m.ID.ValueString())
	if err != nil {
		diags.AddError("Invalid Import ID", err.Error())
	}
	return id, diags
}

// sameArguments says whether two models have the same arguments.
func (m model) sameArguments(other model) bool {
	arguments := func(m model) []attr.Value {
		return []attr.Value{
			m.YAMLBody, m.YAMLBodyWOVersion, m.SensitiveFields, m.Cluster, m.FieldManager, m.IgnoreFields, m.IgnoreManagers, m.TakeOver,
			m.OnConflict, m.AdoptExisting, m.OnDestroy, m.Propagation, m.ForceDestroy, m.Protection, m.Timeouts,
		}
	}
	return slices.EqualFunc(arguments(m), arguments(other), attr.Value.Equal)
}

// equal says whether two models are the same for Terraform.
func (m model) equal(other model) bool {
	computed := func(m model) []attr.Value {
		return []attr.Value{m.ID, m.ObjectRef, m.FieldOwnership, m.CoOwners, m.ManagedState}
	}
	return m.sameArguments(other) && slices.EqualFunc(computed(m), computed(other), attr.Value.Equal)
}

// uid is the object's; "" where the state has none.
func (m model) uid() string {
	uid, _ := m.ObjectRef.Attributes()["uid"].(types.String)
	return uid.ValueString()
}

// forecast reads the computed maps; those that are null or unknown are empty.
func (m model) forecast() ssa.Forecast {
	f := ssa.Forecast{ManagedState: map[string]string{}}
	f.View = ownership.View{FieldOwnership: map[string]string{}, CoOwners: map[string][]string{}}
	for field, element := range m.FieldOwnership.Elements() {
		text, _ := element.(types.String)
		if text.IsUnknown() {
			f.Contingent = append(f.Contingent, field)
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
			f.Undisclosed = append(f.Undisclosed, field)
			continue
		}
		f.ManagedState[field] = text.ValueString()
	}
	return f
}

func known(value attr.Value) bool { return !value.IsNull() && !value.IsUnknown() }

// setObject sets id and object_ref; an empty uid is unknown.
func (m *model) setObject(id manifest.Identity, uid string) {
	m.ID = types.StringValue(id.ID())
	namespace, uidValue := types.StringNull(), types.StringUnknown()
	if id.Namespace != "" {
		namespace = types.StringValue(id.Namespace)
	}
	if uid != "" {
		uidValue = types.StringValue(uid)
	}
	m.ObjectRef = types.ObjectValueMust(refTypes, map[string]attr.Value{
		"api_version": types.StringValue(id.APIVersion), "kind": types.StringValue(id.Kind),
		"namespace": namespace, "name": types.StringValue(id.Name), "uid": uidValue,
	})
}

// setForecast sets the three maps.
func (m *model) setForecast(f ssa.Forecast) {
	m.FieldOwnership = stringMap(f.View.FieldOwnership)
	coOwners := make(map[string]attr.Value, len(f.View.CoOwners))
	for field, names := range f.View.CoOwners {
		values := make([]attr.Value, len(names))
		for i, name := range names {
			values[i] = types.StringValue(name)
		}
		coOwners[field] = types.ListValueMust(types.StringType, values)
	}
	m.CoOwners = types.MapValueMust(coOwnersType, coOwners)
	state := make(map[string]attr.Value, len(f.ManagedState))
	for field, value := range f.ManagedState {
		state[field] = types.StringValue(value)
	}
	for _, field := range f.Undisclosed {
		state[field] = types.StringUnknown()
	}
	m.ManagedState = types.MapValueMust(types.StringType, state)
	m.setContingent(f.Contingent)
	if f.Owners == ssa.Unforeseen {
		m.FieldOwnership, m.CoOwners = types.MapUnknown(types.StringType), types.MapUnknown(coOwnersType)
	}
}

// setContingent leaves the owners of fields to the apply. Whether such a field has co-owners then, and so
// an entry in their map, is not known either.
func (m *model) setContingent(fields []string) {
	if len(fields) == 0 {
		return
	}
	owners := m.FieldOwnership.Elements()
	for _, field := range fields {
		owners[field] = types.StringUnknown()
	}
	m.FieldOwnership, m.CoOwners = types.MapValueMust(types.StringType, owners), types.MapUnknown(coOwnersType)
}

func stringMap(texts map[string]string) types.Map {
	values := make(map[string]attr.Value, len(texts))
	for key, text := range texts {
		values[key] = types.StringValue(text)
	}
	return types.MapValueMust(types.StringType, values)
}

// setUnknown marks the three maps as known after the apply.
func (m *model) setUnknown() {
	m.FieldOwnership = types.MapUnknown(types.StringType)
	m.CoOwners = types.MapUnknown(coOwnersType)
	m.ManagedState = types.MapUnknown(types.StringType)
}

// setObjectUnknown marks id and object_ref as known after the apply.
func (m *model) setObjectUnknown() {
	m.ID = types.StringUnknown()
	m.ObjectRef = types.ObjectUnknown(refTypes)
}

// setObserved sets every computed attribute to what was seen.
func (m *model) setObserved(observed ssa.Observed) {
	m.setObject(observed.Object, observed.UID)
	m.setForecast(ssa.Forecast{View: observed.View, ManagedState: observed.ManagedState})
}

// setUnseen says of an object that nobody has seen which one it is, and nothing else.
func (m *model) setUnseen(id manifest.Identity) {
	m.setObject(id, "")
	ref := m.ObjectRef.Attributes()
	ref["uid"] = types.StringNull()
	m.ObjectRef = types.ObjectValueMust(refTypes, ref)
	m.FieldOwnership, m.CoOwners, m.ManagedState = types.MapNull(types.StringType), types.MapNull(coOwnersType), types.MapNull(types.StringType)
}

// complete sets the computed attributes that the plan left unknown to what was seen, and keeps the
// planned ones: Terraform holds the provider to them, and the next refresh tells the truth.
func (m *model) complete(observed ssa.Observed) {
	seen := model{}
	seen.setObserved(observed)
	m.ID, m.ObjectRef = seen.ID, seen.ObjectRef
	m.FieldOwnership = completed(m.FieldOwnership, seen.FieldOwnership)
	if m.CoOwners.IsUnknown() {
		m.CoOwners = seen.CoOwners
	}
	m.ManagedState = completed(m.ManagedState, seen.ManagedState)
}

// completed is planned with what was seen where it is unknown, as a whole or in part.
func completed(planned, seen types.Map) types.Map {
	if planned.IsUnknown() {
		return seen
	}
	values, found := planned.Elements(), seen.Elements()
	for field, value := range values {
		if !value.IsUnknown() {
			continue
		}
		if values[field] = found[field]; values[field] == nil {
			values[field] = types.StringValue("")
		}
	}
	return types.MapValueMust(types.StringType, values)
}
