package invalid

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/openapi"
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

const (
	renderingSummary = "Chart Not Rendered"
	generatedSummary = "Generated Values"
)

// Chart returns the error about a chart that could not be loaded.
func Chart(err error) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("chart"), "Chart Not Loaded", sentence(err.Error()))
}

// ChartValues returns the error about values, or a string with values, that a chart does not accept.
func ChartValues(at path.Path, problem string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Invalid Chart Values", at.String()+": "+problem)
}

// Rendering returns the error about a chart whose templates fail, or make something else than manifests.
func Rendering(err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic(renderingSummary, sentence(err.Error())+"\n\nIf the message is one of the chart, "+
		"its values have to change. `helm template` shows the same one.")
}

// ChartWithoutCluster returns the error about a chart that reads a cluster where none is configured.
func ChartWithoutCluster() diag.Diagnostic {
	return diag.NewErrorDiagnostic(renderingSummary, "The chart reads the cluster (lookup or .Capabilities), and no "+
		"cluster is configured.\n\nConfigure one in the provider block, or, for .Capabilities alone, set "+
		"capabilities = { kube_version = \"1.36\" }.")
}

// ChartBeforeCluster returns the error about a chart that reads a cluster which is not known yet.
func ChartBeforeCluster() diag.Diagnostic {
	return diag.NewErrorDiagnostic(renderingSummary, "The chart reads the cluster (lookup, .Capabilities, or the "+
		"values that it has generated before), whose connection is known only after the apply.\n\nName the cluster in "+
		"depends_on of this data source, so that the apply reads it. For .Capabilities alone, set capabilities = "+
		"{ kube_version = \"1.36\" }. For generated values of a chart that is not installed yet, set renew = true "+
		"until it is.")
}

// GeneratedNames warns of objects of a chart whose names are drawn at random.
func GeneratedNames(keys []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(generatedSummary, "The chart generates a new name for these objects in "+
		"each plan, so that each apply creates them, and deletes those of the last one:\n"+
		diagnostics.AllLines(keys)+"\n\nMost charts have a value that sets a fixed name.")
}

// GeneratedInHooks warns of hooks of a chart that are other ones in each plan.
func GeneratedInHooks(keys []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(generatedSummary, "The chart generates values or names of these hooks in "+
		"each plan, and nothing on the cluster keeps them, so that each apply runs them:\n"+
		diagnostics.AllLines(keys)+"\n\nMost charts have a value that turns a hook off or sets what it generates.")
}

// GeneratedBesideOthers warns of objects with new generated values, where other objects keep theirs.
func GeneratedBesideOthers(keys []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(generatedSummary, "The chart generates new values for these objects, while "+
		"others keep theirs. They are not on the cluster, or the chart has changed so much around a value that it is "+
		"not found there:\n"+diagnostics.AllLines(keys)+"\n\nIf they belong together, a certificate and its "+
		"authority for instance, check them in the plan. renew = true generates all values again.")
}

// GeneratedWithoutCluster warns of values that the chart generates again in each plan.
func GeneratedWithoutCluster(keys []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(generatedSummary, "The chart generates values of these objects, and without a "+
		"cluster each plan has other ones:\n"+diagnostics.AllLines(keys)+"\n\nConfigure the cluster in the provider "+
		"block, or set the values in secret_values.")
}

// sentence returns text with a full stop at its end. It capitalizes an article at the beginning, and no name of a file
// or an argument.
func sentence(text string) string {
	for _, article := range []string{"the ", "a "} {
		if strings.HasPrefix(text, article) {
			text = strings.ToUpper(text[:1]) + text[1:]
		}
	}
	return strings.TrimSuffix(text, ".") + "."
}

// Unfit is an object that does not fit the schema of its kind in a folder.
type Unfit struct {
	Object   manifest.Identity
	Problems []openapi.Problem
	// Lines are those of the string that the object was read from.
	Lines manifest.Lines
	// File is the file with the schema, and Version the version of the server that published it.
	File, Version string
}

// Diagnostic returns the error about the object.
func (u Unfit) Diagnostic(at path.Path) diag.Diagnostic {
	seen, next := "", diagnostics.Number(len(u.Problems), "Correct it.", "Correct them.")
	isUnknown := func(p openapi.Problem) bool { return p.Text == openapi.NotDeclared }
	isUnquoted := func(p openapi.Problem) bool { return p.Text == openapi.StringExpected }
	isOther := func(p openapi.Problem) bool { return !isUnquoted(p) }
	isBytes := func(p openapi.Problem) bool {
		return u.Object.IsSecret() && p.Text == openapi.Unreadable && len(p.At) == 2 && p.At[0] == manifest.SecretData
	}
	for _, p := range u.Problems {
		if line := u.Lines.Of(p.At); line > 0 {
			seen += fmt.Sprintf("\n  line %d: %s: %s", line, p.Field, ProblemText(p))
		} else {
			seen += fmt.Sprintf("\n  %s: %s", p.Field, ProblemText(p))
		}
	}
	switch {
	case slices.ContainsFunc(u.Problems, isBytes):
		next += " The values in data of a Secret are base64: write clear text in stringData."
	case !slices.ContainsFunc(u.Problems, isOther):
		next = diagnostics.Number(len(u.Problems), "Put the value in quotes.", "Put the values in quotes.")
	}
	detail := fmt.Sprintf("%s: %s does not fit the schema of its kind:\n%s\n\n%s The schema is that of Kubernetes "+
		"%s, in %s.", at, u.Object, seen, next, u.Version, u.File)
	if !manifest.IsBuiltinGroup(u.Object.Group()) {
		detail += " If the definition has changed since, remove that file until the new definition is applied."
	}
	if slices.ContainsFunc(u.Problems, func(p openapi.Problem) bool { return !isUnknown(p) }) {
		return diag.NewAttributeErrorDiagnostic(at, "Value Does Not Fit Schema", detail)
	}
	return diag.NewAttributeErrorDiagnostic(at, "Unknown Field", detail)
}

// ProblemText returns what is wrong with a field, and which fields may have been meant.
func ProblemText(p openapi.Problem) string {
	if len(p.Nearest) == 0 {
		return p.Text
	}
	return p.Text + " (did you mean " + diagnostics.Alternatives(p.Nearest) + "?)"
}

// Schemas returns the error about a folder with schemas that cannot be read. source is the argument or environment
// variable that names the folder.
func Schemas(source string, err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Schemas Not Read", fmt.Sprintf("%s: %s.\n\nName a folder that "+
		"terraform-provider-k8sconnect schemas --out FOLDER has written, from the folder in which Terraform runs.",
		source, err))
}

// OtherSchemas warns of schemas of another version than that of the server.
func OtherSchemas(folder, version, server string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Schemas of Another Version", fmt.Sprintf("The schemas in %s are those of "+
		"Kubernetes %s, and the cluster has %s. Validation may refuse what the cluster accepts, and accept what it "+
		"refuses.\n\nRun terraform-provider-k8sconnect schemas --out %[1]q --context CONTEXT, with the context of "+
		"that cluster, and commit what has changed.",
		folder, version, server))
}
