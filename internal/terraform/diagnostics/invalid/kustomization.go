package invalid

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

const kustomizationSummary = "Invalid Kustomization"

func ofKustomization(summary, detail string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("path"), summary, detail)
}

// Kustomization returns the error about a kustomization that could not be built.
func Kustomization(folder string, err error) diag.Diagnostic {
	return ofKustomization(kustomizationSummary,
		"The kustomization in "+folder+" could not be built: "+err.Error()+"\n\nCorrect the kustomization, and check "+
			"it with kubectl kustomize.")
}

// DeprecatedInKustomization warns of a field of a kustomization that kustomize no longer recommends.
func DeprecatedInKustomization(warning string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("path"), "Deprecated In Kustomization", warning)
}

// NoKustomization returns the error about a folder without a kustomization.
func NoKustomization(err error) diag.Diagnostic {
	return ofKustomization(kustomizationSummary, err.Error()+".\n\nWrite the folder that has the kustomization.yaml, "+
		"for example \"${path.module}/overlays/production\".")
}

// FolderInKustomization returns the error about a kustomization that names a folder in place of files.
func FolderInKustomization(err error) diag.Diagnostic {
	return ofKustomization(kustomizationSummary, err.Error()+", and this data source cannot check what they fetch.\n\n"+
		"Name the files in the folder instead.")
}

// HelmInKustomization returns the error about a kustomization that renders a Helm chart.
func HelmInKustomization(err error) diag.Diagnostic {
	return ofKustomization("Helm Chart in Kustomization", err.Error()+", and this data source does not run "+
		"Helm.\n\nRender the chart with the data source helm_template, and pass its manifest to "+
		"provider::k8sconnect::documents.")
}

// RemoteInKustomization returns the error about a kustomization that fetches something.
func RemoteInKustomization(err error) diag.Diagnostic {
	return ofKustomization("Remote Resource in Kustomization", err.Error()+
		". This data source sends no request, and runs no git.\n\nCopy the remote files next to the kustomization, "+
		"for example as a git submodule or with kustomize localize, and name the copy.")
}
