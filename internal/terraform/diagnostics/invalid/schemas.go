package invalid

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/openapi"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

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
	seen, next, values := "", "Correct them.", "values"
	if len(u.Problems) == 1 {
		next, values = "Correct it.", "value"
	}
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
		next = "Put the " + values + " in quotes."
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
