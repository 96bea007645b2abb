package waits

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// DataSourceAttributes returns the attributes wait and ready of a data source.
func DataSourceAttributes() map[string]schema.Attribute {
	texts := func(description string) schema.MapAttribute {
		return schema.MapAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: description}
	}
	return map[string]schema.Attribute{
		Attribute: schema.SingleNestedAttribute{
			Optional:   true,
			Validators: []validator.Object{nestedValidator{}},
			MarkdownDescription: "Wait in each read until the object is ready, with one watch if it is not ready at " +
				"once. `{}` waits for what ready means for the kind. " +
				hopelessMarkdown + " It takes at most `timeouts.read`; by default `progressDeadlineSeconds` and a " +
				"minute for a Deployment, and 10 minutes for other kinds. The data source does not wait for an " +
				"object that is absent.",
			Attributes: map[string]schema.Attribute{
				"until": schema.StringAttribute{
					Optional: true, MarkdownDescription: fmt.Sprintf(untilMarkdown, "do not wait"),
					Validators: []validator.String{untils},
				},
				"conditions": texts(conditionsMarkdown),
				"fields":     texts(fieldsMarkdown),
				"logs": schema.Int64Attribute{
					Optional: true, Validators: []validator.Int64{lines}, MarkdownDescription: logsMarkdown,
				},
				"on_failure": schema.StringAttribute{
					Optional: true, Validators: []validator.String{failures},
					MarkdownDescription: "What happens if the object is not ready in time, or cannot become ready. " +
						"`fail`, the default: an error. `report`: a warning, and `ready` is false.",
				},
			},
		},
		"ready": schema.BoolAttribute{
			Computed: true,
			MarkdownDescription: "Whether the wait has seen the object ready; null without `wait`, and for an " +
				"object that is absent.",
		},
	}
}
