package model

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/exports"
)

var coOwnersType = types.ListType{ElemType: types.StringType}

// KeepComputed plans the computed attributes as they are in a state. An update of other arguments alone takes nothing,
// so it has no conflicts.
func (m *Model) KeepComputed(state *Model) {
	m.Computed = state.Computed
	m.FieldsToRemove = toRemove(m, nil)
	if !m.SameArguments(state) {
		m.Conflicts = types.MapNull(attributes.ConflictType)
	}
}

// AsBefore returns the state of a plan that changes none of the attributes in prior.
func AsBefore(prior record.Prior) prediction.PlannedState {
	return prediction.PlannedState{Shown: prior.Shown}
}

// SetObject sets id and object_ref; an empty uid is unknown.
func (m *Model) SetObject(id manifest.Identity, uid string) {
	m.ID = types.StringValue(id.ID())
	uidValue := types.StringUnknown()
	if uid != "" {
		uidValue = types.StringValue(uid)
	}
	values := identityValues(id)
	values["uid"] = uidValue
	m.ObjectRef = types.ObjectValueMust(refTypes, values)
}

// SetShown sets the computed attributes about fields. The conflicts are those of the last apply, and stay: a plan that
// only refreshes would show their end as a change that other clients made.
func (m *Model) SetShown(f prediction.PlannedState) {
	if m.IsPart {
		f.Owners = ownersOf(f)
	}
	m.AddedFields = m.added(f.Added)
	m.FieldsToRemove, m.Additions = toRemove(m, f.Unwanted), Additions(f.Additions)
	if m.Conflicts.IsNull() {
		m.Conflicts = types.MapNull(attributes.ConflictType) // The zero value has no type.
	}
	m.FieldOwnership = stringMap(f.Owners.FieldOwnership)
	coOwners := make(map[string]attr.Value, len(f.Owners.CoOwners))
	for field, names := range f.Owners.CoOwners {
		coOwners[field] = types.ListValueMust(types.StringType, attributes.Texts(names))
	}
	m.CoOwners = types.MapValueMust(coOwnersType, coOwners)
	state := make(map[string]attr.Value, len(f.ManagedState))
	for field, value := range f.ManagedState {
		state[field] = types.StringValue(value)
	}
	for _, field := range f.UnknownValues {
		state[field] = types.StringUnknown()
	}
	m.ManagedState = types.MapValueMust(types.StringType, state)
	m.setUnknownOwners(f.UnknownOwners)
	m.Pinned = m.pinned(stringMap(f.Pinned))
	if f.PinsUnknown || f.FieldsUnknown {
		m.SetUnknown()
		return
	}
	if f.OwnersUnknown {
		m.FieldOwnership, m.CoOwners = types.MapUnknown(types.StringType), types.MapUnknown(coOwnersType)
		m.Additions = types.MapUnknown(attributes.AdditionType)
	}
}

// setUnknownOwners marks the owners of fields as known after the apply. co_owners becomes unknown as a whole,
// because the plan does not know which of these fields will have an entry in it.
func (m *Model) setUnknownOwners(fields []string) {
	if len(fields) == 0 {
		return
	}
	owners := m.FieldOwnership.Elements()
	for _, field := range fields {
		owners[field] = types.StringUnknown()
	}
	m.FieldOwnership, m.CoOwners = types.MapValueMust(types.StringType, owners), types.MapUnknown(coOwnersType)
}

func stringMap(elements map[string]string) types.Map {
	values := make(map[string]attr.Value, len(elements))
	for key, element := range elements {
		values[key] = types.StringValue(element)
	}
	return types.MapValueMust(types.StringType, values)
}

// SetUnknown marks the computed maps as known after the apply.
func (m *Model) SetUnknown() {
	m.FieldOwnership = types.MapUnknown(types.StringType)
	m.CoOwners = types.MapUnknown(coOwnersType)
	m.ManagedState = types.MapUnknown(types.StringType)
	m.Pinned = m.pinned(types.MapUnknown(types.StringType))
	m.AddedFields, m.Conflicts = types.SetUnknown(types.StringType), types.MapUnknown(attributes.ConflictType)
	m.FieldsToRemove = toRemove(m, nil)
	m.Additions = types.MapUnknown(attributes.AdditionType)
}

// pinned returns values if the resource sets pin_fields, and null otherwise.
func (m *Model) pinned(values types.Map) types.Map {
	if m.PinFields.IsNull() {
		return types.MapNull(types.StringType)
	}
	return values
}

// SetObjectUnknown marks id and object_ref as known after the apply.
func (m *Model) SetObjectUnknown() {
	m.ID = types.StringUnknown()
	m.ObjectRef = types.ObjectUnknown(refTypes)
}

// SetObserved sets every computed attribute to the observed value.
func (m *Model) SetObserved(observed record.Observed) {
	m.SetObject(observed.Object, observed.UID)
	m.SetShown(prediction.PlannedState{Shown: observed.Shown})
	m.SensitiveValues = exports.Values(m.SensitiveExports, observed.Live)
	if m.Values = exports.Values(m.Exports, nil); IsKnown(m.Exports) {
		m.Values = exports.Values(m.Exports,
			observed.Snapshot.Renderer().WithoutCopies(observed.Live, rendering.Redacted))
	}
}

// SetUnseen sets the identity of an object that was never read, and makes the other computed attributes null.
func (m *Model) SetUnseen(id manifest.Identity) {
	m.SetObject(id, "")
	ref := m.ObjectRef.Attributes()
	ref["uid"] = types.StringNull()
	m.ObjectRef = types.ObjectValueMust(refTypes, ref)
	m.FieldOwnership, m.CoOwners, m.ManagedState = types.MapNull(
		types.StringType), types.MapNull(coOwnersType), types.MapNull(types.StringType)
	m.Pinned, m.AddedFields = types.MapNull(types.StringType), types.SetNull(types.StringType)
	m.FieldsToRemove, m.Conflicts = types.MapNull(types.StringType), types.MapNull(attributes.ConflictType)
	m.Additions = types.MapNull(attributes.AdditionType)
	m.Values, m.SensitiveValues = exports.Absent(m.Exports), exports.Absent(m.SensitiveExports)
	m.Ready = m.ReadyAs(false)
}

// Complete sets the computed attributes that the plan left unknown to the observed values, and keeps the planned ones:
// Terraform requires the planned values, and the next refresh shows the observed ones.
func (m *Model) Complete(observed record.Observed) {
	seen := Model{PinFields: m.PinFields, Exports: m.Exports, SensitiveExports: m.SensitiveExports, IsPart: m.IsPart}
	seen.SetObserved(observed)
	m.ID, m.ObjectRef = seen.ID, seen.ObjectRef
	m.FieldOwnership = completed(m.FieldOwnership, seen.FieldOwnership)
	if m.CoOwners.IsUnknown() {
		m.CoOwners = seen.CoOwners
	}
	m.ManagedState = completed(m.ManagedState, seen.ManagedState)
	m.Conflicts = completedConflicts(m.Conflicts, seen.ManagedState)
	m.Additions = CompletedAdditions(m.Additions, seen.Additions)
	if m.Pinned.IsUnknown() {
		m.Pinned = seen.Pinned
	}
	if m.AddedFields.IsUnknown() {
		m.AddedFields = seen.AddedFields
	}
	if m.FieldsToRemove.IsUnknown() {
		m.FieldsToRemove = toRemove(m, observed.Unwanted)
	}
	m.Values, m.SensitiveValues = exports.Completed(m.Values, seen.Values), exports.Completed(m.SensitiveValues,
		seen.SensitiveValues)
}

// completed returns planned with its unknown values, or all of it, replaced by those of seen.
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
			// Terraform wants a known value at each key of the plan, also if the field is gone.
			values[field] = types.StringValue("")
		}
	}
	return types.MapValueMust(types.StringType, values)
}

// added returns the value of added_fields; null for a resource that lacks this attribute.
func (m *Model) added(fields []string) types.Set {
	if !m.IsPart {
		return types.SetNull(types.StringType)
	}
	return types.SetValueMust(types.StringType, attributes.Texts(fields))
}

// toRemove returns the value of fields_to_remove: null without remove_fields, of the resource or of a rule, and unknown
// while it is not known which rules cover the object.
func toRemove(m *Model, values map[string]string) types.Map {
	switch {
	case !m.RemoveFields.IsNull() || len(fromRules(m, arguments.RemoveFields)) > 0:
		return stringMap(values)
	case m.RulesApplied.IsUnknown():
		return types.MapUnknown(types.StringType)
	}
	return types.MapNull(types.StringType)
}

// ownersOf returns the owners of the fields of a part, without those of other fields.
func ownersOf(state prediction.PlannedState) ownership.View {
	owners := ownership.View{FieldOwnership: map[string]string{}, CoOwners: map[string][]string{}}
	isOurs := func(field string) bool {
		_, has := state.ManagedState[field]
		return has || slices.Contains(state.UnknownValues, field)
	}
	for field, owner := range state.Owners.FieldOwnership {
		if isOurs(field) {
			owners.FieldOwnership[field] = owner
		}
	}
	for field, names := range state.Owners.CoOwners {
		if isOurs(field) {
			owners.CoOwners[field] = names
		}
	}
	return owners
}

// ReadyAs returns the attribute ready; null if the resource has no wait.
func (m Model) ReadyAs(ready bool) types.Bool {
	if WaitOf(&m).IsNull() {
		return types.BoolNull()
	}
	return types.BoolValue(ready)
}

// Shown returns the computed attributes about fields. Those that are null or unknown become empty.
func (m *Model) Shown() prediction.PlannedState {
	var f prediction.PlannedState
	f.Owners.FieldOwnership, f.UnknownOwners = stringsOf(m.FieldOwnership)
	f.Owners.CoOwners = map[string][]string{}
	for field, element := range m.CoOwners.Elements() {
		names, _ := element.(types.List)
		f.Owners.CoOwners[field] = elementsOf(names.Elements())
	}
	f.ManagedState, f.UnknownValues = stringsOf(m.ManagedState)
	f.Pinned, _ = stringsOf(m.Pinned)
	f.Unwanted, _ = stringsOf(m.FieldsToRemove)
	f.Added, f.Additions = stringsIn(m.AddedFields), additionsIn(m.Additions)
	return f
}

// stringsOf returns the known elements of a map, and the keys of the others.
func stringsOf(values types.Map) (known map[string]string, unknown []string) {
	known = map[string]string{}
	for key, element := range values.Elements() {
		value, _ := element.(types.String)
		if value.IsUnknown() {
			unknown = append(unknown, key)
			continue
		}
		known[key] = value.ValueString()
	}
	return known, unknown
}

// Unshown returns the actual owners of the object if the state shows other ones, for a resource with a connection of
// its own, whose next refresh may fail; nil otherwise.
func (m *Model) Unshown(actual ownership.View) *ownership.View {
	if !m.IsOwn() {
		return nil
	}
	return record.Unshown(m.Shown().Owners, actual)
}
