package waits

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/readiness"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/waiting"
)

// Attribute is the name of the argument.
const Attribute = "wait"

// Attributes returns the two attributes.
func Attributes() map[string]schema.Attribute {
	texts := func(description string) schema.MapAttribute {
		return schema.MapAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: description}
	}
	return map[string]schema.Attribute{
		Attribute: schema.SingleNestedAttribute{
			Optional:   true,
			Validators: []validator.Object{waitValidator{}},
			MarkdownDescription: "Wait after each apply until the object is ready, with one watch. `{}` waits for what ready means for the kind: a Deployment is rolled out, a " +
				"Job is complete, a custom resource has the condition Ready. The wait ends early if the object reports that it cannot become ready. It takes at most " +
				"`timeouts.create` or `timeouts.update`; by default `progressDeadlineSeconds` and a minute for a Deployment, and 10 minutes for other kinds.",
			Attributes: map[string]schema.Attribute{
				"until": schema.StringAttribute{
					Optional:            true,
					MarkdownDescription: "`ready`, the default, or `exists`: do not wait. `conditions` and `fields` replace `ready`.",
					Validators:          []validator.String{stringvalidator.OneOf("ready", "exists")},
				},
				"conditions": texts("The status of conditions by their types, for example `{ Available = \"True\" }`. All have to hold, for the latest generation of the object."),
				"fields": texts("Values of fields by their paths, for example `{ \"status.loadBalancer.ingress[0].ip\" = \"*\" }`: the value, `*` for any value, or a regular " +
					"expression such as `/^v1/`. All have to hold."),
				"on_failure": schema.StringAttribute{
					Optional: true,
					MarkdownDescription: "What happens if the object is not ready in time, or cannot become ready. `fail`, the default: an error. Terraform taints an object that " +
						"was created. After an update, the next plan has the change again. `report`: a warning, and `ready` is false. A `postcondition` " +
						"with `self.ready` then fails the run and taints nothing.",
					Validators: []validator.String{stringvalidator.OneOf("fail", "report")},
				},
			},
		},
		"ready": schema.BoolAttribute{
			Computed: true,
			MarkdownDescription: "Whether the last wait has seen the object ready; null without `wait`. A read makes it true if the object has become ready since, and never " +
				"false. As long as it is false, each apply waits again.",
		},
	}
}

// Wait is the value of the attribute.
type Wait struct {
	// Judge is nil where nothing is waited for.
	Judge waiting.Judge
	// Reports says that a failure is a warning.
	Reports bool
	// Fields are the paths that are waited for.
	Fields []string
}

// Of reads the attribute. An error is a *readiness.InputError.
func Of(value types.Object) (Wait, error) {
	given := value.Attributes()
	text := func(name string) string {
		got, _ := given[name].(types.String)
		return got.ValueString()
	}
	texts := func(name string) map[string]string {
		got, _ := given[name].(types.Map)
		all := map[string]string{}
		for key, element := range got.Elements() {
			value, _ := element.(types.String)
			all[key] = value.ValueString()
		}
		return all
	}
	conditions, fields := texts("conditions"), texts("fields")
	wait := Wait{Reports: text("on_failure") == "report", Fields: slices.Sorted(maps.Keys(fields))}
	expected, err := readiness.Expect(conditions, fields)
	if err != nil {
		return wait, err
	}
	switch {
	case len(conditions)+len(fields) > 0 && text("until") != "":
		return wait, &readiness.InputError{Attribute: "until", Key: text("until"), Problem: "conditions or fields say already what to wait for", Suggestion: "Remove one of them."}
	case len(conditions)+len(fields) > 0:
		wait.Judge = expected.Of
	case text("until") != "exists":
		wait.Judge = readiness.Of
	}
	return wait, nil
}
