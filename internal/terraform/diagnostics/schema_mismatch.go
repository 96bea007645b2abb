package diagnostics

import (
	"fmt"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/phrases"
)

// The API server's words for mistakes that have a special next step.
const (
	notDeclared    = "field not declared in schema"
	stringExpected = "expected string"
	setOfObjects   = "associative list without keys has an element that's a map type"
)

// schemaMismatch describes what is wrong with a value that does not match the schema, and the next step.
func (w Words) schemaMismatch(id manifest.Identity, unfit *cluster.SchemaMismatchError) (seen, next string) {
	if len(unfit.Undeclared) > 0 {
		return w.undeclared(id, unfit.Undeclared)
	}
	if unfit.Problem == notDeclared && unfit.Of == cluster.MismatchInManifest {
		return w.unpublished(unfit.Field)
	}
	seen = unfit.Field + ": " + unfit.Problem
	switch {
	case unfit.Field == "":
		return unfit.Problem, "Correct the value" + w.inBody() + " that the message names."
	case unfit.Of == cluster.MismatchInObject:
		next = fmt.Sprintf("The value of %[1]s on the cluster is older than the schema of the kind and does not fit it, so the "+
			"API server refuses every server-side apply to the object. Repair %[1]s with kubectl edit", unfit.Field)
		if w.creates() {
			next += ", or replace the object with terraform apply -replace"
		}
		next += "."
	case unfit.Problem == stringExpected:
		next = fmt.Sprintf("Put the value of %s in quotes%s.", unfit.Field, w.inBody())
	default:
		next = fmt.Sprintf("The value of %s%s does not fit the schema of the kind. Correct it.", unfit.Field, w.inBody())
	}
	if strings.Contains(unfit.Problem, setOfObjects) {
		next += fmt.Sprintf(" If %s holds objects, its CustomResourceDefinition must not declare a set: server-side apply "+
			"accepts objects only in lists of the type map or atomic.", unfit.Field)
	}
	return seen, next
}

// undeclared lists the fields that the schema does not contain, each with similar names that it contains.
func (w Words) undeclared(id manifest.Identity, fields []cluster.UndeclaredField) (seen, next string) {
	what, them := "no such field", "it"
	if len(fields) > 1 {
		what, them = "no such fields", "them"
	}
	seen = "its kind has " + what + ":\n"
	for _, field := range fields {
		seen += "\n  " + field.Path
		if len(field.Nearest) > 0 {
			seen += " (did you mean " + phrases.Alternatives(field.Nearest) + "?)"
		}
	}
	return seen, fmt.Sprintf("Correct %s%s; kubectl explain %s --api-version=%s lists the fields of the kind.",
		them, w.inBody(), strings.ToLower(id.Kind), id.APIVersion)
}

// unpublished describes a field that the API server does not know, and the next step, if the provider could not read
// the schema.
func (w Words) unpublished(field string) (seen, next string) {
	return "its kind has no field " + field, "Correct it" + w.inBody() + ". There may be more unknown fields: the API server names only one, " +
		"and the provider could not read the schema to list them all. If the CustomResourceDefinition is new, the API server publishes its " +
		"schema within seconds; then plan again to see all fields."
}
