package connection

import (
	providerschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	resourceschema "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
)

const (
	providerMarkdown = "Cluster of all resources that do not name one themselves. Provider configuration is never " +
		"written to the state. Left out, the environment variables `KUBE_CONFIG_PATH` and `KUBE_CTX` take its place."
	resourceMarkdown = "Cluster of this resource, instead of the provider's. It replaces the provider's connection as a " +
		"whole and is stored in the state, credentials included; the provider's is not."
)

// ProviderAttribute is the attribute `cluster` of the provider, with its validation.
func ProviderAttribute() providerschema.SingleNestedAttribute {
	return providerschema.SingleNestedAttribute{
		MarkdownDescription: providerMarkdown,
		Optional:            true,
		Attributes:          providerAttributes(fields),
		Validators:          []validator.Object{Valid()},
	}
}

// ResourceAttribute is the attribute `cluster` of a resource, with its validation.
func ResourceAttribute() resourceschema.SingleNestedAttribute {
	return resourceschema.SingleNestedAttribute{
		MarkdownDescription: resourceMarkdown,
		Optional:            true,
		Attributes:          resourceAttributes(fields),
		Validators:          []validator.Object{Valid()},
	}
}

// The framework has one set of attribute types for providers and another for resources, hence the two
// functions that differ in nothing else.

func providerAttributes(fields []field) map[string]providerschema.Attribute {
	attributes := make(map[string]providerschema.Attribute, len(fields))
	for _, f := range fields {
		attributes[f.name] = providerAttribute(f)
	}
	return attributes
}

func providerAttribute(f field) providerschema.Attribute {
	needed, sensitive := f.presence == required, f.secrecy == hidden
	switch kind := f.attrType().(type) {
	case types.ObjectType:
		return providerschema.SingleNestedAttribute{
			MarkdownDescription: f.markdown, Optional: true, Attributes: providerAttributes(f.nested),
		}
	case types.ListType:
		return providerschema.ListAttribute{
			MarkdownDescription: f.markdown, Optional: true, Sensitive: sensitive, ElementType: kind.ElemType,
		}
	case types.MapType:
		return providerschema.MapAttribute{
			MarkdownDescription: f.markdown, Optional: true, Sensitive: sensitive, ElementType: kind.ElemType,
		}
	case basetypes.BoolType:
		return providerschema.BoolAttribute{MarkdownDescription: f.markdown, Optional: true, Sensitive: sensitive}
	default:
		return providerschema.StringAttribute{
			MarkdownDescription: f.markdown, Required: needed, Optional: !needed, Sensitive: sensitive,
		}
	}
}

func resourceAttributes(fields []field) map[string]resourceschema.Attribute {
	attributes := make(map[string]resourceschema.Attribute, len(fields))
	for _, f := range fields {
		attributes[f.name] = resourceAttribute(f)
	}
	return attributes
}

func resourceAttribute(f field) resourceschema.Attribute {
	needed, sensitive := f.presence == required, f.secrecy == hidden
	switch kind := f.attrType().(type) {
	case types.ObjectType:
		return resourceschema.SingleNestedAttribute{
			MarkdownDescription: f.markdown, Optional: true, Attributes: resourceAttributes(f.nested),
		}
	case types.ListType:
		return resourceschema.ListAttribute{
			MarkdownDescription: f.markdown, Optional: true, Sensitive: sensitive, ElementType: kind.ElemType,
		}
	case types.MapType:
		return resourceschema.MapAttribute{
			MarkdownDescription: f.markdown, Optional: true, Sensitive: sensitive, ElementType: kind.ElemType,
		}
	case basetypes.BoolType:
		return resourceschema.BoolAttribute{MarkdownDescription: f.markdown, Optional: true, Sensitive: sensitive}
	default:
		return resourceschema.StringAttribute{
			MarkdownDescription: f.markdown, Required: needed, Optional: !needed, Sensitive: sensitive,
		}
	}
}
