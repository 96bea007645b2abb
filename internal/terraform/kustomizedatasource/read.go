package kustomizedatasource

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/documents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/kustomize"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
)

// Read builds the kustomization.
func (kustomizeDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m model
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
		resp.Diagnostics.Append(failed(m.Path.ValueString(), err))
		return
	}
	for _, warning := range built.Warnings {
		resp.Diagnostics.Append(invalid.DeprecatedInKustomization(warning))
	}
	objects, err := documents.Parse(built.Text, options)
	if err != nil {
		resp.Diagnostics.Append(failed(m.Path.ValueString(), err))
		return
	}
	m.set(objects)
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}

func (m *model) set(objects []documents.Object) {
	m.Documents = documents.Texts(objects)
	m.CRDs = documents.Texts(documents.In(documents.CRDs, objects))
	m.Namespaces = documents.Texts(documents.In(documents.Namespaces, objects))
	m.Cluster = documents.Texts(documents.In(documents.Cluster, objects))
	m.Namespaced = documents.Texts(documents.In(documents.Namespaced, objects))
}

// failed returns the error about a kustomization that could not be built.
func failed(at string, err error) diag.Diagnostic {
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
