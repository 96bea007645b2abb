package connection

import (
	"fmt"

	providerschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	resourceschema "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
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

func providerAttributes(fields []field) map[string]providerschema.Attribute {
	attributes := make(map[string]providerschema.Attribute, len(fields))
	for _, f := range fields {
		if f.nested != nil {
			attributes[f.name] = providerschema.SingleNestedAttribute{
				MarkdownDescription: f.markdown, Optional: true, Attributes: providerAttributes(f.nested),
			}
			continue
		}
		sensitive := f.secrecy == hidden
		switch kind := f.kind.(type) {
		case types.ListType:
			attributes[f.name] = providerschema.ListAttribute{
				MarkdownDescription: f.markdown, Optional: true, Sensitive: sensitive, ElementType: kind.ElemType,
			}
		case types.MapType:
			attributes[f.name] = providerschema.MapAttribute{
				MarkdownDescription: f.markdown, Optional: true, Sensitive: sensitive, ElementType: kind.ElemType,
			}
		default:
			switch f.kind {
			case types.BoolType:
				attributes[f.name] = providerschema.BoolAttribute{MarkdownDescription: f.markdown, Optional: true, Sensitive: sensitive}
			case types.StringType:
				attributes[f.name] = providerschema.StringAttribute{MarkdownDescription: f.markdown, Optional: true, Sensitive: sensitive}
			default:
				panic(fmt.Sprintf("no schema for the type of %s", f.name))
			}
		}
	}
	return attributes
}

func resourceAttributes(fields []field) map[string]resourceschema.Attribute {
	attributes := make(map[string]resourceschema.Attribute, len(fields))
	for _, f := range fields {
		if f.nested != nil {
			attributes[f.name] = resourceschema.SingleNestedAttribute{
				MarkdownDescription: f.markdown, Optional: true, Attributes: resourceAttributes(f.nested),
			}
			continue
		}
		sensitive := f.secrecy == hidden
		switch kind := f.kind.(type) {
		case types.ListType:
			attributes[f.name] = resourceschema.ListAttribute{
				MarkdownDescription: f.markdown, Optional: true, Sensitive: sensitive, ElementType: kind.ElemType,
			}
		case types.MapType:
			attributes[f.name] = resourceschema.MapAttribute{
				MarkdownDescription: f.markdown, Optional: true, Sensitive: sensitive, ElementType: kind.ElemType,
			}
		default:
			switch f.kind {
			case types.BoolType:
				attributes[f.name] = resourceschema.BoolAttribute{MarkdownDescription: f.markdown, Optional: true, Sensitive: sensitive}
			case types.StringType:
				attributes[f.name] = resourceschema.StringAttribute{MarkdownDescription: f.markdown, Optional: true, Sensitive: sensitive}
			default:
				panic(fmt.Sprintf("no schema for the type of %s", f.name))
			}
		}
	}
	return attributes
}
