package reading

import (
	"slices"

	datasourceschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	ephemeralschema "github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
)

// OptionalAttribute is the name of the argument that allows the object to be absent.
const OptionalAttribute = "optional"

// CollectionAttributes returns the arguments that name the objects of a kind.
func CollectionAttributes() map[string]datasourceschema.Attribute {
	return ofDataSource(append(ofKind(), attribute{
		name: "namespace", presence: optional, form: asText, validators: []validator.String{Namespace},
		markdown: "Namespace of the objects. Default: all namespaces. Leave it out for a cluster-scoped kind.",
	}))
}

// TargetAttributes returns the arguments that name one object.
func TargetAttributes() map[string]datasourceschema.Attribute { return ofDataSource(target()) }

// ObjectAttributes returns TargetAttributes and the attributes of the object that was read.
func ObjectAttributes() map[string]datasourceschema.Attribute {
	return ofDataSource(slices.Concat(target(), result("`metadata.managedFields` is left out, and so are the data of "+
		"a Secret and the copy of them that `kubectl apply` keeps in an annotation.")))
}

// EphemeralAttributes returns the same attributes as ObjectAttributes, for an ephemeral resource.
func EphemeralAttributes() map[string]ephemeralschema.Attribute {
	all := attributes.ConnectionOfEphemeral()
	for _, a := range slices.Concat(target(), result("`metadata.managedFields` is left out. The data of a Secret "+
		"are base64 here.")) {
		all[a.name] = a.ofEphemeralResource()
	}
	return all
}

func ofDataSource(of []attribute) map[string]datasourceschema.Attribute {
	all := attributes.ConnectionOfDataSource()
	for _, a := range of {
		all[a.name] = a.ofDataSource()
	}
	return all
}

func ofKind() []attribute {
	return []attribute{
		{
			name: "api_version", presence: required, form: asText, validators: []validator.String{APIVersion},
			markdown: "API version of the object, for example `v1` or `apps/v1`.",
		},
		{
			name: "kind", presence: required, form: asText, validators: []validator.String{Kind},
			markdown: "Kind of the object, for example `Deployment`.",
		},
	}
}

func target() []attribute {
	return append(ofKind(),
		attribute{
			name: "name", presence: required, form: asText, validators: []validator.String{name},
			markdown: "Name of the object.",
		},
		attribute{
			name: "namespace", presence: defaulted, form: asText, validators: []validator.String{Namespace},
			markdown: "Namespace of the object. Default: the namespace of the connection's context. Leave it out " +
				"for a cluster-scoped kind.",
		},
	)
}

func result(leftOut string) []attribute {
	return []attribute{
		{
			name: OptionalAttribute, presence: optional, form: asFlag,
			markdown: "Whether the object may be absent. `exists` is false then, and `object` is null. That includes " +
				"a kind whose CustomResourceDefinition is not installed; a built-in kind that the cluster does not " +
				"serve is always an error. Default: `false`.",
		},
		{
			name: "object", presence: computed, form: asValue,
			markdown: "The object as the API server returns it, status included: " +
				"`object.status.loadBalancer.ingress[0].ip`, " +
				"`object.metadata.labels[\"app.kubernetes.io/name\"]`. " + leftOut,
		},
		{name: "exists", presence: computed, form: asFlag, markdown: "Whether the object exists."},
		{
			name: "id", presence: computed, form: asText,
			markdown: "The import ID of the object: `apiVersion=apps/v1,kind=Deployment,namespace=default,name=web`.",
		},
		{
			name: "secret_data", presence: computed, form: asTexts, sensitive: true,
			markdown: "The decoded data of a Secret, as far as they are text; null for other kinds.",
		},
		{
			name: "secret_data_base64", presence: computed, form: asTexts, sensitive: true,
			markdown: "The data of a Secret that Terraform cannot hold as text, as base64: bytes that are not UTF-8, " +
				"for example a keystore, and text that is not in Unicode's normalization form C, which Terraform " +
				"would change. A key is in one of the two maps.",
		},
	}
}
