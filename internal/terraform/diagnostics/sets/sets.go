// Package sets has the diagnostics about several objects of one resource.
package sets

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/unready"
)

// NoMap returns the error about manifests that are not a map.
func NoMap(at path.Path) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Invalid Manifests", at.String()+" is not a map.\n\n"+
		"Write a map of keys to manifests. For a file with several documents, write "+
		`provider::k8sconnect::documents(file("install.yaml"), { format = "json" }).`)
}

// Invalid returns the error about an entry of manifests that cannot be used.
func Invalid(at path.Path, fault *manifest.Error) diag.Diagnostic { return invalid.Manifest(at, fault) }

// InvalidPart returns the error about a write-only part of a manifest.
func InvalidPart(at path.Path, fault error) diag.Diagnostic {
	return invalid.Body(at.String(), fault.Error())
}

// Twice returns the error about an object with two manifests.
func Twice(object manifest.Identity, one, other path.Path) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(other, "Object Has Two Manifests", fmt.Sprintf(
		"%s and %s are both the manifest of %s.\n\nRemove one of them.", one, other, object))
}

// ExclusiveTwice returns the error about two Services that ask for the same port or address. asked is the field and its
// value.
func ExclusiveTwice(at path.Path, asked string, one, other manifest.Identity) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Two Services With One Value", fmt.Sprintf(
		"%s and %s of this set both have %s, which the API server gives to one Service.\n\nWrite another value in one "+
			"of them, or leave the field out there: the API server then chooses one.", one, other, asked))
}

// KeysTwice returns the error about keys that both attributes with manifests have.
func KeysTwice(keys []string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Invalid Manifests", fmt.Sprintf(
		"manifests and secret_manifests both have these keys:\n%s\n\nRemove each from one of them. For one text in "+
			"both, write documents(text, { secrets = \"none\" }) in manifests and { secrets = \"only\" } in "+
			"secret_manifests.", diagnostics.Lines(keys)))
}

// Unlocated returns diagnostics without the places of which the CLI prints the lines.
func Unlocated(diags diag.Diagnostics) diag.Diagnostics {
	var all diag.Diagnostics
	for _, d := range diags {
		all.Append(diagnostics.Of(d.Severity(), d.Summary(), d.Detail()))
	}
	return all
}

// WithoutManifest returns the error about a key of write-only parts that manifests does not have.
func WithoutManifest(at path.Path, key string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at.AtMapKey(key), "Invalid Manifests", fmt.Sprintf(
		"%s has the key %q, which manifests does not have.\n\nWrite a key of manifests, or remove it.", at, key))
}

// SecretsNotWritten returns the error about Secrets that an import has found, and that the configuration does not have.
func SecretsNotWritten(objects []string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(common("Imported Secrets Not Written", objects), fmt.Sprintf(
		"The import has found these Secrets, and the configuration has no secret_manifests, so the apply would delete "+
			"them:\n%s\n\nWrite them in secret_manifests: Terraform generates none. To delete them, write "+
			"secret_manifests = {}.", diagnostics.Lines(objects)))
}

// Held returns the error about objects that were not deleted, because another one is still there.
func Held(there string, objects []string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(common("Objects Kept", objects), fmt.Sprintf("%s is still there, and needs "+
		"these objects, so they were not deleted:\n%s\n\nThe next apply or destroy deletes them after it.",
		there, diagnostics.Lines(objects)))
}

// HeldForController returns the error about objects that were not deleted, because the controller of a custom resource
// that is still there, or the server of an API service, may be among them.
func HeldForController(there string, objects []string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(common("Objects Kept", objects), fmt.Sprintf("%s is still there. Its controller "+
		"or its server may be among these objects, so they were not deleted:\n%s\n\nThe next apply or destroy "+
		"deletes them after it.", there, diagnostics.Lines(objects)))
}

// OfAnotherState returns the error about a new set all of whose objects exist under its own field manager.
func OfAnotherState(names diagnostics.Names, manager string, objects []string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(common("Object Already Exists", objects), fmt.Sprintf(
		"All objects of this set exist, and %q has applied them, which is the %s of this configuration. Another "+
			"state, workspace or checkout may manage them, so nothing was touched:\n%s\n\nIf their state was lost, "+
			"set %s = true: the plan then shows what changes. To have a second set of objects, give them other names "+
			"or another namespace.", manager, names.Of(arguments.FieldManager), diagnostics.Lines(objects),
		names.Of(arguments.AdoptExisting)))
}

// StillNeeded returns the error about a namespace, a definition or an API service that would take objects along.
func StillNeeded(names diagnostics.Names, object manifest.Identity, kept []string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Object Still Needed", fmt.Sprintf("The plan deletes %s, which objects need that "+
		"stay. They would be deleted with it, or could not be reached any more:\n%s\n\nKeep it in manifests as it "+
		"is, or delete these objects first; together with it, if it leaves manifests.%s",
		object, diagnostics.Lines(kept), names.If(arguments.OnDestroy,
			` To give it up without deleting it, set %s = "release" and apply that first.`)))
}

// ImportID returns the error about an import ID that names no manager.
func ImportID(id string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Invalid Import ID", fmt.Sprintf("The import ID %q names no manager.\n\nWrite the "+
		"field manager that has applied the objects: manager=NAME, or manager=NAME,namespace=NAMESPACE for those of "+
		"one namespace. On a cluster with a name, cluster=NAME, comes first.", id))
}

// NothingApplied returns the error about an import of a manager that has applied nothing. namespace is the one of the
// import ID; "" for all.
func NothingApplied(manager, namespace string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("No Objects Found", fmt.Sprintf("No object%s has fields that the manager %q owns "+
		"by server-side apply.\n\nThe managers of an object are in its metadata.managedFields: kubectl get KIND NAME "+
		"--show-managed-fields -o yaml. Objects that others created are not imported: write their manifests, and let "+
		"the set adopt them.",
		diagnostics.Given(namespace, " of the namespace "+namespace), manager))
}

// common returns a summary that names the first of some objects, and how many others there are: the CLI folds equal
// ones.
func common(summary string, objects []string) string { return summary + ": " + firstOf(objects) }

func firstOf(objects []string) string {
	if len(objects) == 1 {
		return objects[0]
	}
	return fmt.Sprintf("%s and %d More", objects[0], len(objects)-1)
}

// NotTried returns the error of an apply about the objects that it has not tried, because needed could not be applied.
func NotTried(needed string, objects []string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(common("Objects Not Tried", objects), fmt.Sprintf(
		"These objects need %s, which could not be applied:\n%s\n\nThe next apply tries them.",
		needed, diagnostics.Lines(objects)))
}

// Undone are objects that were set back.
type Undone []unready.Undone

// ChangesUndone returns the error about objects that were set back because others did not become ready.
func ChangesUndone(failed []string, undone Undone) diag.Diagnostic {
	return unready.ChangesUndone(failed, undone)
}

// NotDeleted returns the warning of an apply that failed about the objects that it should have deleted.
func NotDeleted(objects []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(common("Objects Not Deleted", objects),
		"The apply has deleted nothing, because other objects of the set could not be applied:\n"+
			diagnostics.AllLines(objects)+"\n\nThe next apply deletes them.")
}

// ObjectsLeft returns the warning of an apply or a destroy that failed about how far it came: the objects that it is
// done with, those that are left, which other messages are about, and how many it had nothing to do with.
func ObjectsLeft(done, left []string, others int) diag.Diagnostic {
	text := "No object with something to do is done."
	if len(done) > 0 {
		text = fmt.Sprintf("Of %d objects with something to do, %s done:\n%s", len(done)+len(left), are(len(done)),
			diagnostics.Lines(done))
	}
	rest := are(len(left)) + " left: the other messages say which, and why. The next run has exactly what is left."
	if others > 0 {
		rest += fmt.Sprintf(" The set has %d more, with nothing to do.", others)
	}
	return diag.NewWarningDiagnostic(common("Objects Left", left), diagnostics.Paragraphs(text, rest))
}

// are returns "1 is", "2 are".
func are(n int) string { return diagnostics.Number(n, "1 is", "%d are") }
