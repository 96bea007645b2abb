package patchresource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patches"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

func (r *patchResource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = attributes.Schema(ctx, names.Type, map[string]schema.Attribute{
		"target": attributes.TargetAttribute(),
		"yaml_body": schema.StringAttribute{
			Optional: true,
			Validators: []validator.String{
				attributes.PartValidator(),
				validators.AtLeastOneOf(model.ManifestAttribute, model.PatchAttribute, "remove_fields"),
			},
			PlanModifiers: []planmodifier.String{attributes.KeepEqualPart()},
		},
		model.ManifestAttribute: schema.DynamicAttribute{
			Optional:   true,
			Validators: []validator.Dynamic{attributes.PartObjectValidator(), validators.Excludes("yaml_body")},
		},
		model.PatchAttribute: schema.SingleNestedAttribute{
			Optional: true,
			Attributes: map[string]schema.Attribute{
				"type": schema.StringAttribute{
					Required: true,
					Validators: []validator.String{validators.OneOf(string(patches.JSON), string(patches.Merge),
						string(patches.Strategic))},
				},
				"body": schema.StringAttribute{
					Required: true, PlanModifiers: []planmodifier.String{attributes.KeepEqualPatch()},
				},
				model.ListKeysAttribute: schema.MapAttribute{
					Optional: true, ElementType: types.SetType{ElemType: types.StringType},
				},
			},
			Validators: []validator.Object{validators.Excludes("yaml_body", model.ManifestAttribute,
				model.WriteOnlyAttribute, "remove_fields", "ignore_fields")},
		},
		"subresource": schema.StringAttribute{
			Optional: true,
			Validators: []validator.String{
				validators.OneOf(manifest.Status), validators.Excludes("remove_fields", "ignore_fields"),
			},
		},
		"added_fields": schema.SetAttribute{Computed: true, ElementType: types.StringType},
	})
}
