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
func TargetAttribute() schema.SingleNestedAttribute {
	notEmpty := []validator.String{validators.NotEmpty()}
	needed := schema.StringAttribute{Required: true, Validators: notEmpty}
	return schema.SingleNestedAttribute{Required: true, Attributes: map[string]schema.Attribute{
		"api_version": needed, "kind": needed, "name": needed,
		"namespace": schema.StringAttribute{Optional: true, Validators: notEmpty},
	}}
}

// ActionTarget returns the attribute target of an action. kinds validate the kind.
func ActionTarget(kinds ...validator.String) actionschema.SingleNestedAttribute {
	all := map[string]actionschema.Attribute{}
	for name, attribute := range TargetAttribute().Attributes {
		all[name] = attribute
	}
	kind, _ := all["kind"].(schema.StringAttribute)
	kind.Validators = append(kind.Validators, kinds...)
	all["kind"] = kind
	return actionschema.SingleNestedAttribute{Required: true, Attributes: all}
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
