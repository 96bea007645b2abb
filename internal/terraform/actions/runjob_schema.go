package actions

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

func (a *runJobAction) Schema(ctx context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	notEmpty := []validator.String{validators.NotEmpty()}
	resp.Schema = a.schema(ctx, map[string]schema.Attribute{
		"cron_job": schema.SingleNestedAttribute{Optional: true, Attributes: map[string]schema.Attribute{
			"namespace": schema.StringAttribute{Optional: true, Validators: notEmpty},
			"name":      schema.StringAttribute{Required: true, Validators: notEmpty},
		}},
		"yaml_body": schema.StringAttribute{Optional: true},
		"manifest":  schema.DynamicAttribute{Optional: true},
		"ttl_seconds_after_finished": schema.Int64Attribute{
			Optional: true, Validators: []validator.Int64{validators.AtLeast(0)},
		},
		"sensitive_fields": schema.SetAttribute{
			Optional: true, ElementType: types.StringType,
			Validators: []validator.Set{attributes.FieldPathsValidator("sensitive_fields")},
		},
		"wait": schema.BoolAttribute{Optional: true},
	})
}
