package attributes

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// The types of a conflict, and of a manager that loses a field.
var (
	ConflictOwnerType = types.ObjectType{AttrTypes: map[string]attr.Type{
		"manager": types.StringType, "operation": types.StringType, "subresource": types.StringType,
		"kind": types.StringType, "known_as": types.StringType,
	}}
	ConflictType = types.ObjectType{AttrTypes: map[string]attr.Type{
		"effect": types.StringType, "before": types.StringType, "after": types.StringType,
		"owners": types.ListType{ElemType: ConflictOwnerType},
	}}
)

// conflicts describes the attribute of a resource about one object.
const conflicts = "What the last apply that sent something took from others, and in a plan what the apply will: the " +
	"fields whose values other managers own or changed, and that it changes or removes, by path. Null if there are " +
	"none. It stays until the next apply that sends something, so look at it only where the resource changes. " +
	"Unknown in a plan that cannot say it yet: an adoption, the first apply of a patch, a JSON, merge or strategic " +
	"patch, and values that are not known yet; the warnings of the plan say it. What nobody owns is in warnings alone."

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
			"`k8sconnect_manifest`: what the last apply that sent something took from others, and in a plan what the " +
			"apply will. Null if there are none; unknown if those of one object are.",
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
		"before": text("The value before the apply, as in `managed_state`; null if there is none, or if it is not " +
			"recorded."),
		"after": text("The value after the apply; null if the field goes."),
		"owners": schema.ListNestedAttribute{
			Computed:            true,
			MarkdownDescription: "The managers that lose the field.",
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"manager":     text("Its name."),
				"operation":   text("`Apply` or `Update`."),
				"subresource": text("The subresource through which it writes, for example `scale`; null without one."),
				"kind":        text("`controller`, for example an autoscaler, `person` or `tool`."),
				"known_as":    text("What is known of it, for example `Flux`; null if nothing is."),
			}},
		},
	}
}
