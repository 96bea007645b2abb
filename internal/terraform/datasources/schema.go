package datasources

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/waits"
)

func (d *ownershipSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Shows who owns each field of any object on the cluster, whoever created it. The data " +
			"source reads the object's `metadata.managedFields` with one request.",
		Attributes: map[string]schema.Attribute{
			"manager": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Name of a manager, which may end in `*`. Limits `fields`, `stale` and " +
					"`managers` to what such managers own, and leaves `unowned` empty.",
				Validators: []validator.String{attributes.ManagerValidator(attributes.MayEndInStar)},
			},
			"path": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "A field path, written as in `ignore_fields` of `k8sconnect_manifest`, for " +
					"example `spec.template` or `spec.template.spec.containers[name=\"app\"]`. Limits all results to " +
					"that field and the fields below it.",
				Validators: []validator.String{fieldPath},
			},
			"include_status": schema.BoolAttribute{
				Optional: true, MarkdownDescription: "Whether to include the fields under `status`. Default: `false`.",
			},
			"fields": schema.ListNestedAttribute{
				Computed: true,
				MarkdownDescription: "Every field that a manager owns, in the order of the paths. That includes " +
					"maps and list items that a manager owns in addition to the fields in them.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"path": pathAttribute(),
					"value": valueAttribute(
						"Null if the field only groups other fields of the list, or has no value."),
					"owners": ownersAttribute(),
				}},
			},
			"managers": schema.ListNestedAttribute{
				Computed:            true,
				MarkdownDescription: "The managers that own those fields, in the API server's order.",
				NestedObject:        schema.NestedAttributeObject{Attributes: managerAttributes()},
			},
			"stale": schema.ListNestedAttribute{
				Computed: true,
				MarkdownDescription: "The fields that a manager owns and that have no value. They include what " +
					"others applied as `stringData` of a Secret: the API server stores it as `data`, without an owner.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"path": pathAttribute(), "owners": ownersAttribute(),
				}},
			},
			"unowned": schema.ListNestedAttribute{
				Computed: true,
				MarkdownDescription: "The values that nobody owns: defaults of the API server, and values that a " +
					"manager released. Anybody can change them without a conflict.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"path": pathAttribute(), "value": valueAttribute(""),
				}},
			},
			"annotated_yaml": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "The object as YAML, with the owners of each line in a comment.",
			},
		},
	}
	maps.Copy(resp.Schema.Attributes, reading.TargetAttributes())
}

func pathAttribute() schema.StringAttribute {
	return schema.StringAttribute{
		Computed: true, MarkdownDescription: "Path of the field, written as in `ignore_fields` of " +
			"`k8sconnect_manifest`.",
	}
}

func valueAttribute(more string) schema.StringAttribute {
	text := "Value of the field: a string as it is, anything else as JSON. Values over 4 KiB appear as digests, " +
		"the data of Secrets as `(sensitive)`."
	if more != "" {
		text += " " + more
	}
	return schema.StringAttribute{Computed: true, MarkdownDescription: text}
}

func ownersAttribute() schema.ListNestedAttribute {
	return schema.ListNestedAttribute{
		Computed: true, MarkdownDescription: "The managers that own the field, in the API server's order.",
		NestedObject: schema.NestedAttributeObject{Attributes: ownerAttributes()},
	}
}

func ownerAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"manager": schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the manager."},
		"operation": schema.StringAttribute{
			Computed: true, MarkdownDescription: "`Apply` for server-side apply, `Update` for anything else.",
		},
		"subresource": schema.StringAttribute{
			Computed: true, MarkdownDescription: "Subresource that the manager wrote to, for example `scale` or " +
				"`status`; null for the object itself.",
		},
		"api_version": schema.StringAttribute{
			Computed: true, MarkdownDescription: "API version that the manager used.",
		},
		"time": schema.StringAttribute{
			Computed: true, MarkdownDescription: "When the manager last changed what it owns, as RFC 3339; null if " +
				"the API server did not record it.",
		},
	}
}

func managerAttributes() map[string]schema.Attribute {
	attributes := ownerAttributes()
	attributes["fields"] = schema.Int64Attribute{
		Computed: true, MarkdownDescription: "How many of `fields` the manager owns.",
	}
	return attributes
}

var fieldPath = validators.Checked("a field path", func(text string) string {
	if _, err := paths.ParseArgument(text); err != nil {
		return err.Error()
	}
	return ""
})

type objectModel struct {
	reading.Target
	Optional types.Bool     `tfsdk:"optional"`
	Wait     types.Object   `tfsdk:"wait"`
	Ready    types.Bool     `tfsdk:"ready"`
	Timeouts timeouts.Value `tfsdk:"timeouts"`
	reading.Result
}

func (d *objectSource) Schema(ctx context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	all := reading.ObjectAttributes()
	maps.Copy(all, waits.DataSourceAttributes())
	resp.Schema = schema.Schema{
		MarkdownDescription: "Reads any object on the cluster, whoever created it, with one request. The state has " +
			"the object; the data of a Secret are in `secret_data` alone, which is sensitive.",
		Attributes: all,
		Blocks: map[string]schema.Block{
			"timeouts": attributes.Timeouts(ctx, timeouts.Opts{
				Read: true,
				ReadDescription: "How long a read may take, with the wait, as a duration such as `30s` or `5m`. " +
					"Default: a minute; a wait has a limit of its own.",
			}),
		},
	}
}

type objectsModel struct {
	reading.Collection
	LabelSelector types.String  `tfsdk:"label_selector"`
	FieldSelector types.String  `tfsdk:"field_selector"`
	Manager       types.String  `tfsdk:"manager"`
	Limit         types.Int64   `tfsdk:"limit"`
	MetadataOnly  types.Bool    `tfsdk:"metadata_only"`
	Objects       types.Dynamic `tfsdk:"objects"`
	IDs           []string      `tfsdk:"ids"`
	Truncated     types.Bool    `tfsdk:"truncated"`
}

func (d *objectsSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Lists the objects of a kind, whoever created them, with one request for each 500 of " +
			"them. The state has the objects, without the data of Secrets.",
		Attributes: map[string]schema.Attribute{
			"label_selector": schema.StringAttribute{
				Optional: true, Validators: []validator.String{reading.LabelSelector},
				MarkdownDescription: "Labels of the objects, as `kubectl get -l` takes them, for example " +
					"`app=web,tier in (front, back)`.",
			},
			"field_selector": schema.StringAttribute{
				Optional: true, Validators: []validator.String{reading.FieldSelector},
				MarkdownDescription: "Fields of the objects, as `kubectl get --field-selector` takes them, for " +
					"example `status.phase=Running`. Every kind has `metadata.name` and `metadata.namespace`, and " +
					"few others.",
			},
			"manager": schema.StringAttribute{
				Optional: true, Validators: []validator.String{attributes.ManagerValidator(attributes.MayEndInStar)},
				MarkdownDescription: "Name of a manager, which may end in `*`. Lists only objects in which such a " +
					"manager owns a field, status included.",
			},
			"limit": schema.Int64Attribute{
				Optional: true, Validators: []validator.Int64{validators.Between(1, 1<<31-1)},
				MarkdownDescription: "Maximum number of objects. Default: all of them.",
			},
			"metadata_only": schema.BoolAttribute{
				Optional: true,
				MarkdownDescription: "Whether to read `apiVersion`, `kind` and `metadata` alone: for kinds of many " +
					"or large objects, if `ids` or labels are enough. Default: `false`.",
			},
			"objects": schema.DynamicAttribute{
				Computed: true,
				MarkdownDescription: "The objects, in the order of their namespaces and names. " +
					"`metadata.managedFields` is left out, and so are the data of Secrets, and " +
					"the copy of them that `kubectl apply` keeps in an annotation.",
			},
			"ids": schema.ListAttribute{
				Computed: true, ElementType: types.StringType,
				MarkdownDescription: "The import IDs of the objects, in the same order: " +
					"`apiVersion=v1,kind=ConfigMap,namespace=default,name=web`.",
			},
			"truncated": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether `limit` left objects out."},
		},
	}
	maps.Copy(resp.Schema.Attributes, reading.CollectionAttributes())
}
