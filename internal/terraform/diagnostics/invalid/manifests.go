package invalid

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

const (
	manifestSummary = "Invalid Manifest"
	pathSummary     = "Invalid Field Path"
)

// Manifest returns the error about a manifest that cannot be used.
func Manifest(at path.Path, fault *manifest.Error) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, manifestSummary,
		at.String()+": "+fault.Problem+".\n\n"+fault.Suggestion)
}

// Body returns the error about the attribute with a manifest, or with a part of one.
func Body(attribute, problem string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root(attribute), manifestSummary, attribute+": "+problem)
}

// NotAJob returns the error about a manifest of another kind than Job.
func NotAJob(attribute, kind, apiVersion string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root(attribute), manifestSummary, fmt.Sprintf(
		"%s has a %s of %s, and this action runs Jobs of batch/v1.\n\nWrite the manifest of a Job. "+
			"To run the template of a CronJob, set its name in cron_job.", attribute, kind, apiVersion))
}

// Patch returns the error about a JSON, merge or strategic patch.
func Patch(at path.Path, problem string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Invalid Patch", problem)
}

// FieldPath returns the error about a path in an attribute. at is the attribute, or an element of it.
func FieldPath(at path.Path, attribute, problem string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, pathSummary, attribute+": "+problem)
}

// SetAndRemoved returns the error about a path of fields that an apply would set and remove.
func SetAndRemoved(fields, body string) diag.Diagnostic {
	return FieldPath(path.Root("remove_fields"), "remove_fields", fields+" covers a field of "+body+
		", which the apply would set and remove.\n\nRemove it from one of the two.")
}

// Once returns the error about an object that is to run once and is not a Job.
func Once(names diagnostics.Names, id manifest.Identity) diag.Diagnostic {
	return Value(path.Root("once"), fmt.Sprintf("once is for Jobs (batch), which end, and %s has a %s.\n\nRemove once.",
		names.Body, id.Kind))
}

// SecretExport returns the error about an export of a secret value. sensitive is the argument for exports of secret
// values.
func SecretExport(at path.Path, sensitive string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Secret Value Exported",
		at.String()+": the field is secret, and values would show it.\n\nMove the name to "+sensitive+".")
}

// WriteOnlyExport returns the error about an export of a value that is not to be stored.
func WriteOnlyExport(at path.Path) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Secret Value Exported", at.String()+": the field is write-only, and "+
		"the state would store its value.\n\nRemove the name. The ephemeral resource k8sconnect_object reads the "+
		"field.")
}

// Pin returns the error about a pattern of pin_fields that another argument contradicts.
func Pin(names diagnostics.Names, err *arguments.UnpinnableError) diag.Diagnostic {
	var problem string
	switch {
	case err.Why == arguments.Declared:
		problem = fmt.Sprintf("is in %[1]s.\n\nRemove it from one of the two: %[1]s sets a value, %[2]s holds the "+
			"value that somebody else sets.", names.Body, names.Named(arguments.PinFields))
	case err.Why == arguments.LeftAlone:
		problem = fmt.Sprintf("is left to others by %[1]s in %[2]s%[4]s.\n\nRemove it from one of the two: %[3]s "+
			"holds the value, %[2]s never does.", err.By, names.Named(arguments.IgnoreFields),
			names.Named(arguments.PinFields), of(names.ByRule(arguments.IgnoreFields, err.By)))
	case err.By != "":
		problem = "is secret by " + err.By + " in " + names.Named(arguments.SensitiveFields) +
			of(names.ByRule(arguments.SensitiveFields, err.By)) + ", and the state would store its value.\n\nRemove it."
	default:
		problem = "is secret, and the state would store its value.\n\nRemove it."
	}
	return diag.NewAttributeErrorDiagnostic(path.Root(names.Of(arguments.PinFields)), pathSummary,
		names.Of(arguments.PinFields)+": "+err.Pattern+" "+problem)
}

// of returns the rule that has an argument; "" without one.
func of(rule string) string { return diagnostics.Given(rule, " of "+rule) }

// Length returns the error of a limit that contradicts itself or the manifest.
func Length(names diagnostics.Names, err *arguments.LengthError) diag.Diagnostic {
	var problem string
	switch err.Why {
	case arguments.MaxBelowMin:
		problem = fmt.Sprintf("max is %d and min is %d.\n\nSet max to %d or more, or lower min.",
			err.Max, err.Min, err.Min)
	case arguments.MaxBelowDeclared:
		problem = fmt.Sprintf("max is %d, and %s has %s.\n\nSet max to %d or more, or remove entries from %s.",
			err.Max, names.Body, diagnostics.Entries(err.Declared), err.Declared, names.Body)
	case arguments.MinBelowDeclared:
		problem = fmt.Sprintf("min is %d, and %s has %s, which the object always has.\n\nSet min to %d or more, or "+
			"remove it.", err.Min, names.Body, diagnostics.Entries(err.Declared), err.Declared)
	default:
		problem = "the value in " + names.Body + " is not a list.\n\nCorrect the path."
	}
	at := path.Root(names.Of(arguments.ListLengths)).AtMapKey(err.Pattern.String())
	return diag.NewAttributeErrorDiagnostic(at, "Invalid List Length",
		names.Of(arguments.ListLengths)+": "+err.Pattern.String()+": "+problem)
}

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
		"Helm.\n\nRender the chart with the data source k8sconnect_chart.")
}

// RemoteInKustomization returns the error about a kustomization that fetches something.
func RemoteInKustomization(err error) diag.Diagnostic {
	return ofKustomization("Remote Resource in Kustomization", err.Error()+
		". This data source sends no request, and runs no git.\n\nCopy the remote files next to the kustomization, "+
		"for example as a git submodule or with kustomize localize, and name the copy.")
}
