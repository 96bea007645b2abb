package model

import (
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
)

// ConflictsType is the type of conflicts.
var ConflictsType = types.MapType{ElemType: attributes.ConflictType}

// writers are the kinds of owners.
var writers = map[ownership.Writer]string{
	ownership.Controller: "controller", ownership.Person: "person", ownership.Tool: "tool",
}

// PlanShown sets the computed attributes about fields of m, and the conflicts of the apply: null if it has none.
func PlanShown(m *Model, f prediction.PlannedState) {
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
		after := types.StringNull()
		switch value, has := f.ManagedState[conflict.Field]; {
		case slices.Contains(f.UnknownValues, conflict.Field):
			after = types.StringUnknown()
		case has && conflict.What != ownership.Removing:
			after = types.StringValue(value)
		}
		all[conflict.Field] = types.ObjectValueMust(attributes.ConflictType.AttrTypes, map[string]attr.Value{
			"effect": types.StringValue(effectOf(conflict)), "before": types.StringPointerValue(prediction.Recorded(conflict)),
			"after": after, "owners": stringMap(holders(conflict.Owners)),
		})
	}
	m.Conflicts = types.MapValueMust(attributes.ConflictType, all)
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
		text := strings.TrimSpace(writers[owner.Writer()] + ": " + string(owner.Operation) + " " + owner.Subresource)
		if before, has := owners[owner.Name]; has {
			text = before + ", " + text
		}
		owners[owner.Name] = text
	}
	return owners
}

// completedConflicts replaces what the plan did not know of conflicts by the values after the apply. Conflicts that
// were not known as a whole become null: nobody has seen the object between its last write by others and the apply.
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
