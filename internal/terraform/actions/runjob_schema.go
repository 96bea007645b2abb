package actions

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

// Schema implements action.Action.
func (a *runJobAction) Schema(ctx context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	const oneOf = " Set exactly one of `cron_job`, `yaml_body` and `manifest`."
	notEmpty := []validator.String{validators.NotEmpty()}
	resp.Schema = schema.Schema{
		MarkdownDescription: "Runs a Job, made from the template of a CronJob or from a manifest, and waits until " +
			"it is complete. Each run is a new Job. Needs Terraform 1.14.",
		Attributes: map[string]schema.Attribute{
			"cron_job": schema.SingleNestedAttribute{
				Optional: true,
				MarkdownDescription: "The CronJob whose template is run, as `kubectl create job --from` does. Its " +
					"history limits count the Job, and may delete it. `object_ref` of a resource " +
					"`k8sconnect_manifest` fits." + oneOf,
				Attributes: map[string]schema.Attribute{
					"namespace": schema.StringAttribute{
						Optional: true, Validators: notEmpty,
						MarkdownDescription: "Namespace. Default: the namespace of the connection.",
					},
					"name": schema.StringAttribute{Required: true, Validators: notEmpty, MarkdownDescription: "Name."},
				},
			},
			"yaml_body": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Manifest of a Job as YAML. Each run adds five random characters to " +
					"`metadata.name`, or to `metadata.generateName`." + oneOf,
			},
			"manifest": schema.DynamicAttribute{
				Optional:            true,
				MarkdownDescription: "Manifest of a Job as an HCL object." + oneOf,
			},
			"ttl_seconds_after_finished": schema.Int64Attribute{
				Optional: true, Validators: []validator.Int64{validators.AtLeast(0)},
				MarkdownDescription: "After how many seconds the cluster deletes the Job and its pods, counted from " +
					"its end, whether or not it has failed. Default: what the template or the manifest says; " +
					"otherwise the Job stays.",
			},
			"sensitive_fields": schema.SetAttribute{
				Optional: true, ElementType: types.StringType,
				Validators: []validator.Set{attributes.FieldPathsValidator("sensitive_fields")},
				MarkdownDescription: "Paths of fields of the Job whose values are secret, for example " +
					"`spec.template.spec.containers[*].env[*].value`. Errors, warnings and progress show " +
					"`(sensitive)` instead of the values at and below these paths, also where the cluster quotes " +
					"them. `[\"*\"]` covers all values.",
			},
			"wait": schema.BoolAttribute{
				Optional: true,
				MarkdownDescription: "Whether to wait until the Job is complete. A Job that fails is an error then. " +
					"Default: `true`.",
			},
		},
		Blocks: timeoutBlock(ctx, "How long the action may take. Default: the `activeDeadlineSeconds` of the Job "+
			"and a minute, or `10m` without them. A Job that takes longer goes on."),
	}
	maps.Copy(resp.Schema.Attributes, attributes.ConnectionOfAction())
}
