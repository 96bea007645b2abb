package kustomizedatasource

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/documents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/kustomize"
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
		resp.Diagnostics.AddAttributeError(path.Root("namespace"), "Invalid Namespace", problem)
		return
	}
	text, err := kustomize.Build(m.Path.ValueString())
	if err != nil {
		resp.Diagnostics.Append(failed(m.Path.ValueString(), err))
		return
	}
	objects, err := documents.Parse(text, options)
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
		return diag.NewAttributeErrorDiagnostic(path.Root("path"), "Helm Chart in Kustomization", refused.Error()+", and this data source does not run Helm.\n\n"+
			"Render the chart with the data source helm_template, and pass its manifest to provider::k8sconnect::documents.")
	case errors.As(err, &refused) && refused.IsFolder:
		return diag.NewAttributeErrorDiagnostic(path.Root("path"), "Invalid Kustomization", refused.Error()+", and this data source cannot check what they fetch.\n\n"+
			"Name the files in the folder instead.")
	case errors.As(err, &refused):
		return diag.NewAttributeErrorDiagnostic(path.Root("path"), "Remote Resource in Kustomization", refused.Error()+". This data source sends no request, and runs no git.\n\n"+
			"Copy the remote files next to the kustomization, for example as a git submodule or with kustomize localize, and name the copy.")
	case errors.As(err, &missing):
		return diag.NewAttributeErrorDiagnostic(path.Root("path"), "Invalid Kustomization", missing.Error()+".\n\n"+
			"Write the folder that has the kustomization.yaml, for example \"${path.module}/overlays/production\".")
	default:
		return diag.NewAttributeErrorDiagnostic(path.Root("path"), "Invalid Kustomization", "The kustomization in "+at+" could not be built: "+err.Error()+"\n\n"+
			"Correct the kustomization, and check it with kubectl kustomize.")
	}
}
