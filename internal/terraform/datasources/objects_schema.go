package datasources

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

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
