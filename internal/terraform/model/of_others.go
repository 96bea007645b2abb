package model

import (
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/additions"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
)

// ConflictsType is the type of conflicts.
var ConflictsType = types.MapType{ElemType: attributes.ConflictType}

// PlanShown sets the computed attributes about fields of m, and the conflicts of the apply: null if it has none.
func PlanShown(m *Model, f prediction.PlannedState) {
	m.Conflicts = types.MapNull(attributes.ConflictType)
	m.SetShown(f)
	switch {
	case !f.KnowsConflicts():
		m.Conflicts = types.MapUnknown(attributes.ConflictType)
		return
	case len(f.Conflicts) == 0:
		return
	}
	all := make(map[string]attr.Value, len(f.Conflicts))
	for _, conflict := range f.Conflicts {
		after, before := types.StringNull(), prediction.Recorded(conflict)
		switch value, has := f.ManagedState[conflict.Field]; {
		case slices.Contains(f.UnknownValues, conflict.Field):
			after = types.StringUnknown()
		case has && conflict.What != ownership.Removing:
			if before != nil {
				*before, value = rendering.Halves(*before, value)
			}
			after = types.StringValue(value)
		}
		all[conflict.Field] = types.ObjectValueMust(attributes.ConflictType.AttrTypes, map[string]attr.Value{
			"effect": types.StringValue(effectOf(conflict)),
			"before": types.StringPointerValue(before),
			"after":  after, "owners": stringMap(holders(conflict.Owners)),
		})
	}
	m.Conflicts = types.MapValueMust(attributes.ConflictType, all)
}

// Drifted returns the live values of fields that are not as the last apply left them, null for a field that is gone.
// left are the values of the last apply, live those of all fields.
func Drifted(left, live map[string]string) types.Map {
	fields := make(map[string]attr.Value, len(left))
	for field, was := range left {
		value := types.StringNull()
		if is, has := live[field]; has {
			_, is = rendering.Halves(was, is)
			value = types.StringValue(is)
		}
		fields[field] = value
	}
	return types.MapValueMust(types.StringType, fields)
}

// effectOf returns what an apply does to a value that is not ours.
func effectOf(conflict ownership.Change) string {
	switch {
	case conflict.What == ownership.Removing:
		return "remove"
	case len(conflict.Owners) == 0:
		return "set-back"
	case conflict.What == ownership.Retaking:
		return "take-back"
	default:
		return "take"
	}
}

// holders returns what each manager is and how it writes, by its name.
func holders(of []ownership.Holder) map[string]string {
	owners := make(map[string]string, len(of))
	for _, owner := range of {
		text := strings.TrimSpace(owner.Writer().String() + ": " + string(owner.Operation) + " " + owner.Subresource)
		if before, has := owners[owner.Name]; has {
			text = before + ", " + text
		}
		owners[owner.Name] = text
	}
	return owners
}

// completedConflicts replaces what the plan did not know of conflicts by the values after the apply. Conflicts that
// were not known as a whole become null: the provider has not seen the object between the last write of another client
// and the apply.
func completedConflicts(planned, after types.Map) types.Map {
	if planned.IsUnknown() || planned.IsNull() {
		return types.MapNull(attributes.ConflictType)
	}
	all, values := planned.Elements(), after.Elements()
	for field, value := range all {
		conflict, _ := value.(types.Object)
		parts := conflict.Attributes()
		if !parts["after"].IsUnknown() {
			continue
		}
		if parts["after"] = values[field]; values[field] == nil {
			parts["after"] = types.StringNull()
		}
		all[field] = types.ObjectValueMust(attributes.ConflictType.AttrTypes, parts)
	}
	return types.MapValueMust(attributes.ConflictType, all)
}

// AdditionsType is the type of additions.
var AdditionsType = types.MapType{ElemType: attributes.AdditionType}

// Additions returns the value of the attribute additions; null without any.
func Additions(all additions.ByField) types.Map {
	if len(all) == 0 {
		return types.MapNull(attributes.AdditionType)
	}
	values := make(map[string]attr.Value, len(all))
	for field, addition := range all {
		value := types.StringUnknown()
		if addition.Value != nil {
			value = types.StringValue(*addition.Value)
		}
		values[field] = types.ObjectValueMust(attributes.AdditionType.AttrTypes, map[string]attr.Value{
			"value": value, "owners": stringMap(addition.Owners),
		})
	}
	return types.MapValueMust(attributes.AdditionType, values)
}

func additionsIn(values types.Map) additions.ByField {
	var all additions.ByField
	for field, element := range values.Elements() {
		if all == nil {
			all = additions.ByField{}
		}
		addition, _ := element.(types.Object)
		parts := addition.Attributes()
		value, _ := parts["value"].(types.String)
		owners, _ := parts["owners"].(types.Map)
		shown := additions.Shown{}
		shown.Owners, _ = stringsOf(owners)
		if IsKnown(value) {
			shown.Value = value.ValueStringPointer()
		}
		all[field] = shown
	}
	return all
}

// CompletedAdditions replaces the unknown values of planned additions by those seen after the apply.
func CompletedAdditions(planned, seen types.Map) types.Map {
	if planned.IsUnknown() {
		return seen
	}
	now, all := additionsIn(seen), additionsIn(planned)
	for field, addition := range all {
		if addition.Value == nil {
			none := ""
			if addition.Value = now[field].Value; addition.Value == nil {
				addition.Value = &none // Terraform wants a known value, also if the field is gone.
			}
			all[field] = addition
		}
	}
	return Additions(all)
}
