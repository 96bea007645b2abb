package waits

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// ActionAttributes returns the arguments of an action that waits.
func ActionAttributes() map[string]schema.Attribute {
	texts := func(description string) schema.MapAttribute {
		return schema.MapAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: description}
	}
	return map[string]schema.Attribute{
		"until": schema.StringAttribute{
			Optional: true, Validators: []validator.String{untils},
			MarkdownDescription: fmt.Sprintf(untilMarkdown, "wait only until the object exists"),
		},
		"conditions": texts(conditionsMarkdown),
		"fields":     texts(fieldsMarkdown),
		"logs": schema.Int64Attribute{
			Optional: true, Validators: []validator.Int64{lines}, MarkdownDescription: logsMarkdown,
		},
		"on_failure": schema.StringAttribute{
			Optional: true, Validators: []validator.String{failures},
			MarkdownDescription: "What happens if the object is not ready in time, or cannot become ready. `fail`, " +
				"the default: an error. `report`: a warning.",
		},
	}
}
