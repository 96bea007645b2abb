// Package model converts between the attributes of the resources that apply and the types of the use cases: Read fills
// a Model from a plan or a state, Arguments returns its arguments, SetShown and SetObserved set the planned or the
// observed values, and Write writes the Model.
//
// Models are read and written as objects, not as structs: for a struct, the plugin framework compiles a regular
// expression for each tag at each call. Attributes are not set one by one, because the framework copies the whole
// object for each.
package model

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/deletion"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/rules"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
)

// Model holds the attributes of all resources that apply. Each resource uses those of its schema; the others are null.
type Model struct {
	Target   types.Object `tfsdk:"target"`
	YAMLBody types.String `tfsdk:"yaml_body"`
	// Manifest is an object of the configuration instead of the string of yaml_body.
	Manifest types.Dynamic `tfsdk:"manifest"`
	// Patch is the patch that a part sends instead of yaml_body.
	Patch types.Object `tfsdk:"patch"`
	// Subresource is the subresource that a part applies to.
	Subresource types.String `tfsdk:"subresource"`
	// RemoveFields are fields that the object must not have.
	RemoveFields types.Set `tfsdk:"remove_fields"`
	// YAMLBodyWO is null except in the configuration; see TakeWriteOnly.
	YAMLBodyWO        types.String `tfsdk:"yaml_body_wo"`
	YAMLBodyWOVersion types.String `tfsdk:"yaml_body_wo_version"`
	IgnoreFields      types.Set    `tfsdk:"ignore_fields"`
	PinFields         types.Set    `tfsdk:"pin_fields"`
	Repin             types.String `tfsdk:"repin"`
	ListLengths       types.Map    `tfsdk:"list_lengths"`
	Exports           types.Map    `tfsdk:"exports"`
	SensitiveExports  types.Map    `tfsdk:"sensitive_exports"`
	Shared
	// RulesApplied are the arguments that rules of the provider add. The configuration cannot set it; see AddRules.
	RulesApplied types.Object `tfsdk:"rules_applied"`
	Computed

	// IsPart is true if the resource applies part of an object that another client created.
	IsPart bool
	Member
	// NamesNoManager is true if the configuration names no field manager. Only plans set it.
	NamesNoManager bool
	// Sent are the arguments with the live values that are sent instead of write-only ones; nil without such values.
	Sent *arguments.Arguments

	// Rules are the rules that add arguments, as messages name them; empty before AddRules.
	Rules rules.Added
	// writeOnly is the configuration's yaml_body_wo.
	writeOnly types.String
	// absent are the names of the attributes that the schema of the resource does not have.
	absent []string
	// decoded is the last result of Arguments; nil if an attribute has changed since.
	decoded *decoded
}

// Member is what a set knows of one of its objects.
type Member struct {
	// Entry names what Manifest or YAMLBody comes from, if that is a part of an attribute; "" otherwise.
	Entry string
	// IsStored is true for an object of a set that has a state.
	IsStored bool
	// OwnRules are the rules of the resource itself, which count before those of the provider block.
	OwnRules rules.Rules
	// AdoptsOwn is true if a create adopts an object of which FieldManager owns fields.
	AdoptsOwn bool
	// OfRelease is true for an object of a release of Helm that its set takes over.
	OfRelease bool
}

// Shared are the arguments that a resource with many objects has, too, with the same meaning for each.
type Shared struct {
	SensitiveFields types.Set      `tfsdk:"sensitive_fields"`
	FieldManager    types.String   `tfsdk:"field_manager"`
	IgnoreManagers  types.Set      `tfsdk:"ignore_managers"`
	TakeOver        types.List     `tfsdk:"take_over_managers"`
	OnAddition      types.String   `tfsdk:"on_addition"`
	OnConflict      types.String   `tfsdk:"on_conflict"`
	AdoptExisting   types.Bool     `tfsdk:"adopt_existing"`
	OnDestroy       types.String   `tfsdk:"on_destroy"`
	Successor       types.String   `tfsdk:"successor"`
	Propagation     types.String   `tfsdk:"delete_propagation"`
	ForceDestroy    types.Bool     `tfsdk:"force_destroy"`
	Protection      types.Bool     `tfsdk:"delete_protection"`
	Wait            types.Object   `tfsdk:"wait"`
	Once            types.Bool     `tfsdk:"once"`
	Timeouts        timeouts.Value `tfsdk:"timeouts"`

	attributes.Connection
}

// Computed are the attributes that the provider computes.
type Computed struct {
	ID              types.String `tfsdk:"id"`
	ObjectRef       types.Object `tfsdk:"object_ref"`
	FieldOwnership  types.Map    `tfsdk:"field_ownership"`
	CoOwners        types.Map    `tfsdk:"co_owners"`
	ManagedState    types.Map    `tfsdk:"managed_state"`
	Pinned          types.Map    `tfsdk:"pinned"`
	AddedFields     types.Set    `tfsdk:"added_fields"`
	FieldsToRemove  types.Map    `tfsdk:"fields_to_remove"`
	Additions       types.Map    `tfsdk:"additions"`
	Conflicts       types.Map    `tfsdk:"conflicts"`
	Ready           types.Bool   `tfsdk:"ready"`
	Values          types.Map    `tfsdk:"values"`
	SensitiveValues types.Map    `tfsdk:"sensitive_values"`
}

// Prior returns what the state and the snapshot hold of the object.
func (m *Model) Prior(snapshot record.Snapshot) (record.Prior, diag.Diagnostics) {
	id, diags := m.Object()
	args, _ := m.Arguments() // What the state holds was accepted before.
	return record.Prior{Object: id, UID: m.UID(), Shown: m.Shown().Shown, Snapshot: snapshot, Arguments: args}, diags
}

// Object returns the object that id names.
func (m *Model) Object() (manifest.Identity, diag.Diagnostics) {
	var diags diag.Diagnostics
	id, err := manifest.ParseID(m.ID.ValueString())
	if err != nil {
		diags.Append(invalid.ID(err))
	}
	id.Subresource = m.Subresource.ValueString()
	return id, diags
}

// UID returns the uid of the object; "" if the state contains none.
func (m *Model) UID() string {
	uid, _ := m.ObjectRef.Attributes()["uid"].(types.String)
	return uid.ValueString()
}

// SameArguments reports whether two models have the same arguments.
func (m *Model) SameArguments(other *Model) bool {
	return m.same(other, func(index []int) bool { return index[0] != computedField })
}

// Equal reports whether two models are the same for Terraform.
func (m *Model) Equal(other *Model) bool { return m.same(other, func([]int) bool { return true }) }

// SameManifest reports whether two models have the same yaml_body and manifest.
func SameManifest(a, b *Model) bool {
	return a.YAMLBody.Equal(b.YAMLBody) && attributes.SameValue(a.Manifest, b.Manifest)
}

// SameClusterName reports whether two models name the same cluster.
func SameClusterName(a, b *Model) bool { return attributes.SameValue(a.ClusterName, b.ClusterName) }

// Releases reports whether a destroy leaves the object on the cluster.
func (m *Model) Releases() bool {
	return m.OnDestroy.ValueString() == string(deletion.ReleaseObject) || HandsOverTo(m) != ""
}

// Giver returns the field manager of a resource whose destroy leaves the object on the cluster; "" for any other one.
func Giver(m *Model) string {
	if !m.Releases() {
		return ""
	}
	return m.FieldManager.ValueString()
}

// HandsOverTo returns the manager to which a destroy gives the claims on the object; "" if it does not.
func HandsOverTo(m *Model) string {
	if m.OnDestroy.ValueString() != string(deletion.HandOverObject) {
		return ""
	}
	return m.Successor.ValueString()
}

// CheckSuccessor returns an error if a destroy would hand the object over to the manager that owns its fields already.
func CheckSuccessor(m *Model) diag.Diagnostics {
	if to := HandsOverTo(m); to == "" || m.FieldManager.ValueString() != to {
		return nil
	}
	return diag.Diagnostics{invalid.OwnSuccessor(path.Root("successor"))}
}

// IsImported reports whether the state comes from an import and no read has filled it in yet.
func (m *Model) IsImported() bool {
	return m.YAMLBody.IsNull() && m.Manifest.IsNull() && (!m.IsPart || m.RemoveFields.IsNull() && m.Patch.IsNull())
}

// BodyAttribute returns the name of the attribute that has the fields to apply.
func (m *Model) BodyAttribute() string {
	switch {
	case m.Entry != "":
		return m.Entry
	case m.Manifest.IsNull():
		return "yaml_body"
	}
	return ManifestAttribute
}

// writeOnlyAttribute returns the name of the attribute with the write-only part.
func (m *Model) writeOnlyAttribute() string {
	if m.Entry != "" {
		_, key, _ := strings.Cut(m.Entry, "[")
		return "manifests_wo[" + key
	}
	return WriteOnlyAttribute
}

// KeepEqualManifest keeps the manifest of the state if the new one differs only in types or nulls, and nothing else
// changes. If another attribute changes, the CLI plans again during the apply, and that plan must have the same
// manifest as this one.
func (m *Model) KeepEqualManifest(state *Model) {
	if m.Manifest.IsNull() || state.Manifest.IsNull() {
		return
	}
	before, _ := attributes.DecodeObject(state.Manifest)
	now, err := attributes.DecodeObject(m.Manifest)
	if err != nil || len(now.Undecided) > 0 ||
		!manifest.Equal(manifest.Manifest{Object: before.Object}, manifest.Manifest{Object: now.Object}) {
		return
	}
	kept := *m
	kept.Manifest = state.Manifest
	if m.Conflicts.IsNull() {
		kept.Conflicts = state.Conflicts // They are null in a plan that differs from the state.
	}
	if kept.Equal(state) {
		m.Manifest, m.Conflicts, m.decoded = state.Manifest, state.Conflicts, nil
	}
}

// SetTarget sets the object that a part belongs to.
func (m *Model) SetTarget(id manifest.Identity) {
	m.decoded = nil
	m.Target = types.ObjectValueMust(targetTypes, identityValues(id))
}

// SetImported sets the attributes that an import makes of an object: body is the manifest that it writes.
func (m *Model) SetImported(body string, observed record.Observed) {
	m.YAMLBody, m.decoded = types.StringValue(body), nil
	m.SetObserved(observed)
}

// stringsIn returns the elements of a set, sorted.
func stringsIn(set types.Set) []string {
	elements := elementsOf(set.Elements())
	slices.Sort(elements)
	return elements
}

// The names of attributes.
const (
	// ListLengthsAttribute has the limits of lists.
	ListLengthsAttribute = "list_lengths"
	// ManifestAttribute has an object instead of a string.
	ManifestAttribute = "manifest"
	// PatchAttribute has a patch that is not server-side apply.
	PatchAttribute = "patch"
	// ListKeysAttribute is the attribute of a patch that has the keys of lists.
	ListKeysAttribute = "list_keys"
	// WriteOnlyAttribute has values that are stored nowhere.
	WriteOnlyAttribute = "yaml_body_wo"
	// WriteOnlyVersionAttribute sends the values of WriteOnlyAttribute when it changes.
	WriteOnlyVersionAttribute = "yaml_body_wo_version"
)

// Read fills the model from a state, a plan or a configuration. Attributes that the schema does not have stay null.
func (m *Model) Read(ctx context.Context, from interface {
	Get(ctx context.Context, target any) diag.Diagnostics
}) diag.Diagnostics {
	var object types.Object
	diags := from.Get(ctx, &object)
	values, fields := object.Attributes(), reflect.ValueOf(m).Elem()
	for name, index := range attributeFields {
		if value, has := values[name]; has {
			fields.FieldByIndex(index).Set(reflect.ValueOf(value))
		} else {
			m.absent = append(m.absent, name)
		}
	}
	m.decoded = nil
	return diags
}

// Write writes the model into a state or a plan: the reverse of Read.
func (m *Model) Write(ctx context.Context, to interface {
	Set(ctx context.Context, value any) diag.Diagnostics
}) diag.Diagnostics {
	values, kinds := map[string]attr.Value{}, map[string]attr.Type{}
	for name, index := range attributeFields {
		if slices.Contains(m.absent, name) {
			continue
		}
		values[name] = m.value(index)
		kinds[name] = values[name].Type(ctx)
	}
	object, diags := types.ObjectValue(kinds, values)
	if !diags.HasError() {
		diags.Append(to.Set(ctx, object)...)
	}
	return diags
}

// TakeWriteOnly fills in the write-only part from the configuration: plans and states hold no write-only values.
func (m *Model) TakeWriteOnly(ctx context.Context, config tfsdk.Config) diag.Diagnostics {
	m.decoded = nil
	return config.GetAttribute(ctx, path.Root(WriteOnlyAttribute), &m.writeOnly)
}

// WithWriteOnly returns a copy of a state with the write-only part of a configuration.
func WithWriteOnly(state, config *Model) *Model {
	with := *state
	with.writeOnly, with.decoded = config.writeOnly, nil
	return &with
}

// SetWriteOnly sets the write-only part, of a resource with many objects.
func SetWriteOnly(m *Model, part, version types.String) {
	m.writeOnly, m.YAMLBodyWOVersion, m.decoded = part, version, nil
}

// value returns the attribute at a position of attributeFields.
func (m *Model) value(index []int) attr.Value {
	value, _ := reflect.ValueOf(m).Elem().FieldByIndex(index).Interface().(attr.Value)
	return value
}

func attributeOf(m *Model, name string) attr.Value { return m.value(attributeFields[name]) }

// same reports whether two models have the same values of the attributes that counts selects.
func (m *Model) same(other *Model, counts func(index []int) bool) bool {
	for index := range maps.Values(attributeFields) {
		if counts(index) && !attributes.SameValue(m.value(index), other.value(index)) {
			return false
		}
	}
	return true
}

// attributeFields are the positions of the model's fields, by the names of their attributes.
var attributeFields = func() map[string][]int {
	fields := map[string][]int{}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Model]()) {
		if name, is := field.Tag.Lookup("tfsdk"); is {
			fields[name] = field.Index
		}
	}
	return fields
}()

// computedField is the position of Computed.
var computedField = func() int {
	field, _ := reflect.TypeFor[Model]().FieldByName("Computed")
	return field.Index[0]
}()

// End is the end of the object of a state, which a plan deletes or replaces.
type End struct {
	State *Model
	// IsRequested is true if only a taint or -replace requests it. IsSilent is true for -replace: Terraform drops the
	// warnings of that plan.
	IsRequested, IsSilent bool
}

// ToEnd returns a state without what does not decide how its object ends, so that a run can hold it. That of a
// definition keeps its manifest, which names the kind.
func ToEnd(m *Model) *Model {
	held := *m
	held.Computed, held.decoded = Computed{ID: m.ID, ObjectRef: m.ObjectRef}, nil
	if id, _ := m.Object(); !id.IsDefinition() {
		held.YAMLBody, held.Manifest = types.StringNull(), types.DynamicNull()
	}
	return &held
}
