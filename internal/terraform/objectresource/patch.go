package objectresource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patches"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/moving"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/objectkit"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

var (
	patchNames = namesOf("k8sconnect_patch", "target")
	// patchSources are the resources of other providers that apply part of an object.
	patchSources = moving.Sources{moving.Labels, moving.Annotations, moving.ConfigMapData, moving.Env, moving.NodeTaint}
)

// NewPatch returns the resource k8sconnect_patch: some fields of an object that another client created, applied by
// server-side apply or another patch. schemas are what it validates objects against.
func NewPatch(schemas *providerdata.Schemas) resource.Resource {
	return &Resource{
		Objects: objectkit.Objects{Names: patchNames, IsPart: true}, schemas: schemas,
		attributes: ofPatch, sources: patchSources, setMoved: setPatch,
	}
}

func ofPatch() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"target": attributes.TargetAttribute(),
		"yaml_body": schema.StringAttribute{
			Optional: true,
			Validators: []validator.String{
				attributes.PartValidator(),
				validators.AtLeastOneOf(model.ManifestAttribute, model.PatchAttribute, "remove_fields"),
			},
			PlanModifiers: []planmodifier.String{attributes.KeepEqual(manifest.EqualPart)},
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
					Required: true, PlanModifiers: []planmodifier.String{attributes.KeepEqual(patches.EqualBody)},
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
	}
}

// setPatch sets the object and the fields of a patch.
func setPatch(ctx context.Context, state *tfsdk.State, moved moving.Moved) diag.Diagnostics {
	diags := state.SetAttribute(ctx, path.Root("yaml_body"), moved.Body)
	target := map[string]string{
		"api_version": moved.Object.APIVersion, "kind": moved.Object.Kind, "name": moved.Object.Name,
	}
	if moved.Object.Namespace != "" {
		target["namespace"] = moved.Object.Namespace
	}
	for name, text := range target {
		diags.Append(state.SetAttribute(ctx, path.Root("target").AtName(name), text)...)
	}
	return diags
}
