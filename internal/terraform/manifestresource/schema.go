package manifestresource

import (
	"context"
	"math"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

func (r *manifestResource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Any Kubernetes object, custom resources included, applied by server-side apply. " +
			"The resource shows which manager owns each field of the object, and the plan shows how that will change.",
		Attributes: attributes.OfObject(map[string]schema.Attribute{
			"yaml_body": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "The manifest, unless `manifest` has it: one YAML document with `apiVersion`, " +
					"`kind` and `metadata.name`. The provider sends these fields, those of `yaml_body_wo`, and " +
					"nothing else. It leaves out `status` and empty fields of the API server, with a warning. An " +
					"edit that changes only the formatting plans nothing. A change of `kind`, `metadata.name` or " +
					"`metadata.namespace` replaces the object. A change of `apiVersion` updates it in place, unless " +
					"another object has that name in another group.",
				Validators: []validator.String{
					attributes.ManifestValidator(), validators.ExactlyOneOf(model.ManifestAttribute),
				},
				PlanModifiers: []planmodifier.String{attributes.KeepEqualManifest()},
			},
			model.ManifestAttribute: schema.DynamicAttribute{
				Optional: true,
				MarkdownDescription: "The manifest as an object, instead of `yaml_body`: `{ apiVersion = \"v1\", " +
					"kind = \"ConfigMap\", metadata = { name = \"web\" }, data = { color = var.color } }`. A plan " +
					"shows its changes field by field. A value that is known only after the apply leaves only its " +
					"own field unknown, unless it names the object. The provider leaves out nulls. Edits and " +
					"replacements work as with `yaml_body`, and you can change from one to the other.",
				Validators: []validator.Dynamic{attributes.ManifestObjectValidator()},
			},
			"field_manager": attributes.FieldManager("The name under which the API server records the fields that " +
				"this resource owns. Defaults to the provider's `field_manager`."),
			"ignore_fields": attributes.IgnoreFields("Paths of fields that are left to other managers, for example " +
				"`spec.replicas`, `spec.template.spec.containers[name=\"app\"].image`, " +
				"`spec.template.spec.containers[*].resources`, `metadata.finalizers[=\"example.com/hold\"]` or " +
				"`metadata.annotations[\"example.com/note\"]`; every path that `field_ownership` or a warning " +
				"prints can be pasted. A path covers everything below it. The provider uses the values of " +
				"`yaml_body` at these paths only to create the object. After that it neither sends nor compares " +
				"these fields, and they keep their live values."),
			"ignore_managers": attributes.IgnoreManagers("Names of managers that keep their fields, for example " +
				"`kube-controller-manager` or `argocd-*`. The provider treats a field that such a manager owns or " +
				"co-owns as if `ignore_fields` listed it, for as long as the manager owns it. A name may end in `*`."),
			"remove_fields": attributes.RemoveFields("Paths of fields that the object must not have, whoever set " +
				"them, for example `spec.template.spec.containers[name=\"debug\"]`, written as in `ignore_fields`. " +
				"With it an import or an adoption removes what the object has in addition to `yaml_body`. The plan " +
				"lists what the apply removes, with its value and its owner, and `on_conflict` decides about it. If " +
				"somebody sets the field again, the next apply removes it again. A value that the API server itself " +
				"fills in stays."),
			"pin_fields": schema.SetAttribute{
				Optional:    true,
				ElementType: types.StringType,
				MarkdownDescription: "Paths of fields that somebody else sets first and that this resource holds " +
					"from then on, for example `spec.clusterIP` or `spec.ports[*].nodePort`. The apply that creates " +
					"the object claims the value that the API server, an admission webhook or a controller gave, and " +
					"`pinned` shows it. After that, the field is like one in `yaml_body`: a plan shows and takes " +
					"back drift. The part of a list item that is not in `yaml_body` is pinned when the item appears; " +
					"if the item leaves, that is no drift, and if it returns, it gets the pinned value. A path that " +
					"you remove is released with its value. The paths are written as in `ignore_fields`, and must " +
					"not be in `yaml_body`.",
				Validators: []validator.Set{attributes.PinFieldsValidator()},
			},
			"repin": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Any text. When it changes, the apply releases the fields of `pin_fields` and " +
					"pins the values that they have then.",
			},
			model.ListLengthsAttribute: schema.MapNestedAttribute{
				Optional: true,
				MarkdownDescription: "How many entries lists may have, whoever adds them, by path, for example `{ " +
					"\"spec.ports\" = { min = 1, max = 4 } }`. The lists are those whose entries have owners of " +
					"their own. Each plan counts the entries of the object and those that the apply adds or removes. " +
					"The paths are written as in `ignore_fields`; `[*]` limits each list by itself.",
				Validators: []validator.Map{validators.Each(attributes.ListPathValidator())},
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"min": schema.Int64Attribute{
						Optional:            true,
						MarkdownDescription: "With fewer entries, the plan fails. 0 is no limit.",
						Validators:          []validator.Int64{validators.Between(0, math.MaxInt32)},
					},
					"max": schema.Int64Attribute{
						Optional: true,
						MarkdownDescription: "With more entries, the plan warns and lists those that others added. " +
							"0 is no limit.",
						Validators: []validator.Int64{validators.Between(0, math.MaxInt32)},
					},
					"enforce": schema.BoolAttribute{
						Optional: true,
						MarkdownDescription: "Whether the apply removes the newest entries of others until `max` is " +
							"kept. It does not remove entries with fields of `yaml_body` or `pin_fields`, entries " +
							"that `ignore_fields` covers as a whole, entries that a manager of `ignore_managers` " +
							"owns, and entries of a list with a secret key or member. The plan lists what the apply " +
							"removes, and `on_conflict` decides about it. " +
							"Default `false`.",
						Validators: []validator.Bool{validators.Needs("max")},
					},
				}},
			},
			"on_addition": attributes.OnAddition("What happens to fields that others have added to the object and " +
				"that `yaml_body` does not have: a container, a label, an environment variable. `allow`: nothing. " +
				"`warn`: the plan lists them. `fail`: the plan fails with an error that lists them, and nothing is " +
				"applied. `remove`: the apply removes those that no controller owns a part of, and `on_conflict` " +
				"decides about it. The default is `warn` for what people have written by commands such as " +
				"`kubectl edit`; any value that is set here counts for their tools, too: Helm, Flux, and managers " +
				"that the provider does not know. What controllers write is no addition, and neither is what " +
				"`ignore_fields`, `ignore_managers`, `pin_fields` or a `k8sconnect_patch` without `field_manager` " +
				"covers. See [Additions](../guides/field-ownership.md#additions)."),
			"additions": attributes.Additions(),
			"take_over_managers": attributes.TakeOverManagers("Names of managers that lose the fields that " +
				"`yaml_body` declares, so that a field which you later remove from `yaml_body` leaves the object " +
				"too. This applies to what they wrote by update or by server-side apply, and not to what they wrote " +
				"through a subresource; name a tool that applies only if it is no longer in use. It changes no " +
				"values, and the managers keep the fields that `yaml_body` does not declare. Default: " +
				"`[\"kubectl-client-side-apply\", \"kubectl-create\", \"before-first-apply\"]`; `[]` takes over " +
				"nothing."),
			"adopt_existing": attributes.Flag("Whether a new resource adopts an object that already exists. The " +
				"plan then warns and lists the fields that change owner, and the apply updates the object. Its " +
				"computed attributes are known after the apply. By default, the plan refuses such an object, and " +
				"the error has the `import` block to write."),
			"on_destroy": attributes.OnDestroy("What a destroy does. `delete`, the default: it deletes the object. " +
				"`release`: the object stays on the cluster with all its values, and the provider gives up its " +
				"ownership; use it for objects that a controller or another tool created. `hand_over`: the object " +
				"stays, and `successor` owns its fields; use it if another tool applies the object next. With " +
				"`release` and `hand_over`, the plan refuses a change that needs a replacement. A destroy uses the " +
				"values that the last apply stored."),
			"delete_propagation": attributes.DeletePropagation("What happens to the objects that this one owns, for " +
				"example a Deployment's ReplicaSets, when it is deleted. `Background`, the default: Kubernetes " +
				"deletes them after it. `Foreground`: Kubernetes deletes them first, and the destroy waits for " +
				"that. `Orphan`: they stay. A destroy uses the values of this argument, `force_destroy` and " +
				"`delete_protection` that the last apply stored."),
			"force_destroy": attributes.Flag("Whether the provider removes `metadata.finalizers` that still block a " +
				"deletion when `timeouts.delete` runs out. A warning names them, and what their controllers would " +
				"have cleaned up stays. The provider never removes the finalizers `orphan` and " +
				"`customresourcecleanup.apiextensions.k8s.io`, nor those in the `spec` of a namespace. Default " +
				"`false`."),
			"delete_protection": attributes.Flag("Whether the provider refuses plans that delete or replace the " +
				"object. To delete it, set `false`, apply, then destroy. `moved` blocks, and `removed` blocks with " +
				"`destroy = false`, do not delete the object and are not refused. Default `false`."),
			"field_ownership": schema.MapAttribute{
				Computed:    true,
				ElementType: types.StringType,
				MarkdownDescription: "The manager of each field of the object outside `status`, by path. " +
					"Where several managers share a field, this is one of them and `co_owners` lists all.",
			},
			"pinned": schema.MapAttribute{
				Computed:            true,
				ElementType:         types.StringType,
				MarkdownDescription: "The values that `pin_fields` holds, by path. Null without `pin_fields`.",
			},
			"fields_to_remove": schema.MapAttribute{
				Computed:    true,
				ElementType: types.StringType,
				MarkdownDescription: "The fields that `remove_fields` covers and that the object has, with their " +
					"values; the apply removes them. Secret values appear as digests. Null without `remove_fields`.",
			},
			"managed_state": schema.MapAttribute{
				Computed:    true,
				ElementType: types.StringType,
				MarkdownDescription: "The live value of each field that `yaml_body`, `manifest` or `yaml_body_wo` " +
					"declares or `pin_fields` holds, and that is not left to others, as the " +
					"API server stores it (`cpu: 1000m` becomes `1`). Values over 4 KiB and secret values appear as " +
					"digests, and those of `yaml_body_wo` as `(sensitive, write-only)`.",
			},
		}),
		Blocks: map[string]schema.Block{
			"timeouts": attributes.Timeouts(ctx, timeouts.Opts{
				Create: true, Read: true, Update: true, Delete: true,
				CreateDescription: "How long a create may take, including the wait for the kind, the namespace and " +
					"admission webhooks. Default `2m`.",
				ReadDescription: "How long a read may take. Default `1m`.",
				UpdateDescription: "How long an update may take, including the wait for admission webhooks. Default " +
					"`2m`.",
				DeleteDescription: "How long a delete may take, including the wait for finalizers; with " +
					"`force_destroy`, one minute longer. Default `10m`.",
			}),
		},
	}
}
