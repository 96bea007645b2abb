package attributes

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// ConflictType is the type of a conflict.
var ConflictType = types.ObjectType{AttrTypes: map[string]attr.Type{
	"effect": types.StringType, "before": types.StringType, "after": types.StringType,
	"owners": types.MapType{ElemType: types.StringType},
}}

// conflicts describes the attribute of a resource about one object.
const conflicts = "" +
	"The fields whose values an apply takes from other managers, by path: those that it changes, sets back or " +
	"removes. Null without such fields, and after each refresh: only plans with changes and the state right after " +
	"an apply contain them. Unknown if the plan cannot predict them: for an adoption, the first apply of a patch, " +
	"a JSON, merge or strategic merge patch, and values that are known only after the apply. The warnings of the " +
	"plan list the fields then. Fields without an owner, and fields that the API server itself drops, are in the " +
	"warnings only."

// Conflicts returns the attribute conflicts of one object.
func Conflicts() schema.Attribute {
	return schema.MapNestedAttribute{
		Computed: true, MarkdownDescription: conflicts,
		NestedObject: schema.NestedAttributeObject{Attributes: conflictAttributes()},
	}
}

// ConflictsOfSet returns the attribute conflicts of a resource with many objects.
func ConflictsOfSet() schema.Attribute {
	return schema.MapAttribute{
		Computed: true, ElementType: types.MapType{ElemType: ConflictType},
		MarkdownDescription: "The conflicts of the objects, by their keys, as in `conflicts` of " +
			"`k8sconnect_manifest`. Null without conflicts. Unknown if the plan cannot predict those of every object.",
	}
}

func conflictAttributes() map[string]schema.Attribute {
	text := func(description string) schema.Attribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: description}
	}
	return map[string]schema.Attribute{
		"effect": text("`take`: another manager owns the field with another value. `take-back`: the same, and the " +
			"last apply set the field. `set-back`: the value was changed, and nobody else owns it. `remove`: the " +
			"field of another manager goes."),
		"before": text("The value before the apply, as in `managed_state`; null if the field has no value, or if " +
			"only a digest of it is recorded."),
		"after": text("The value after the apply; null if the field goes."),
		"owners": schema.MapAttribute{
			Computed: true, ElementType: types.StringType,
			MarkdownDescription: "The managers that lose the field, by their names: whether each is a `controller` " +
				"(an autoscaler, for example), a `person` or a `tool`, and how it writes: `controller: Update scale`.",
		},
	}
}
