package attributes

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// AdditionType is the type of an addition.
var AdditionType = types.ObjectType{AttrTypes: map[string]attr.Type{
	"value": types.StringType, "owners": types.MapType{ElemType: types.StringType},
}}

// Additions returns the attribute additions of one object.
func Additions() schema.Attribute {
	text := "The value of the field, as in `managed_state`, with all of a list item or a map that was added."
	return schema.MapNestedAttribute{
		Computed: true,
		MarkdownDescription: "The fields that people and their tools have added to the object and that the " +
			"configuration does not have, by path, whatever `on_addition` says of them. A list item, or a map " +
			"that was added as a whole, is one field. Null without any.",
		NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"value": schema.StringAttribute{Computed: true, MarkdownDescription: text},
			"owners": schema.MapAttribute{
				Computed: true, ElementType: types.StringType,
				MarkdownDescription: "The managers that own the field or a part of it, by their names: what each is, " +
					"how it writes, and when it wrote last before the field was found: `person: Update at " +
					"2026-11-28T09:30:00Z`.",
			},
		}},
	}
}

// AdditionsOfSet returns the attribute additions of a resource with many objects.
func AdditionsOfSet() schema.Attribute {
	return schema.MapAttribute{
		Computed: true, ElementType: types.MapType{ElemType: AdditionType},
		MarkdownDescription: "The additions to the objects, by their keys, as in `additions` of " +
			"`k8sconnect_manifest`. Null without any.",
	}
}
