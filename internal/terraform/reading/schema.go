package reading

import (
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	ephemeralschema "github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
)

// OptionalAttribute is the name of the argument that allows the object to be absent.
const OptionalAttribute = "optional"

// CollectionAttributes returns the arguments that name the objects of a kind.
func CollectionAttributes() map[string]schema.Attribute {
	all := ofKind()
	all["namespace"] = schema.StringAttribute{Optional: true, Validators: []validator.String{Namespace}}
	maps.Copy(all, attributes.ConnectionOfDataSource())
	return all
}

// TargetAttributes returns the arguments that name one object.
func TargetAttributes() map[string]schema.Attribute {
	all := target()
	maps.Copy(all, attributes.ConnectionOfDataSource())
	return all
}

// ObjectAttributes returns TargetAttributes and the attributes of the object that was read.
func ObjectAttributes() map[string]schema.Attribute {
	all := TargetAttributes()
	maps.Copy(all, result())
	return all
}

// EphemeralAttributes returns the same attributes as ObjectAttributes, for an ephemeral resource.
func EphemeralAttributes() map[string]ephemeralschema.Attribute {
	of := target()
	maps.Copy(of, result())
	all := attributes.ConnectionOfEphemeral()
	for name, attribute := range of {
		all[name] = attribute
	}
	return all
}

func ofKind() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"api_version": schema.StringAttribute{Required: true, Validators: []validator.String{APIVersion}},
		"kind":        schema.StringAttribute{Required: true, Validators: []validator.String{Kind}},
	}
}

func target() map[string]schema.Attribute {
	all := ofKind()
	all["name"] = schema.StringAttribute{Required: true, Validators: []validator.String{name}}
	all["namespace"] = schema.StringAttribute{Optional: true, Computed: true, Validators: []validator.String{Namespace}}
	return all
}

// result returns the attributes of the object that was read, and optional.
func result() map[string]schema.Attribute {
	secrets := schema.MapAttribute{Computed: true, ElementType: types.StringType, Sensitive: true}
	return map[string]schema.Attribute{
		OptionalAttribute: schema.BoolAttribute{Optional: true},
		"object":          schema.DynamicAttribute{Computed: true},
		"exists":          schema.BoolAttribute{Computed: true},
		"id":              schema.StringAttribute{Computed: true},
		"secret_data":     secrets, "secret_data_base64": secrets,
	}
}
