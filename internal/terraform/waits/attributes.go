package waits

import (
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	datasourceschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

// Attribute is the name of the argument of resources that apply an object.
const Attribute = "wait"

// Attributes returns the attributes of a resource that applies an object, or patches one: wait and ready.
func Attributes(patches bool) map[string]schema.Attribute {
	if patches {
		return waitAndReady()
	}
	return waitAndReady("replace", "undo")
}

// waitAndReady returns the attributes wait and ready. failures are as those of arguments.
func waitAndReady(failures ...string) map[string]schema.Attribute {
	return map[string]schema.Attribute{
		Attribute: schema.SingleNestedAttribute{
			Optional: true, Attributes: arguments(failures...),
			Validators: []validator.Object{nestedValidator{"conditions and fields to wait for"}},
		},
		"ready": schema.BoolAttribute{Computed: true},
	}
}

// TopLevel returns the attributes of a resource that only waits: the arguments of wait, and ready.
func TopLevel() map[string]schema.Attribute {
	all := arguments()
	all["ready"] = schema.BoolAttribute{Computed: true}
	return all
}

// ActionAttributes returns the arguments of an action that waits.
func ActionAttributes() map[string]actionschema.Attribute {
	all := map[string]actionschema.Attribute{}
	for name, attribute := range arguments() {
		all[name] = attribute
	}
	return all
}

// DataSourceAttributes returns the attributes wait and ready of a data source.
func DataSourceAttributes() map[string]datasourceschema.Attribute {
	all := map[string]datasourceschema.Attribute{}
	for name, attribute := range waitAndReady() {
		all[name] = attribute
	}
	return all
}

// arguments returns the arguments of a wait, which fit into each kind of schema. failures are values of on_failure
// other than fail and report.
func arguments(failures ...string) map[string]schema.Attribute {
	texts := schema.MapAttribute{Optional: true, ElementType: types.StringType}
	return map[string]schema.Attribute{
		"until": schema.StringAttribute{
			Optional: true, Validators: []validator.String{validators.OneOf("ready", "exists")},
		},
		"conditions": texts, "fields": texts,
		"logs": schema.Int64Attribute{
			Optional: true, Validators: []validator.Int64{validators.Between(1, waiting.MostLogLines)},
		},
		"on_failure": schema.StringAttribute{
			Optional:   true,
			Validators: []validator.String{validators.OneOf(append([]string{"fail", "report"}, failures...)...)},
		},
	}
}
