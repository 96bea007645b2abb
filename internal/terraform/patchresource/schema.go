package patchresource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
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
	resp.Schema = schema.Schema{
		MarkdownDescription: "Some fields of a Kubernetes object that somebody else created, applied by server-side " +
			"apply under a field manager of their own. The plan shows from whom it takes them. A destroy leaves the " +
			"object without what this resource added.",
		Attributes: attributes.OfObject(map[string]schema.Attribute{
			"target": attributes.TargetAttribute("The object. It has to exist when the patch is applied; a plan " +
				"without it warns, and the apply waits for it. A change of `target` first removes the patch from " +
				"the old object, as a destroy does."),
			"yaml_body": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "The fields to apply: one YAML document. Leave it out with `manifest` or " +
					"`patch`; with `remove_fields`, it is optional. List items need their keys, for example the " +
					"`name` of a container. The provider sends these fields, those of `yaml_body_wo`, and nothing " +
					"else. A field that leaves `yaml_body` is removed if this resource added it; otherwise it keeps " +
					"its value.",
				Validators: []validator.String{
					attributes.PartValidator(),
					validators.AtLeastOneOf(model.ManifestAttribute, model.PatchAttribute, "remove_fields"),
				},
				PlanModifiers: []planmodifier.String{attributes.KeepEqualPart()},
			},
			model.ManifestAttribute: schema.DynamicAttribute{
				Optional: true,
				MarkdownDescription: "The fields to apply as an object, instead of `yaml_body`: `{ metadata = { " +
					"labels = { team = var.team } } }`. A plan shows its changes field by field. A value that is " +
					"known only after the apply leaves only its own field unknown. The provider leaves out nulls.",
				Validators: []validator.Dynamic{attributes.PartObjectValidator(), validators.Excludes("yaml_body")},
			},
			model.PatchAttribute: schema.SingleNestedAttribute{
				Optional: true,
				MarkdownDescription: "Another kind of patch, instead of `yaml_body`. The provider compares it with " +
					"the object in each plan and sends it if it would change something. The API server records such " +
					"a change as an update: it takes fields from their owners without a conflict, and the plan lists " +
					"them. A change between `patch` and `yaml_body` first removes the old one, as a destroy does.",
				Attributes: map[string]schema.Attribute{
					"type": schema.StringAttribute{
						Required: true,
						MarkdownDescription: "`json` (RFC 6902: a list of operations), `merge` (RFC 7386: fields, " +
							"null removes one, and lists are replaced as a whole) or `strategic` (fields of a " +
							"built-in kind, whose lists are merged by the keys of their items).",
						Validators: []validator.String{validators.OneOf(string(patches.JSON), string(patches.Merge),
							string(patches.Strategic))},
					},
					"body": schema.StringAttribute{
						Required:      true,
						PlanModifiers: []planmodifier.String{attributes.KeepEqualPatch()},
						MarkdownDescription: "The patch as JSON, for example `jsonencode([{ op = \"replace\", path = " +
							"\"/spec/replicas\", value = 3 }])`. A `test` operation is a condition: if it does not " +
							"hold, the plan is an error. An operation that would change the object again at each " +
							"apply is refused.",
					},
					model.ListKeysAttribute: schema.MapAttribute{
						Optional:    true,
						ElementType: types.SetType{ElemType: types.StringType},
						MarkdownDescription: "The lists of which a `merge` patch sets single entries, by their " +
							"paths: the names of the fields that identify an entry, for example `{ " +
							"\"spec.taints\" = [\"key\", \"effect\"] }`. The provider merges the entries of `body` " +
							"into the list that the object has when the patch is applied, and a destroy removes " +
							"those that this resource added. Entries of others stay. Without `list_keys`, `body` " +
							"replaces the list. A change of `list_keys` first removes the patch, as a destroy does.",
					},
				},
				Validators: []validator.Object{validators.Excludes(
					"yaml_body", model.ManifestAttribute, model.WriteOnlyAttribute, "remove_fields", "ignore_fields",
				)},
			},
			"subresource": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "`status`: the patch is about the status of the object, and is sent to that " +
					"subresource. `yaml_body` or `patch` has only `status` then. For the number of replicas, which " +
					"other tools write through the subresource `scale`, apply `spec.replicas` without a subresource. " +
					"A change of `subresource` first removes the patch, as a destroy does.",
				Validators: []validator.String{
					validators.OneOf(manifest.Status),
					validators.Excludes("remove_fields", "ignore_fields"),
				},
			},
			"remove_fields": attributes.RemoveFields("Paths of fields that the object must not have, whoever set " +
				"them, for example `metadata.annotations[\"example.com/note\"]`, written as in `ignore_fields`. The " +
				"plan lists what the apply removes, with its value and its owner, and `on_conflict` decides about " +
				"it. If somebody sets the field again, the next apply removes it again. A value that the API server " +
				"itself fills in stays. A destroy does not bring it back."),
			"field_manager": attributes.FieldManager("The name under which the API server records the fields of " +
				"this patch. Each patch of an object needs one of its own. Default: `k8sconnect-patch-` and 8 " +
				"hexadecimal digits, which depend on `target` and on `yaml_body` or `patch` when the resource is " +
				"created and do not change after that."),
			"ignore_fields": attributes.IgnoreFields("Paths of fields of `yaml_body` that are left to other " +
				"managers: the provider neither sends nor compares them. For example `spec.replicas` or " +
				"`metadata.annotations[\"example.com/note\"]`; every path that `field_ownership` or a warning " +
				"prints can be pasted. A path covers everything below it."),
			"on_destroy": attributes.OnDestroyOfPart("What a destroy does with the fields of this patch. `remove`, " +
				"the default: it removes what this resource added and nobody else owns, and other fields keep their " +
				"values. `release`: all fields keep their values. `hand_over`: all fields keep their values, and " +
				"`successor` owns them. `restore`: it removes what this resource added, and fields that only this " +
				"resource owns get the values that they had before it. What the API server refused beside them, and " +
				"an apply has removed, comes back. The apply stores these values in the state, so `restore` is " +
				"refused with secret fields. Afterwards the field manager of the patch owns nothing of the object. " +
				"A destroy uses the values that the last apply stored."),
			"field_ownership": schema.MapAttribute{
				Computed:    true,
				ElementType: types.StringType,
				MarkdownDescription: "The manager of each field of the patch, by path. Where several managers share " +
					"a field, this is one of them and `co_owners` lists all.",
			},
			"managed_state": schema.MapAttribute{
				Computed:    true,
				ElementType: types.StringType,
				MarkdownDescription: "The live value of each field of the patch that is not left to others, as the " +
					"API server stores it (`cpu: 1000m` becomes `1`). Values over 4 KiB and secret values appear as " +
					"digests.",
			},
			"fields_to_remove": schema.MapAttribute{
				Computed:    true,
				ElementType: types.StringType,
				MarkdownDescription: "The fields that `remove_fields` covers and that the object has, with their " +
					"values; the apply removes them. Secret values appear as digests. Null without `remove_fields`.",
			},
			"added_fields": schema.SetAttribute{
				Computed:    true,
				ElementType: types.StringType,
				MarkdownDescription: "The paths of the fields that had no value before this resource applied them. A " +
					"destroy removes those that nobody else owns, unless `on_destroy` is `release`.",
			},
		}),
		Blocks: map[string]schema.Block{
			"timeouts": attributes.Timeouts(ctx, timeouts.Opts{
				Create: true, Read: true, Update: true, Delete: true,
				CreateDescription: "How long a create may take, including the wait for the object and for admission " +
					"webhooks. Default `2m`.",
				ReadDescription: "How long a read may take. Default `1m`.",
				UpdateDescription: "How long an update may take, including the wait for admission webhooks. Default " +
					"`2m`.",
				DeleteDescription: "How long it may take to remove the patch. Default `10m`.",
			}),
		},
	}
}
