package actions

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

func (a *disownAction) Schema(ctx context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	target := attributes.ActionTarget()
	target.Required, target.Optional = false, true
	resp.Schema = a.schema(ctx, map[string]schema.Attribute{
		"managers": schema.SetAttribute{
			Required: true, ElementType: types.StringType,
			Validators: []validator.Set{validators.EachOfSome(attributes.ManagerValidator(attributes.MayEndInStar),
				noLoneStar)},
		},
		"target": target,
		"kinds": schema.ListAttribute{
			Optional: true, ElementType: types.StringType,
			Validators: []validator.List{validators.EachOfSome(reading.KindWithVersion)},
		},
		"namespace":      schema.StringAttribute{Optional: true, Validators: []validator.String{reading.Namespace}},
		"label_selector": schema.StringAttribute{Optional: true, Validators: []validator.String{reading.LabelSelector}},
		"field_selector": schema.StringAttribute{Optional: true, Validators: []validator.String{reading.FieldSelector}},
		"dry_run":        schema.BoolAttribute{Optional: true},
	})
}

var noLoneStar = validators.Text("the names of some managers", func(text string) string {
	if text == "*" {
		return "* means every manager, controllers included.\n\nWrite the names, or the beginning of names and *."
	}
	return ""
})

func neitherTargetNorKinds() diag.Diagnostic {
	return invalid.Missing("Neither target nor kinds is set.\n\nSet target for one object, or kinds for many, for " +
		"example kinds = [\"Deployment\", \"v1 Service\"].")
}

// ValidateConfig reports an error for arguments that name no objects, or that name objects in two ways.
func (a *disownAction) ValidateConfig(
	ctx context.Context, req action.ValidateConfigRequest, resp *action.ValidateConfigResponse,
) {
	var m disownModel
	if resp.Diagnostics.Append(req.Config.Get(ctx, &m)...); resp.Diagnostics.HasError() {
		return
	}
	selectors := map[string]types.String{
		"namespace": m.Namespace, "label_selector": m.LabelSelector, "field_selector": m.FieldSelector,
	}
	switch {
	case m.Target.IsNull() && m.Kinds.IsNull():
		resp.Diagnostics.Append(neitherTargetNorKinds())
	case !m.Target.IsNull() && !m.Kinds.IsNull():
		resp.Diagnostics.Append(invalid.Combination(path.Root("kinds"),
			"kinds and target cannot be set together.\n\nRemove one of them."))
	case !m.Target.IsNull():
		for name, value := range selectors {
			if !value.IsNull() {
				resp.Diagnostics.Append(invalid.Combination(path.Root(name),
					name+" belongs to kinds, and target is set.\n\nRemove "+name+"."))
			}
		}
	}
}
