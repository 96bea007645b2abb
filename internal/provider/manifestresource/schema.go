package manifestresource

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/deletion"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/connection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ssa"
)

// The operations' timeouts where the configuration sets none.
const (
	createTimeout = 2 * time.Minute
	readTimeout   = time.Minute
	updateTimeout = 2 * time.Minute
	deleteTimeout = 10 * time.Minute
	// forceTimeout is the time that a deletion has once the delete timeout has run out and its finalizers go.
	forceTimeout = time.Minute
)

// defaultTakeOver are the managers of kubectl's client-side commands, and the one that the API server
// makes up for an object which nobody ever applied.
var defaultTakeOver = []string{"kubectl-client-side-apply", "kubectl-create", "before-first-apply"}

func (r *manifestResource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Any Kubernetes object, custom resources included, applied by server-side apply. " +
			"The resource shows which manager owns each field of the object, and the plan shows how that will change.",
		Attributes: map[string]schema.Attribute{
			"yaml_body": schema.StringAttribute{
				Required: true,
				MarkdownDescription: "The manifest: one YAML document with `apiVersion`, `kind` and `metadata.name`. " +
					"What is written here is sent, with what `yaml_body_wo` adds, and nothing else; `status` and empty fields of the API server are left " +
					"out with a warning. An edit that changes only the formatting plans nothing; a change of " +
					"`apiVersion`, `kind`, `metadata.name` or `metadata.namespace` replaces the object.",
				Validators:    []validator.String{bodyValidator{}},
				PlanModifiers: []planmodifier.String{keepEqualBody{}},
			},
			"yaml_body_wo": schema.StringAttribute{
				Optional:  true,
				WriteOnly: true,
				MarkdownDescription: "A part of the manifest whose values are stored neither in the state nor in the plan, laid over `yaml_body`: one YAML " +
					"document with the fields to add, without `apiVersion`, `kind` and `metadata.name`. Maps are merged, lists and values replace what " +
					"`yaml_body` has. It may hold ephemeral values, and it is not compared with the run before: change `yaml_body_wo_version` to have a " +
					"new value applied, and keep its fields the same between a plan and its apply. Drift of its fields shows in `managed_state`, by digest, and is set back. Needs Terraform or OpenTofu 1.11.",
				Validators: []validator.String{
					partialValidator{},
					stringvalidator.AlsoRequires(path.MatchRoot("yaml_body_wo_version")),
				},
			},
			"yaml_body_wo_version": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Version of `yaml_body_wo`: any text or number. When it changes, the values of `yaml_body_wo` are applied.",
				Validators:          []validator.String{stringvalidator.AlsoRequires(path.MatchRoot(writeOnlyAttribute))},
			},
			"sensitive_fields": schema.SetAttribute{
				Optional:    true,
				ElementType: types.StringType,
				MarkdownDescription: "Paths of fields whose values are secret, in the language of `ignore_fields`, for example `data` of a ConfigMap or " +
					"`spec.users[*].password`. Values at and below these paths appear in `managed_state`, in warnings and in private state as digests " +
					"only; the data of Secrets and the fields of `yaml_body_wo` always do. Members and keys of lists that are secret are not listed: the " +
					"field that holds the list stands for them. `[\"*\"]` covers every value of the object; `apiVersion`, `kind`, name and namespace stay " +
					"legible, and so do the paths of fields that hold no secret. `yaml_body` itself is stored and shown as it is: values that are not " +
					"to be stored go into `yaml_body_wo`. Terraform hides a `yaml_body` with a sensitive value in it, but the provider cannot see " +
					"that: list the fields here, too.",
				Validators: []validator.Set{fieldsValidator{attribute: "sensitive_fields"}},
			},
			"cluster": connection.ResourceAttribute(),
			"field_manager": schema.StringAttribute{
				Optional: true,
				Computed: true,
				MarkdownDescription: "The name under which the API server records the fields that this resource owns. " +
					"Defaults to the provider's `field_manager`.",
				Validators: []validator.String{connection.FieldManagerValidator()},
			},
			"ignore_fields": schema.SetAttribute{
				Optional:    true,
				ElementType: types.StringType,
				MarkdownDescription: "Paths of fields that are left to other managers, for example `spec.replicas`, " +
					"`spec.template.spec.containers[name=\"app\"].image`, `spec.template.spec.containers[*].resources`, " +
					"`metadata.finalizers[=\"example.com/hold\"]` or `metadata.annotations[\"example.com/note\"]`; every path that " +
					"`field_ownership` or a warning prints can be pasted. A path covers everything below it. " +
					"Values in `yaml_body` at these paths are used once, when the object is created; after that the fields are " +
					"neither sent nor compared, and whatever value they have stays.",
				Validators: []validator.Set{ignoreFieldsValidator{}},
			},
			"ignore_managers": schema.SetAttribute{
				Optional:    true,
				ElementType: types.StringType,
				MarkdownDescription: "Names of managers whose fields are left to them, for example `kube-controller-manager` or `argocd-*`: " +
					"what such a manager owns, or co-owns, is treated as if `ignore_fields` listed it, for as long as it owns it. " +
					"A name may end in `*`.",
				Validators: []validator.Set{
					setvalidator.NoNullValues(),
					setvalidator.ValueStringsAre(managerValidator(mayEndInStar)),
				},
			},
			"take_over_managers": schema.ListAttribute{
				Optional:    true,
				ElementType: types.StringType,
				MarkdownDescription: "Names of managers whose ownership ends where `yaml_body` declares a field, so that a field which leaves " +
					"`yaml_body` later leaves the object too. It counts for what they wrote by update, not by server-side apply or through a " +
					"subresource; no value changes by it, and fields that `yaml_body` does not declare stay theirs. Default: " +
					"`[\"kubectl-client-side-apply\", \"kubectl-create\", \"before-first-apply\"]`; `[]` takes over nothing.",
				Validators: []validator.List{
					listvalidator.NoNullValues(),
					listvalidator.UniqueValues(),
					listvalidator.ValueStringsAre(managerValidator(exactName)),
				},
			},
			"on_conflict": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "What happens where an apply would change a value that another manager holds. `force`, the default: the " +
					"plan warns, and the apply changes it. `fail`: the plan ends in an error that lists all such fields, and nothing is applied. " +
					"It does not refuse `terraform destroy`; on systems other than Linux that takes `-refresh=false`.",
				Validators: []validator.String{stringvalidator.OneOf(string(ssa.Force), string(ssa.Fail))},
			},
			"adopt_existing": schema.BoolAttribute{
				Optional: true,
				MarkdownDescription: "Whether a new resource takes an object that exists already: the plan warns of it and lists the fields that get " +
					"another owner, and the apply treats the object as an update does. What it becomes is known after the apply. By default such an " +
					"object is refused, and the error has the `import` block to write.",
			},
			"on_destroy": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "What a destroy does. `delete`, the default: it deletes the object. `release`: the object stays on the " +
					"cluster with all its values, and the provider gives up what it owns of it; for objects that a controller or another tool " +
					"made. A change that needs a replacement is refused then. It counts as the last apply recorded it.",
				Validators: []validator.String{stringvalidator.OneOf(string(deletion.DeleteObject), string(deletion.ReleaseObject))},
			},
			"delete_propagation": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "What becomes of the objects that this one owns, a Deployment's ReplicaSets for instance, when it is " +
					"deleted. `Background`, the default: they go after it. `Foreground`: they go first, and the destroy waits for them. " +
					"`Orphan`: they stay. Like `force_destroy` and `delete_protection`, it counts as the last apply recorded it.",
				Validators: []validator.String{
					stringvalidator.OneOf(string(cluster.Background), string(cluster.Foreground), string(cluster.Orphan)),
				},
			},
			"force_destroy": schema.BoolAttribute{
				Optional: true,
				MarkdownDescription: "Whether a deletion that finalizers hold until `timeouts.delete` runs out goes on without them: " +
					"`metadata.finalizers` are removed, a warning names them, and what their controllers would have cleaned up stays. " +
					"The finalizers `orphan` and `customresourcecleanup.apiextensions.k8s.io` and those in the `spec` of a namespace are " +
					"never removed. Default `false`.",
			},
			"delete_protection": schema.BoolAttribute{
				Optional: true,
				MarkdownDescription: "Whether plans that delete or replace the object are refused. To delete it, set `false` and apply, then " +
					"destroy. `moved` blocks, and `removed` blocks with `destroy = false`, leave the object alone and are not refused. Default `false`.",
			},
			"id": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "The import ID of the object: `apiVersion=apps/v1,kind=Deployment,namespace=default,name=web`.",
			},
			"object_ref": schema.SingleNestedAttribute{
				Computed:            true,
				MarkdownDescription: "The object on the cluster.",
				Attributes: map[string]schema.Attribute{
					"api_version": schema.StringAttribute{Computed: true, MarkdownDescription: "API version, for example `apps/v1`."},
					"kind":        schema.StringAttribute{Computed: true, MarkdownDescription: "Kind, for example `Deployment`."},
					"namespace":   schema.StringAttribute{Computed: true, MarkdownDescription: "Namespace; null for a cluster-scoped object."},
					"name":        schema.StringAttribute{Computed: true, MarkdownDescription: "Name."},
					"uid":         schema.StringAttribute{Computed: true, MarkdownDescription: "UID, which the API server gives each object once."},
				},
			},
			"field_ownership": schema.MapAttribute{
				Computed:    true,
				ElementType: types.StringType,
				MarkdownDescription: "The manager of each field of the object outside `status`, by path. " +
					"Where several managers share a field, this is one of them and `co_owners` lists all.",
			},
			"co_owners": schema.MapAttribute{
				Computed:            true,
				ElementType:         types.ListType{ElemType: types.StringType},
				MarkdownDescription: "All managers, sorted, of each field that more than one manager owns.",
			},
			"managed_state": schema.MapAttribute{
				Computed:    true,
				ElementType: types.StringType,
				MarkdownDescription: "The live value of each field that `yaml_body` or `yaml_body_wo` declares and that is not left to others, as the API server " +
					"holds it (`cpu: 1000m` reads `1`). Values over 4 KiB and secret ones are shown as digests.",
			},
		},
		Blocks: map[string]schema.Block{
			"timeouts": timeouts.Block(ctx, timeouts.Opts{
				Create: true, Read: true, Update: true, Delete: true,
				CreateDescription: "How long a create may take, waiting for the kind, the namespace and admission webhooks included. Default `2m`.",
				ReadDescription:   "How long a read may take. Default `1m`.",
				UpdateDescription: "How long an update may take, waiting for admission webhooks included. Default `2m`.",
				DeleteDescription: "How long a delete may take, waiting for finalizers included; with `force_destroy` a minute more. Default `10m`.",
			}),
		},
	}
}
