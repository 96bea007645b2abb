package sets

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// Departure is how objects stay on the cluster when their resource, or the set that they leave, gives them up.
type Departure struct {
	// Manager is the field manager that gives up the fields, and Successor the one that gets them; "" if none does.
	Manager, Successor string
	// Fields is how many fields change owner.
	Fields int
}

// Counts returns the sentence that counts the fields.
func (d Departure) Counts() string {
	if d.Successor == "" {
		return fmt.Sprintf("%s, 0 values: %q gives them up.",
			diagnostics.Number(d.Fields, "1 field loses its owner", "%d fields lose their owner"), d.Manager)
	}
	return fmt.Sprintf("%s, 0 values: %q -> %q.",
		diagnostics.Number(d.Fields, "1 field changes owner", "%d fields change owner"), d.Manager, d.Successor)
}

// Next returns what to know before another tool manages the objects.
func (d Departure) Next(names diagnostics.Names) string {
	if d.Successor == "" {
		return names.If(arguments.Successor, "If another tool applies them next, name its field manager, and "+
			"apply that first. Fields that the tool stops declaring later are then removed:\n\n  "+
			names.Of(arguments.OnDestroy)+" = \"hand_over\"\n  %s = \"kustomize-controller\"")
	}
	return fmt.Sprintf("If %q applies the same manifest next, its first apply changes nothing. Fields that it "+
		"stops declaring later are removed.", d.Successor)
}

// The summaries of the warnings about objects that leave the configuration.
const (
	ObjectsDeleted    = "Objects Deleted"
	ObjectsReleased   = "Objects Released"
	ObjectsHandedOver = "Objects Handed Over"
)

// Deleted returns the warning of a plan about the objects that leave the configuration and are deleted.
func Deleted(objects []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(common(ObjectsDeleted, objects),
		"These objects are no longer in manifests. The apply deletes them, after it has applied the others:\n"+
			diagnostics.AllLines(objects))
}

// Left returns the warning of a plan about the objects that leave the configuration, or that a destroy gives up, and
// that stay on the cluster.
func Left(names diagnostics.Names, objects []string, how Departure) diag.Diagnostic {
	detail := diagnostics.Paragraphs(
		"The set gives these objects up. They stay on the cluster with all their values:\n"+
			diagnostics.AllLines(objects),
		how.Counts(), how.Next(names))
	if how.Successor == "" {
		return diag.NewWarningDiagnostic(common(ObjectsReleased, objects), detail)
	}
	return diag.NewWarningDiagnostic(common(ObjectsHandedOver, objects), detail)
}

// ManifestsUnknown warns of an update of a set whose manifests, or whose release, the plan does not know.
func ManifestsUnknown(names diagnostics.Names) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Objects Not Shown", "The plan does not know "+names.Body+", so it does not "+
		"show what the apply changes, takes or deletes: it may be any object of this set.\n\nA data source with "+
		"depends_on is read during the apply while something changes that it depends on. Put depends_on into this "+
		"resource instead, and give the data source values that the plan knows.")
}

// HooksOfDestroy warns of the hooks that a destroy runs.
func HooksOfDestroy(hooks []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Hooks of the Destroy", "The destroy runs these hooks of the chart:\n"+
		diagnostics.Lines(hooks)+"\n\nIf one before the objects fails, nothing is deleted.")
}

// HooksOfApply warns of the hooks that an apply runs, if they are those that the last one has run: the CLI hides an
// attribute that stays the same.
func HooksOfApply(hooks []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Hooks of the Apply", "The apply runs these hooks of the chart again:\n"+
		diagnostics.Lines(hooks)+"\n\nIf one before the objects fails, no object that exists is changed.")
}

// The titles of warnings about what the API server deletes along with an object: other objects, and the data of
// volumes; and of the one about an object that goes with its owner.
const (
	DeletedToo       = "Deleted Too"
	DataDeletedToo   = "Data Deleted Too"
	DeletedWithOwner = "Deleted With Its Owner"
)

// Along returns the warning about the objects that the API server deletes along with another one. objects are their
// names and owners, for people. isAll is false if there are more.
func Along(names diagnostics.Names, with manifest.Identity, objects []string, isAll bool) diag.Diagnostic {
	count := diagnostics.Number(len(objects), "1 object", "%d objects")
	if !isAll {
		count = fmt.Sprintf("at least %d objects", len(objects))
	}
	return diag.NewWarningDiagnostic(names.About(DeletedToo, with), fmt.Sprintf(
		"%s: the API server deletes with it %s that this resource does not have:\n%s\n\nTo keep them, keep %[4]s, or "+
			"set %[5]s = \"release\" and apply that first.",
		with, count, diagnostics.Lines(objects), with.Name, names.Of(arguments.OnDestroy)))
}

// Unlisted returns the error, or the warning, about a plan that deletes an object and with it others that could not be
// listed. refuses is true if the plan is refused.
func Unlisted(names diagnostics.Names, with manifest.Identity, refuses bool, err error) diag.Diagnostic {
	seen := fmt.Sprintf("%s: the API server deletes with it all objects of its kind, or in it, and the provider could "+
		"not list all of them: %s.", with, strings.TrimSuffix(err.Error(), "."))
	see := "repair what the server reports"
	if cluster.MissingRightOf(err) != nil {
		see = "grant the connection's user the verb list"
	}
	next := fmt.Sprintf("To see them in the plan, %s. To keep them, keep %s, or set %s = \"release\" and apply that "+
		"first.", see, with.Name, names.Of(arguments.OnDestroy))
	if !refuses {
		return diag.NewWarningDiagnostic(names.About(DeletedToo, with), diagnostics.Paragraphs(seen, next))
	}
	return diag.NewErrorDiagnostic("Object Protected", diagnostics.Paragraphs(
		seen+" So the provider refused to delete it.", next+fmt.Sprintf(" To delete them, too, set %s = false and "+
			"apply that change alone first.", names.Of(arguments.DeleteProtection))))
}

// Loss is what is said of volumes whose data is deleted.
type Loss struct {
	// Volumes are their claims and names, for people, and Keep is the command that makes a volume stay.
	Volumes []string
	Keep    string
	// IsKnown is false if none of their policies could be read, IsScaled true if their pods go, and not the object.
	IsKnown, IsScaled bool
}

// Data returns the warning about volumes whose data is deleted along with an object, or with its pods.
func Data(names diagnostics.Names, with manifest.Identity, lost Loss) diag.Diagnostic {
	seen := "the data of these volumes is deleted with it"
	end := fmt.Sprintf("Or keep %s, or set %s = \"release\" and apply that first. With %s = true, such a plan is "+
		"refused.", with.Name, names.Of(arguments.OnDestroy), names.Of(arguments.DeleteProtection))
	if lost.IsScaled {
		seen = "it gets fewer replicas, and the data of these volumes is deleted with their pods"
		end = "Or set spec.persistentVolumeClaimRetentionPolicy.whenScaled to Retain."
	}
	if !lost.IsKnown {
		seen += ", unless their policy is Retain, which this user may not read"
	}
	return diag.NewWarningDiagnostic(names.About(DataDeletedToo, with), fmt.Sprintf(
		"%s: %s:\n%s\n\nTo keep the data, run this first:\n  %s\n%s",
		with, seen, diagnostics.Lines(lost.Volumes), lost.Keep, end))
}

// Orphaned returns the warning about an object that a plan keeps, and that goes with its owner.
func Orphaned(names diagnostics.Names, object, owner manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(names.About(DeletedWithOwner, object), fmt.Sprintf(
		"%s: this plan deletes or replaces %s, which owns it by metadata.ownerReferences. Kubernetes then deletes it, "+
			"too, and the next plan creates it again.\n\nTo keep it, remove the owner reference from it before you "+
			"apply this plan.",
		object, owner))
}

// Unowned returns the warning about an object whose owners do not exist.
func Unowned(names diagnostics.Names, object manifest.Identity, owners []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(names.About("Owner Not Found", object), fmt.Sprintf(
		"%s: metadata.ownerReferences names owners that do not exist:\n%s\n\nKubernetes deletes an object as soon as "+
			"it has none of its owners, and the next plan creates it again. Otherwise it removes the reference. "+
			"Correct name and uid, or remove the reference.",
		object, diagnostics.Lines(owners)))
}

// InUse returns the error about a plan that deletes an object together with objects that are not the resource's, of
// which some may belong to other managers. A replacement that -replace requests is refused without any, if others is 0.
func InUse(names diagnostics.Names, with manifest.Identity, objects []string, others int) diag.Diagnostic {
	why := fmt.Sprintf("%d of them may be of others, so the provider refused to delete it", others)
	keep := fmt.Sprintf("set %s = \"release\" and apply that first", names.Of(arguments.OnDestroy))
	if others == 0 {
		why = "Terraform shows no warning if -replace or replace_triggered_by requests that, so the provider refused it"
		keep = "do not request it"
	}
	return diag.NewErrorDiagnostic("Object Protected", fmt.Sprintf(
		"%s: the API server would delete with it objects that this resource does not have, and %s:\n%s\n\nTo delete "+
			"them, too, set %s = false and apply that change alone first. To keep them, %s.",
		with, why, diagnostics.Lines(objects), names.Of(arguments.DeleteProtection), keep))
}

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
