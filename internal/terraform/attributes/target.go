package attributes

import (
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

// TargetAttribute returns the attribute target: an object that another client creates.
func TargetAttribute(description string) schema.SingleNestedAttribute {
	notEmpty := []validator.String{validators.NotEmpty()}
	return schema.SingleNestedAttribute{
		Required:            true,
		MarkdownDescription: description,
		Attributes: map[string]schema.Attribute{
			"api_version": schema.StringAttribute{
				Required: true, MarkdownDescription: "API version, for example `apps/v1`.", Validators: notEmpty,
			},
			"kind": schema.StringAttribute{
				Required: true, MarkdownDescription: "Kind, for example `DaemonSet`.", Validators: notEmpty,
			},
			"namespace": schema.StringAttribute{
				Optional: true, Validators: notEmpty,
				MarkdownDescription: "Namespace. Leave it out for a cluster-scoped kind. Default: the namespace of " +
					"the connection.",
			},
			"name": schema.StringAttribute{Required: true, MarkdownDescription: "Name.", Validators: notEmpty},
		},
	}
}

// ActionTarget returns the attribute target of an action. kinds validate the kind.
func ActionTarget(description string, kinds ...validator.String) actionschema.SingleNestedAttribute {
	all := map[string]actionschema.Attribute{}
	for name, attribute := range TargetAttribute("").Attributes {
		text, _ := attribute.(schema.StringAttribute)
		validators := text.Validators
		if name == "kind" {
			validators = append(validators, kinds...)
		}
		all[name] = actionschema.StringAttribute{
			Required: text.Required, Optional: text.Optional, MarkdownDescription: text.MarkdownDescription,
			Validators: validators,
		}
	}
	return actionschema.SingleNestedAttribute{Required: true, MarkdownDescription: description, Attributes: all}
}

// TargetOf returns the object that a target names. Unknown parts are empty.
func TargetOf(target types.Object) manifest.Identity {
	text := func(name string) string {
		value, _ := target.Attributes()[name].(types.String)
		return value.ValueString()
	}
	return manifest.Identity{
		APIVersion: text("api_version"), Kind: text("kind"), Namespace: text("namespace"), Name: text("name"),
	}
}
