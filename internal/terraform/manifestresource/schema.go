package manifestresource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

func (r *manifestResource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = attributes.Schema(ctx, names.Type, map[string]schema.Attribute{
		"yaml_body": schema.StringAttribute{
			Optional: true,
			Validators: []validator.String{
				attributes.ManifestValidator(), validators.ExactlyOneOf(model.ManifestAttribute),
			},
			PlanModifiers: []planmodifier.String{attributes.KeepEqualManifest()},
		},
		model.ManifestAttribute: schema.DynamicAttribute{
			Optional: true, Validators: []validator.Dynamic{attributes.ManifestObjectValidator()},
		},
		"pinned":    attributes.ComputedTexts(),
		"additions": attributes.Additions(),
	})
}
