package sets

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// Release is a release of Helm that a set takes over.
type Release struct {
	Name, Namespace string
	// Chart is the name and the version of its chart.
	Chart string
	// Records are the objects in which Helm has stored it.
	Records []string
	// Left are the objects of the release that are not in the set, nor in a resource that was planned before.
	Left []string
	// SkipsHooks is true if the set has hooks that a create would run.
	SkipsHooks bool
}

// ReleaseTakenOver warns of a plan that takes over a release.
func ReleaseTakenOver(r Release) diag.Diagnostic {
	var hooks, left string
	if r.SkipsHooks {
		hooks = "No hooks run: Helm has run them."
	}
	if len(r.Left) > 0 {
		left = "These objects of the release are not in this set. They stay on the cluster:\n" +
			diagnostics.Lines(r.Left) + "\n\nIf no other resource manages them, add their manifests, or delete them " +
			"with kubectl."
	}
	does := fmt.Sprintf("The set takes over the objects of the Helm release %s in namespace %s (%s). Once they are "+
		"applied, Helm forgets the release: the apply deletes\n%s\n\nHelm's own annotations and labels stay on the "+
		"objects.", r.Name, r.Namespace, r.Chart, diagnostics.Lines(r.Records))
	return diag.NewWarningDiagnostic("Release Taken Over", diagnostics.Paragraphs(does, left, hooks))
}

// NoRelease warns of a release that does not exist.
func NoRelease(name, namespace string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Release Not Found", fmt.Sprintf(
		"Helm has no release %s in namespace %s, so nothing is taken over.\n\nTo see all releases, run: helm list -A\n"+
			"If this one was taken over before, remove take_over_release.", name, namespace))
}

// ReleaseBusy returns the error about a release whose status excludes a take-over, such as pending-upgrade.
func ReleaseBusy(name, namespace, status string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Release Is Not Deployed", fmt.Sprintf(
		"The status of the Helm release %s in namespace %s is %s: Helm is changing it, was interrupted, or has "+
			"uninstalled it.\n\nWait until Helm has finished, or run helm rollback, then plan again.",
		name, namespace, status))
}

// UnreadableRelease returns the error about a release that cannot be read.
func UnreadableRelease(names diagnostics.Names, record manifest.Identity, err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Release Cannot Be Read", fmt.Sprintf(
		"%s is no release as Helm 3 and 4 store it: %s.\n\nRemove take_over_release, and adopt the objects with "+
			"%s = true.", record, err, names.Of(arguments.AdoptExisting)))
}
