package rendered

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/documents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/kustomize"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
)

type kustomizeDataSource struct{}

func (kustomizeDataSource) Metadata(
	_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse,
) {
	resp.TypeName = req.ProviderTypeName + "_kustomize"
}

type kustomizeModel struct {
	Path            types.String      `tfsdk:"path"`
	Namespace       types.String      `tfsdk:"namespace"`
	Manifests       map[string]string `tfsdk:"manifests"`
	SecretManifests map[string]string `tfsdk:"secret_manifests"`
}

func (kustomizeDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = attributes.DataSource("kustomize", map[string]schema.Attribute{
		"path":             schema.StringAttribute{Required: true},
		"namespace":        schema.StringAttribute{Optional: true},
		"manifests":        schema.MapAttribute{Computed: true, ElementType: types.StringType},
		"secret_manifests": schema.MapAttribute{Computed: true, ElementType: types.StringType, Sensitive: true},
	})
}

// Read builds the kustomization.
func (kustomizeDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m kustomizeModel
	if resp.Diagnostics.Append(req.Config.Get(ctx, &m)...); resp.Diagnostics.HasError() {
		return
	}
	options := documents.Options{Namespace: m.Namespace.ValueString()}
	problem := options.Check()
	if options.Namespace == "" && !m.Namespace.IsNull() {
		problem = "namespace is empty. Write a name, or leave it out."
	}
	if problem != "" {
		resp.Diagnostics.Append(invalid.Namespace(problem))
		return
	}
	built, err := kustomize.Build(m.Path.ValueString())
	if err != nil {
		resp.Diagnostics.Append(failedKustomization(m.Path.ValueString(), err))
		return
	}
	for _, warning := range built.Warnings {
		resp.Diagnostics.Append(invalid.DeprecatedInKustomization(warning))
	}
	objects, err := documents.Parse(built.Text, options)
	if err != nil {
		resp.Diagnostics.Append(failedKustomization(m.Path.ValueString(), err))
		return
	}
	m.Manifests, m.SecretManifests = documents.Split(objects)
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}

// failedKustomization returns the error about a kustomization that could not be built.
func failedKustomization(at string, err error) diag.Diagnostic {
	var refused *kustomize.RefusedError
	var missing *kustomize.NotFoundError
	switch {
	case errors.As(err, &refused) && refused.Helm:
		return invalid.HelmInKustomization(refused)
	case errors.As(err, &refused) && refused.IsFolder:
		return invalid.FolderInKustomization(refused)
	case errors.As(err, &refused):
		return invalid.RemoteInKustomization(refused)
	case errors.As(err, &missing):
		return invalid.NoKustomization(missing)
	default:
		return invalid.Kustomization(at, err)
	}
}
