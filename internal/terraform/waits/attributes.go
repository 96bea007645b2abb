package waits

import (
	"fmt"
	"maps"

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

// existsOnly describes what until = "exists" does, if the block does nothing but wait.
const existsOnly = "wait only until the object exists"

// The descriptions that schemas share. untilMarkdown contains a placeholder for the effect of until = "exists".
const (
	untilMarkdown      = "`ready`, the default, or `exists`: %s. `conditions` and `fields` replace `ready`."
	conditionsMarkdown = "The status of conditions by their types, for example `{ Available = \"True\" }`. All have " +
		"to hold, for the latest generation of the object."
	fieldsMarkdown = "Values of fields by their paths, for example `{ \"status.loadBalancer.ingress[0].ip\" = \"*\" " +
		"}`: the value, `*` for any value, or a regular expression such as `/^v1/`. All have to hold."
	logsMarkdown = "How many of the last lines that the failing container has written a failure shows, at most 100. " +
		"None by default: a log may hold secrets, of which the provider removes only those that it knows. It needs " +
		"the verb get for `pods/log`."
	reportMarkdown = ". `report`: a warning, and `ready` is false. A `postcondition` with `self.ready` then fails " +
		"the " +
		"run and taints nothing."
	hopelessMarkdown = "The wait ends early if the object reports that it cannot become ready, or if the pods of a " +
		"workload cannot start."
)

// Attributes returns the attributes of a resource that applies an object, or patches one: wait and ready.
func Attributes(patches bool) map[string]schema.Attribute {
	failing, more := "an error. Terraform taints an object that was created, and the next apply updates it in place. "+
		"After an update, the next plan has the change again. `replace`: the same, but the next apply deletes such "+
		"an object and creates it again. `undo`: after an update, the apply sets back what it has changed and nobody "+
		"else has written since, waits again for half the time, and fails", []string{"replace", "undo"}
	if patches {
		failing, more = "an error. Terraform taints a new patch, and the next apply takes it back and applies it "+
			"again; the object stays. After an update, the next plan has the change again", nil
	}
	return map[string]schema.Attribute{
		Attribute: schema.SingleNestedAttribute{
			Optional:   true,
			Validators: []validator.Object{nestedValidator{}},
			MarkdownDescription: "Wait after each apply until the object is ready, with one watch. `{}` waits for " +
				"what ready means for the kind: a Deployment is rolled out, a Job is complete, a custom resource has " +
				"the condition Ready. " + hopelessMarkdown +
				" It takes at most `timeouts.create` or `timeouts.update`; by default `progressDeadlineSeconds` and " +
				"a minute for a Deployment, and 10 minutes for other kinds.",
			Attributes: arguments("do not wait", failing+reportMarkdown, more...),
		},
		"ready": schema.BoolAttribute{
			Computed: true,
			MarkdownDescription: "Whether the last wait has seen the object ready; null without `wait`. A read " +
				"makes it true if the object has become ready since, and never false. As long as it is false, each " +
				"apply waits again.",
		},
	}
}

// TopLevel returns the attributes of a resource that only waits: the arguments of wait, and ready.
func TopLevel() map[string]schema.Attribute {
	const kept = "an error. A create that fails stores nothing, and an update that fails keeps the prior state, so " +
		"the next apply waits again"
	all := map[string]schema.Attribute{
		"ready": schema.BoolAttribute{
			Computed: true,
			MarkdownDescription: "Whether the last wait has seen the object ready. A read makes it true if the " +
				"object has become ready since, and never false. As long as it is false, each apply waits again.",
		},
	}
	maps.Copy(all, arguments(existsOnly, kept+reportMarkdown))
	return all
}

// ActionAttributes returns the arguments of an action that waits.
func ActionAttributes() map[string]actionschema.Attribute {
	all := map[string]actionschema.Attribute{}
	for name, attribute := range arguments(existsOnly, "an error. `report`: a warning.") {
		all[name] = attribute
	}
	return all
}

// DataSourceAttributes returns the attributes wait and ready of a data source.
func DataSourceAttributes() map[string]datasourceschema.Attribute {
	return map[string]datasourceschema.Attribute{
		Attribute: schema.SingleNestedAttribute{
			Optional:   true,
			Validators: []validator.Object{nestedValidator{}},
			MarkdownDescription: "Wait in each read until the object is ready, with one watch if it is not ready at " +
				"once. `{}` waits for what ready means for the kind. " +
				hopelessMarkdown + " It takes at most `timeouts.read`; by default `progressDeadlineSeconds` and a " +
				"minute for a Deployment, and 10 minutes for other kinds. The data source does not wait for an " +
				"object that is absent.",
			Attributes: arguments("do not wait", "an error. `report`: a warning, and `ready` is false."),
		},
		"ready": schema.BoolAttribute{
			Computed: true,
			MarkdownDescription: "Whether the wait has seen the object ready; null without `wait`, and for an " +
				"object that is absent.",
		},
	}
}

// arguments returns the arguments of a wait, which fit into each kind of schema. exists describes what until =
// "exists" does, failing what a failed wait means. failures are values of on_failure other than fail and report.
func arguments(exists, failing string, failures ...string) map[string]schema.Attribute {
	texts := func(description string) schema.MapAttribute {
		return schema.MapAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: description}
	}
	return map[string]schema.Attribute{
		"until": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: fmt.Sprintf(untilMarkdown, exists),
			Validators:          []validator.String{validators.OneOf("ready", "exists")},
		},
		"conditions": texts(conditionsMarkdown),
		"fields":     texts(fieldsMarkdown),
		"logs": schema.Int64Attribute{
			Optional: true, MarkdownDescription: logsMarkdown,
			Validators: []validator.Int64{validators.Between(1, waiting.MostLogLines)},
		},
		"on_failure": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "What happens if the object is not ready in time, or cannot become ready. `fail`, " +
				"the default: " + failing,
			Validators: []validator.String{validators.OneOf(append([]string{"fail", "report"}, failures...)...)},
		},
	}
}
