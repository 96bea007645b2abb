// Package kustomizedatasource has the data source k8sconnect_kustomize: the objects of a kustomization. It needs no
// cluster.
package kustomizedatasource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

type kustomizeDataSource struct{}

// New returns the data source k8sconnect_kustomize.
func New() datasource.DataSource { return kustomizeDataSource{} }

func (kustomizeDataSource) Metadata(
	_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse,
) {
	resp.TypeName = req.ProviderTypeName + "_kustomize"
}

type model struct {
	Path       types.String      `tfsdk:"path"`
	Namespace  types.String      `tfsdk:"namespace"`
	Documents  map[string]string `tfsdk:"documents"`
	CRDs       map[string]string `tfsdk:"crds"`
	Namespaces map[string]string `tfsdk:"namespaces"`
	Cluster    map[string]string `tfsdk:"cluster"`
	Namespaced map[string]string `tfsdk:"namespaced"`
}

func (kustomizeDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Builds a kustomization, as `kubectl kustomize` does, without `kubectl`, without a " +
			"cluster, and without any request: bases and resources have to be files. Helm charts and plugins are " +
			"off. The results have the form of the functions `documents` and `stages`.\n\nThe state has what the " +
			"kustomization builds, also the Secrets of a `secretGenerator`.",
		Attributes: map[string]schema.Attribute{
			"path": schema.StringAttribute{
				Required: true,
				MarkdownDescription: "Folder with the `kustomization.yaml`, for example " +
					"`\"${path.module}/overlays/production\"`. Files have to be in the folder of the kustomization " +
					"that names them, or below; bases can be anywhere.",
			},
			"namespace": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Namespace of objects that name none, unless their kind is cluster-scoped. " +
					"Unlike `namespace` of the kustomization, it leaves other namespaces as they are.",
			},
			"documents": texts("Every object: its YAML by `group/kind/namespace/name`, for example " +
				"`apps/Deployment/default/web`."),
			"crds":       texts("The CustomResourceDefinitions of `documents`."),
			"namespaces": texts("The Namespaces of `documents`."),
			"cluster":    texts("The other cluster-scoped objects of `documents`."),
			"namespaced": texts("Everything else of `documents`."),
		},
	}
}

func texts(about string) schema.MapAttribute {
	return schema.MapAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: about}
}
