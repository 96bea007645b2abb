package model

import (
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

// PlanShown sets the computed attributes about fields, and the conflicts of the apply: null if it has none.
func (m *Model) PlanShown(f prediction.PlannedState) {
	m.SetShown(f)
	switch {
	case !f.KnowsConflicts():
		m.Conflicts = types.MapUnknown(attributes.ConflictType)
		return
	case len(f.Conflicts) == 0:
		m.Conflicts = types.MapNull(attributes.ConflictType)
		return
	}
	all := make(map[string]attr.Value, len(f.Conflicts))
	for _, conflict := range f.Conflicts {
		after := types.StringPointerValue(conflict.After)
		if conflict.AfterUnknown {
			after = types.StringUnknown()
		}
		all[conflict.Field] = types.ObjectValueMust(attributes.ConflictType.AttrTypes, map[string]attr.Value{
			"effect": types.StringValue(string(conflict.Effect)), "before": types.StringPointerValue(conflict.Before),
			"after": after, "owners": types.ListValueMust(attributes.ConflictOwnerType, holders(conflict.Owners)),
		})
	}
	m.Conflicts = types.MapValueMust(attributes.ConflictType, all)
}

func holders(of []ownership.Holder) []attr.Value {
	orNull := func(text string) attr.Value {
		if text == "" {
			return types.StringNull()
		}
		return types.StringValue(text)
	}
	owners := make([]attr.Value, len(of))
	for i, owner := range of {
		owners[i] = types.ObjectValueMust(attributes.ConflictOwnerType.AttrTypes, map[string]attr.Value{
			"manager": types.StringValue(owner.Name), "operation": types.StringValue(string(owner.Operation)),
			"subresource": orNull(owner.Subresource), "kind": types.StringValue(writers[owner.Writer()]),
			"known_as": orNull(owner.KnownAs()),
		})
	}
	return owners
}

// completeConflicts replaces what the plan did not know of the conflicts by the values after the apply, in seen. It
// sets conflicts that were not known as a whole to null: nobody has seen the object between its last write by others
// and the apply.
func (m *Model) completeConflicts(seen types.Map) {
	if m.Conflicts.IsUnknown() || m.Conflicts.IsNull() {
		m.Conflicts = types.MapNull(attributes.ConflictType)
		return
	}
	all, values := m.Conflicts.Elements(), seen.Elements()
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
	m.Conflicts = types.MapValueMust(attributes.ConflictType, all)
}
