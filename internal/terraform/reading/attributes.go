package reading

import (
	datasourceschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	ephemeralschema "github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// attribute is an attribute of a data source or of an ephemeral resource. The plugin framework has separate types for
// the two.
type attribute struct {
	name, markdown string
	form           form
	presence       presence
	sensitive      bool
	validators     []validator.String
}

type form string

const (
	asText  form = "text"
	asFlag  form = "flag"
	asTexts form = "map of texts"
	asValue form = "value of any type"
)

type presence string

const (
	required presence = "required"
	optional presence = "optional"
	// defaulted is optional, and computed if it is not set.
	defaulted presence = "defaulted"
	computed  presence = "computed"
)

func (a attribute) isRequired() bool { return a.presence == required }

func (a attribute) isOptional() bool { return a.presence == optional || a.presence == defaulted }

func (a attribute) isComputed() bool { return a.presence == computed || a.presence == defaulted }

func (a attribute) ofDataSource() datasourceschema.Attribute {
	switch a.form {
	case asFlag:
		return datasourceschema.BoolAttribute{
			MarkdownDescription: a.markdown, Optional: a.isOptional(), Computed: a.isComputed(),
		}
	case asTexts:
		return datasourceschema.MapAttribute{
			MarkdownDescription: a.markdown, ElementType: types.StringType, Computed: a.isComputed(),
			Sensitive: a.sensitive,
		}
	case asValue:
		return datasourceschema.DynamicAttribute{MarkdownDescription: a.markdown, Computed: a.isComputed()}
	default:
		return datasourceschema.StringAttribute{
			MarkdownDescription: a.markdown, Required: a.isRequired(), Optional: a.isOptional(),
			Computed: a.isComputed(), Validators: a.validators,
		}
	}
}

func (a attribute) ofEphemeralResource() ephemeralschema.Attribute {
	switch a.form {
	case asFlag:
		return ephemeralschema.BoolAttribute{
			MarkdownDescription: a.markdown, Optional: a.isOptional(), Computed: a.isComputed(),
		}
	case asTexts:
		return ephemeralschema.MapAttribute{
			MarkdownDescription: a.markdown, ElementType: types.StringType, Computed: a.isComputed(),
			Sensitive: a.sensitive,
		}
	case asValue:
		return ephemeralschema.DynamicAttribute{MarkdownDescription: a.markdown, Computed: a.isComputed()}
	default:
		return ephemeralschema.StringAttribute{
			MarkdownDescription: a.markdown, Required: a.isRequired(), Optional: a.isOptional(),
			Computed: a.isComputed(), Validators: a.validators,
		}
	}
}
