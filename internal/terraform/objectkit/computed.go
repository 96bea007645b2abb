package objectkit

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/exports"
)

// setObject sets id and object_ref; an empty uid is unknown.
func (m *Model) setObject(id manifest.Identity, uid string) {
	m.ID = types.StringValue(id.ID())
	uidValue := types.StringUnknown()
	if uid != "" {
		uidValue = types.StringValue(uid)
	}
	m.ObjectRef = types.ObjectValueMust(refTypes, map[string]attr.Value{
		"api_version": types.StringValue(id.APIVersion), "kind": types.StringValue(id.Kind),
		"namespace": orNull(id.Namespace), "name": types.StringValue(id.Name), "uid": uidValue,
	})
}

// setPlannedState sets the computed maps.
func (m *Model) setPlannedState(f prediction.PlannedState) {
	if m.resource.IsPart {
		f.View = viewOf(f)
	}
	m.AddedFields = m.added(f.Added)
	m.FieldsToRemove = m.toRemove(nil)
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
	for _, field := range f.UnknownValues {
		state[field] = types.StringUnknown()
	}
	m.ManagedState = types.MapValueMust(types.StringType, state)
	m.setUnknownOwners(f.UnknownOwners)
	m.Pinned = m.pinned(stringMap(f.Pinned))
	if f.PinsUnknown || f.FieldsUnknown {
		m.setUnknown()
		return
	}
	if f.Owners == prediction.Unforeseen {
		m.FieldOwnership, m.CoOwners = types.MapUnknown(types.StringType), types.MapUnknown(coOwnersType)
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

func stringMap(texts map[string]string) types.Map {
	values := make(map[string]attr.Value, len(texts))
	for key, text := range texts {
		values[key] = types.StringValue(text)
	}
	return types.MapValueMust(types.StringType, values)
}

// setUnknown marks the computed maps as known after the apply.
func (m *Model) setUnknown() {
	m.FieldOwnership = types.MapUnknown(types.StringType)
	m.CoOwners = types.MapUnknown(coOwnersType)
	m.ManagedState = types.MapUnknown(types.StringType)
	m.Pinned = m.pinned(types.MapUnknown(types.StringType))
	m.AddedFields = types.SetUnknown(types.StringType)
	m.FieldsToRemove = m.toRemove(nil)
}

// pinned returns values where the resource has pin_fields, and null where it has none.
func (m *Model) pinned(values types.Map) types.Map {
	if m.PinFields.IsNull() {
		return types.MapNull(types.StringType)
	}
	return values
}

// setObjectUnknown marks id and object_ref as known after the apply.
func (m *Model) setObjectUnknown() {
	m.ID = types.StringUnknown()
	m.ObjectRef = types.ObjectUnknown(refTypes)
}

// setObserved sets every computed attribute to what was observed.
func (m *Model) setObserved(observed record.Observed) {
	m.setObject(observed.Object, observed.UID)
	m.setPlannedState(prediction.PlannedState{View: observed.View, ManagedState: observed.ManagedState, Pinned: observed.Pinned, Added: observed.Added})
	m.FieldsToRemove = m.toRemove(observed.Unwanted)
	m.SensitiveValues = exports.Values(m.SensitiveExports, observed.Live)
	if m.Values = exports.Values(m.Exports, nil); known(m.Exports) {
		m.Values = exports.Values(m.Exports, observed.Snapshot.Renderer().WithoutCopies(observed.Live, rendering.Redacted))
	}
}

// setUnseen sets the identity of an object that was never read, and makes the other computed attributes null.
func (m *Model) setUnseen(id manifest.Identity) {
	m.setObject(id, "")
	ref := m.ObjectRef.Attributes()
	ref["uid"] = types.StringNull()
	m.ObjectRef = types.ObjectValueMust(refTypes, ref)
	m.FieldOwnership, m.CoOwners, m.ManagedState = types.MapNull(types.StringType), types.MapNull(coOwnersType), types.MapNull(types.StringType)
	m.Pinned, m.AddedFields = types.MapNull(types.StringType), types.SetNull(types.StringType)
	m.FieldsToRemove = types.MapNull(types.StringType)
	m.Values, m.SensitiveValues = exports.Absent(m.Exports), exports.Absent(m.SensitiveExports)
	m.Ready = m.readyAs(false)
}

// complete sets the computed attributes that the plan left unknown to what was observed, and keeps the planned
// ones: Terraform requires the planned values, and the next refresh shows the observed ones.
func (m *Model) complete(observed record.Observed) {
	seen := Model{PinFields: m.PinFields, Exports: m.Exports, SensitiveExports: m.SensitiveExports, resource: m.resource}
	seen.setObserved(observed)
	m.ID, m.ObjectRef = seen.ID, seen.ObjectRef
	m.FieldOwnership = completed(m.FieldOwnership, seen.FieldOwnership)
	if m.CoOwners.IsUnknown() {
		m.CoOwners = seen.CoOwners
	}
	m.ManagedState = completed(m.ManagedState, seen.ManagedState)
	if m.Pinned.IsUnknown() {
		m.Pinned = seen.Pinned
	}
	if m.AddedFields.IsUnknown() {
		m.AddedFields = seen.AddedFields
	}
	m.Values, m.SensitiveValues = exports.Completed(m.Values, seen.Values), exports.Completed(m.SensitiveValues, seen.SensitiveValues)
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
			values[field] = types.StringValue("")
		}
	}
	return types.MapValueMust(types.StringType, values)
}

// added returns the value of added_fields; null for a resource that has no such attribute.
func (m *Model) added(fields []string) types.Set {
	if !m.resource.IsPart {
		return types.SetNull(types.StringType)
	}
	values := make([]attr.Value, len(fields))
	for i, field := range fields {
		values[i] = types.StringValue(field)
	}
	return types.SetValueMust(types.StringType, values)
}

// toRemove returns the value of fields_to_remove; null without remove_fields.
func (m *Model) toRemove(values map[string]string) types.Map {
	if m.RemoveFields.IsNull() {
		return types.MapNull(types.StringType)
	}
	return stringMap(values)
}

// viewOf returns the owners of the fields of a part, without those of other fields.
func viewOf(state prediction.PlannedState) ownership.View {
	view := ownership.View{FieldOwnership: map[string]string{}, CoOwners: map[string][]string{}}
	isOurs := func(field string) bool {
		_, has := state.ManagedState[field]
		return has || slices.Contains(state.UnknownValues, field)
	}
	for field, owner := range state.View.FieldOwnership {
		if isOurs(field) {
			view.FieldOwnership[field] = owner
		}
	}
	for field, owners := range state.View.CoOwners {
		if isOurs(field) {
			view.CoOwners[field] = owners
		}
	}
	return view
}

// readyAs returns the attribute ready; null if the resource has no wait.
func (m Model) readyAs(ready bool) types.Bool {
	if m.Wait.IsNull() {
		return types.BoolNull()
	}
	return types.BoolValue(ready)
}
