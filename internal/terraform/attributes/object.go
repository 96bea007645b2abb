package attributes

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/exports"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/waits"
)

// Schema returns the schema of a resource that applies: its arguments, what it shows, and own attributes.
func Schema(ctx context.Context, resource string, own map[string]schema.Attribute) schema.Schema {
	all := argumentsOf(resource)
	if resource == arguments.SetResource {
		maps.Copy(all, ofSet())
	} else {
		maps.Copy(all, ofObject())
		maps.Copy(all, waitOf(resource))
	}
	maps.Copy(all, own)
	return schema.Schema{
		MarkdownDescription: DescriptionOf(resource, TheBlock),
		Attributes:          Described(resource, all),
		Blocks: map[string]schema.Block{
			"timeouts": Timeouts(ctx, resource, timeouts.Opts{Create: true, Read: true, Update: true, Delete: true}),
		},
	}
}

// waitOf returns the attributes wait and ready of a resource.
func waitOf(resource string) map[string]schema.Attribute {
	if resource == arguments.PatchResource {
		return waits.Attributes()
	}
	return waits.Attributes("replace", "undo")
}

// ofObject returns the attributes that resources about one object have in addition to the arguments of the table.
func ofObject() map[string]schema.Attribute {
	all := computedAttributes()
	all["yaml_body_wo"] = schema.StringAttribute{
		Optional: true, WriteOnly: true,
		Validators: []validator.String{partialManifestValidator(), validators.Needs("yaml_body_wo_version")},
	}
	all["yaml_body_wo_version"] = WriteOnlyVersion("yaml_body_wo")
	all[RulesAppliedAttribute] = schema.ObjectAttribute{Computed: true, AttributeTypes: rulesAppliedTypes}
	maps.Copy(all, exports.Attributes())
	return all
}

// ofSet returns the attributes that a resource with many objects has in addition to the arguments of the table.
func ofSet() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		RulesAttribute: schema.DynamicAttribute{Optional: true, Validators: validRules},
		// Below a nested attribute the framework copies the map for each of its elements.
		"conflicts": schema.MapAttribute{Computed: true, ElementType: types.MapType{ElemType: ConflictType}},
		"additions": schema.MapAttribute{Computed: true, ElementType: types.MapType{ElemType: AdditionType}},
	}
}

// computedAttributes returns the attributes that identify the object and show the owners of its fields.
func computedAttributes() map[string]schema.Attribute {
	text := schema.StringAttribute{Computed: true}
	return map[string]schema.Attribute{
		"id": text,
		"object_ref": schema.SingleNestedAttribute{
			Computed: true,
			Attributes: map[string]schema.Attribute{
				"api_version": text, "kind": text, "namespace": text, "name": text, "uid": text,
			},
		},
		"conflicts": schema.MapNestedAttribute{
			Computed: true,
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"effect": text, "before": text, "after": text, "owners": ComputedTexts(),
			}},
		},
		"co_owners":       schema.MapAttribute{Computed: true, ElementType: types.ListType{ElemType: types.StringType}},
		"field_ownership": ComputedTexts(), "managed_state": ComputedTexts(), "fields_to_remove": ComputedTexts(),
	}
}

// ComputedTexts returns a computed attribute with strings by their names.
func ComputedTexts() schema.Attribute {
	return schema.MapAttribute{Computed: true, ElementType: types.StringType}
}

// ConflictType is the type of a conflict.
var ConflictType = types.ObjectType{AttrTypes: map[string]attr.Type{
	"effect": types.StringType, "before": types.StringType, "after": types.StringType,
	"owners": types.MapType{ElemType: types.StringType},
}}

// AdditionType is the type of an addition.
var AdditionType = types.ObjectType{AttrTypes: map[string]attr.Type{
	"value": types.StringType, "owners": types.MapType{ElemType: types.StringType},
}}

// Additions returns the attribute additions of one object.
func Additions() schema.Attribute {
	return schema.MapNestedAttribute{
		Computed: true,
		NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"value": schema.StringAttribute{Computed: true}, "owners": ComputedTexts(),
		}},
	}
}

// Timeouts returns the block timeouts of a block, which accepts durations of more than zero.
func Timeouts(ctx context.Context, of string, opts timeouts.Opts) schema.Block {
	block, _ := timeouts.Block(ctx, opts).(schema.SingleNestedBlock)
	for name := range block.Attributes {
		limit, _ := block.Attributes[name].(schema.StringAttribute)
		limit.Description = DescriptionOf(of, "timeouts."+name)
		limit.Validators = []validator.String{validators.Duration()}
		block.Attributes[name] = limit
	}
	return block
}

// TargetAttribute returns the attribute target: an object that another client creates.
func TargetAttribute() schema.SingleNestedAttribute {
	notEmpty := []validator.String{validators.NotEmpty()}
	needed := schema.StringAttribute{Required: true, Validators: notEmpty}
	return schema.SingleNestedAttribute{Required: true, Attributes: map[string]schema.Attribute{
		"api_version": needed, "kind": needed, "name": needed,
		"namespace": schema.StringAttribute{Optional: true, Validators: notEmpty},
	}}
}

// ActionTarget returns the attribute target of an action. kinds validate the kind.
func ActionTarget(kinds ...validator.String) actionschema.SingleNestedAttribute {
	all := In[actionschema.Attribute](TargetAttribute().Attributes)
	kind, _ := all["kind"].(schema.StringAttribute)
	kind.Validators = append(kind.Validators, kinds...)
	all["kind"] = kind
	return actionschema.SingleNestedAttribute{Required: true, Attributes: all}
}

// TargetOf returns the object that a target names. Unknown parts are empty.
func TargetOf(target types.Object) manifest.Identity {
	text := func(name string) string {
		value, _ := target.Attributes()[name].(types.String)
		return value.ValueString()
	}
	return manifest.Identity{
		APIVersion: text("api_version"), Kind: text("kind"), Namespace: text("namespace"), Name: text("name"),
	}
}

// Texts returns strings as values of Terraform.
func Texts(texts []string) []attr.Value {
	values := make([]attr.Value, len(texts))
	for i, text := range texts {
		values[i] = types.StringValue(text)
	}
	return values
}

// OrNull returns a string as a value of Terraform; null if it is empty.
func OrNull(text string) types.String {
	if text == "" {
		return types.StringNull()
	}
	return types.StringValue(text)
}

// ElementsOf returns the elements of a list, a set or a tuple; nil for another value.
func ElementsOf(value attr.Value) []attr.Value {
	if list, is := value.(interface{ Elements() []attr.Value }); is {
		return list.Elements()
	}
	return nil
}
