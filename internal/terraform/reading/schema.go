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
	all["namespace"] = schema.StringAttribute{
		Optional: true, Validators: []validator.String{Namespace},
		MarkdownDescription: "Namespace of the objects. Default: all namespaces. Leave it out for a cluster-scoped " +
			"kind.",
	}
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
	maps.Copy(all, result("`metadata.managedFields` is left out, and so are the data of a Secret and the copy of them "+
		"that `kubectl apply` keeps in an annotation."))
	return all
}

// EphemeralAttributes returns the same attributes as ObjectAttributes, for an ephemeral resource.
func EphemeralAttributes() map[string]ephemeralschema.Attribute {
	of := target()
	maps.Copy(of, result("`metadata.managedFields` is left out. The data of a Secret are base64 here."))
	all := attributes.ConnectionOfEphemeral()
	for name, attribute := range of {
		all[name] = attribute
	}
	return all
}

func ofKind() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"api_version": schema.StringAttribute{
			Required: true, Validators: []validator.String{APIVersion},
			MarkdownDescription: "API version of the object, for example `v1` or `apps/v1`.",
		},
		"kind": schema.StringAttribute{
			Required: true, Validators: []validator.String{Kind},
			MarkdownDescription: "Kind of the object, for example `Deployment`.",
		},
	}
}

func target() map[string]schema.Attribute {
	all := ofKind()
	all["name"] = schema.StringAttribute{
		Required: true, Validators: []validator.String{name}, MarkdownDescription: "Name of the object.",
	}
	all["namespace"] = schema.StringAttribute{
		Optional: true, Computed: true, Validators: []validator.String{Namespace},
		MarkdownDescription: "Namespace of the object. Default: the namespace of the connection's context. Leave it " +
			"out for a cluster-scoped kind.",
	}
	return all
}

// result returns the attributes of the object that was read, and optional. leftOut is a sentence about the fields that
// object lacks.
func result(leftOut string) map[string]schema.Attribute {
	return map[string]schema.Attribute{
		OptionalAttribute: schema.BoolAttribute{
			Optional: true,
			MarkdownDescription: "Whether the object may be absent. `exists` is false then, and `object` is null. " +
				"That includes a kind whose CustomResourceDefinition is not installed; a built-in kind that the " +
				"cluster does not serve is always an error. Default: `false`.",
		},
		"object": schema.DynamicAttribute{
			Computed: true,
			MarkdownDescription: "The object as the API server returns it, status included: " +
				"`object.status.loadBalancer.ingress[0].ip`, " +
				"`object.metadata.labels[\"app.kubernetes.io/name\"]`. " + leftOut,
		},
		"exists": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the object exists."},
		"id": schema.StringAttribute{
			Computed: true,
			MarkdownDescription: "The import ID of the object: " +
				"`apiVersion=apps/v1,kind=Deployment,namespace=default,name=web`.",
		},
		"secret_data": schema.MapAttribute{
			Computed: true, ElementType: types.StringType, Sensitive: true,
			MarkdownDescription: "The decoded data of a Secret, as far as they are text; null for other kinds.",
		},
		"secret_data_base64": schema.MapAttribute{
			Computed: true, ElementType: types.StringType, Sensitive: true,
			MarkdownDescription: "The data of a Secret that Terraform cannot hold as text, as base64: bytes that are " +
				"not UTF-8, for example a keystore, and text that is not in Unicode's normalization form C, which " +
				"Terraform would change. A key is in one of the two maps.",
		},
	}
}
