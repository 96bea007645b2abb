package attributes

import (
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	datasourceschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	ephemeralschema "github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	providerschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	resourceschema "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
)

// schemaBuilder makes the attributes of one kind of schema. The plugin framework has separate types for each
// kind, and the differences do not matter here.
type schemaBuilder[A any] struct {
	text, flag    func(field) A
	list, mapping func(field, attr.Type) A
	object        func(field, map[string]A) A
}

// build returns the attributes that a schemaBuilder makes from fields, by name.
func build[A any](fields []field, of schemaBuilder[A]) map[string]A {
	all := make(map[string]A, len(fields))
	for _, f := range fields {
		switch kind := f.attrType().(type) {
		case types.ObjectType:
			all[f.name] = of.object(f, build(f.nested, of))
		case types.ListType:
			all[f.name] = of.list(f, kind.ElemType)
		case types.MapType:
			all[f.name] = of.mapping(f, kind.ElemType)
		case basetypes.BoolType:
			all[f.name] = of.flag(f)
		default:
			all[f.name] = of.text(f)
		}
	}
	return all
}

func (f field) isRequired() bool { return f.presence == required }

func (f field) isSensitive() bool { return f.secrecy == hidden }

func providerBuilder() schemaBuilder[providerschema.Attribute] {
	return schemaBuilder[providerschema.Attribute]{
		text: func(f field) providerschema.Attribute {
			return providerschema.StringAttribute{
				MarkdownDescription: f.markdown, Required: f.isRequired(), Optional: !f.isRequired(),
				Sensitive: f.isSensitive(),
			}
		},
		flag: func(f field) providerschema.Attribute {
			return providerschema.BoolAttribute{
				MarkdownDescription: f.markdown, Optional: true, Sensitive: f.isSensitive(),
			}
		},
		list: func(f field, of attr.Type) providerschema.Attribute {
			return providerschema.ListAttribute{
				MarkdownDescription: f.markdown, Optional: true, Sensitive: f.isSensitive(), ElementType: of,
			}
		},
		mapping: func(f field, of attr.Type) providerschema.Attribute {
			return providerschema.MapAttribute{
				MarkdownDescription: f.markdown, Optional: true, Sensitive: f.isSensitive(), ElementType: of,
			}
		},
		object: func(f field, nested map[string]providerschema.Attribute) providerschema.Attribute {
			return providerschema.SingleNestedAttribute{
				MarkdownDescription: f.markdown, Optional: true, Attributes: nested,
			}
		},
	}
}

func resourceBuilder() schemaBuilder[resourceschema.Attribute] {
	return schemaBuilder[resourceschema.Attribute]{
		text: func(f field) resourceschema.Attribute {
			return resourceschema.StringAttribute{
				MarkdownDescription: f.markdown, Required: f.isRequired(), Optional: !f.isRequired(),
				Sensitive: f.isSensitive(),
			}
		},
		flag: func(f field) resourceschema.Attribute {
			return resourceschema.BoolAttribute{
				MarkdownDescription: f.markdown, Optional: true, Sensitive: f.isSensitive(),
			}
		},
		list: func(f field, of attr.Type) resourceschema.Attribute {
			return resourceschema.ListAttribute{
				MarkdownDescription: f.markdown, Optional: true, Sensitive: f.isSensitive(), ElementType: of,
			}
		},
		mapping: func(f field, of attr.Type) resourceschema.Attribute {
			return resourceschema.MapAttribute{
				MarkdownDescription: f.markdown, Optional: true, Sensitive: f.isSensitive(), ElementType: of,
			}
		},
		object: func(f field, nested map[string]resourceschema.Attribute) resourceschema.Attribute {
			return resourceschema.SingleNestedAttribute{
				MarkdownDescription: f.markdown, Optional: true, Attributes: nested,
			}
		},
	}
}

func dataSourceBuilder() schemaBuilder[datasourceschema.Attribute] {
	return schemaBuilder[datasourceschema.Attribute]{
		text: func(f field) datasourceschema.Attribute {
			return datasourceschema.StringAttribute{
				MarkdownDescription: f.markdown, Required: f.isRequired(), Optional: !f.isRequired(),
				Sensitive: f.isSensitive(),
			}
		},
		flag: func(f field) datasourceschema.Attribute {
			return datasourceschema.BoolAttribute{
				MarkdownDescription: f.markdown, Optional: true, Sensitive: f.isSensitive(),
			}
		},
		list: func(f field, of attr.Type) datasourceschema.Attribute {
			return datasourceschema.ListAttribute{
				MarkdownDescription: f.markdown, Optional: true, Sensitive: f.isSensitive(), ElementType: of,
			}
		},
		mapping: func(f field, of attr.Type) datasourceschema.Attribute {
			return datasourceschema.MapAttribute{
				MarkdownDescription: f.markdown, Optional: true, Sensitive: f.isSensitive(), ElementType: of,
			}
		},
		object: func(f field, nested map[string]datasourceschema.Attribute) datasourceschema.Attribute {
			return datasourceschema.SingleNestedAttribute{
				MarkdownDescription: f.markdown, Optional: true, Attributes: nested,
			}
		},
	}
}

func ephemeralBuilder() schemaBuilder[ephemeralschema.Attribute] {
	return schemaBuilder[ephemeralschema.Attribute]{
		text: func(f field) ephemeralschema.Attribute {
			return ephemeralschema.StringAttribute{
				MarkdownDescription: f.markdown, Required: f.isRequired(), Optional: !f.isRequired(),
				Sensitive: f.isSensitive(),
			}
		},
		flag: func(f field) ephemeralschema.Attribute {
			return ephemeralschema.BoolAttribute{
				MarkdownDescription: f.markdown, Optional: true, Sensitive: f.isSensitive(),
			}
		},
		list: func(f field, of attr.Type) ephemeralschema.Attribute {
			return ephemeralschema.ListAttribute{
				MarkdownDescription: f.markdown, Optional: true, Sensitive: f.isSensitive(), ElementType: of,
			}
		},
		mapping: func(f field, of attr.Type) ephemeralschema.Attribute {
			return ephemeralschema.MapAttribute{
				MarkdownDescription: f.markdown, Optional: true, Sensitive: f.isSensitive(), ElementType: of,
			}
		},
		object: func(f field, nested map[string]ephemeralschema.Attribute) ephemeralschema.Attribute {
			return ephemeralschema.SingleNestedAttribute{
				MarkdownDescription: f.markdown, Optional: true, Attributes: nested,
			}
		},
	}
}

// listBuilder marks no attribute as sensitive: the schema of a list resource has no mark for that, and Terraform does
// not store these attributes.
func listBuilder() schemaBuilder[listschema.Attribute] {
	return schemaBuilder[listschema.Attribute]{
		text: func(f field) listschema.Attribute {
			return listschema.StringAttribute{
				MarkdownDescription: f.markdown, Required: f.isRequired(), Optional: !f.isRequired(),
			}
		},
		flag: func(f field) listschema.Attribute {
			return listschema.BoolAttribute{MarkdownDescription: f.markdown, Optional: true}
		},
		list: func(f field, of attr.Type) listschema.Attribute {
			return listschema.ListAttribute{MarkdownDescription: f.markdown, Optional: true, ElementType: of}
		},
		mapping: func(f field, of attr.Type) listschema.Attribute {
			return listschema.MapAttribute{MarkdownDescription: f.markdown, Optional: true, ElementType: of}
		},
		object: func(f field, nested map[string]listschema.Attribute) listschema.Attribute {
			return listschema.SingleNestedAttribute{MarkdownDescription: f.markdown, Optional: true, Attributes: nested}
		},
	}
}

func actionBuilder() schemaBuilder[actionschema.Attribute] {
	return schemaBuilder[actionschema.Attribute]{
		text: func(f field) actionschema.Attribute {
			return actionschema.StringAttribute{
				MarkdownDescription: f.markdown, Required: f.isRequired(), Optional: !f.isRequired(),
			}
		},
		flag: func(f field) actionschema.Attribute {
			return actionschema.BoolAttribute{MarkdownDescription: f.markdown, Optional: true}
		},
		list: func(f field, of attr.Type) actionschema.Attribute {
			return actionschema.ListAttribute{MarkdownDescription: f.markdown, Optional: true, ElementType: of}
		},
		mapping: func(f field, of attr.Type) actionschema.Attribute {
			return actionschema.MapAttribute{MarkdownDescription: f.markdown, Optional: true, ElementType: of}
		},
		object: func(f field, nested map[string]actionschema.Attribute) actionschema.Attribute {
			return actionschema.SingleNestedAttribute{
				MarkdownDescription: f.markdown, Optional: true, Attributes: nested,
			}
		},
	}
}
