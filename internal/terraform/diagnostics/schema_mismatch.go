package diagnostics

import (
	"fmt"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// The API server's words for mistakes with a special next step, and an explanation of one of them.
const (
	notDeclared    = "field not declared in schema"
	stringExpected = "expected string"
	yamlWords      = " Without quotes, YAML reads words such as n, no, on and yes as booleans."
	duplicates     = "duplicate entries"
	setOfObjects   = "associative list without keys has an element that's a map type"
)

// schemaMismatch describes what is wrong with a value that does not match the schema, and the next step.
func schemaMismatch(w Names, id manifest.Identity, unfit *cluster.SchemaMismatchError) (seen, next string) {
	wrong, unknown := problemsOf(unfit)
	switch {
	case len(wrong) > 1 && unfit.Of == cluster.MismatchInObject:
		seen, _ = severalWrong(w, wrong, nil)
		return seen, outgrown(w, id, "the values on the cluster do", "them")
	case len(wrong) > 1 || len(wrong) > 0 && len(unknown) > 0:
		return severalWrong(w, wrong, unknown)
	case len(unfit.Undeclared) > 0 || len(unknown) > 1:
		return undeclared(w, id, unknown)
	case len(wrong) > 0:
		unfit = &cluster.SchemaMismatchError{Field: wrong[0].Field, Problem: wrong[0].Problem, Of: unfit.Of}
	}
	if unfit.Problem == notDeclared && unfit.Of == cluster.MismatchInManifest {
		return unpublished(w, unfit.Field)
	}
	seen = unfit.Field + ": " + unfit.Problem
	switch {
	case unfit.Field == "":
		return unfit.Problem, "Correct the value" + inBody(w) + " that the message names."
	case unfit.Of == cluster.MismatchInObject:
		next = outgrown(w, id, "the value of "+unfit.Field+" on the cluster does", unfit.Field)
	case id.IsSecret() && strings.HasPrefix(unfit.Field, "data."):
		next = "The values in data of a Secret are base64. Write clear text in stringData instead" +
			Given(w.Body, ", in "+w.Body+Given(w.WriteOnlyBody, " or "+w.WriteOnlyBody)) + "."
	case unfit.Problem == stringExpected:
		next = fmt.Sprintf("Put the value of %s in quotes%s.%s", unfit.Field, inBody(w), yamlWords)
	case strings.HasPrefix(unfit.Problem, duplicates):
		next = fmt.Sprintf("Items of %s%s have the same key. Server-side apply takes each key once, although kubectl "+
			"apply without --server-side takes both. Remove one, or give it another key.", unfit.Field, inBody(w))
	default:
		next = fmt.Sprintf("The value of %s%s does not fit the schema of the kind. Correct it.", unfit.Field, inBody(w))
	}
	if strings.Contains(unfit.Problem, setOfObjects) {
		next += fmt.Sprintf(" If %s holds objects, its CustomResourceDefinition must not declare a set: server-side "+
			"apply accepts objects only in lists of the type map or atomic.", unfit.Field)
	}
	return seen, next
}

// outgrown describes what to do about values on the cluster that do not fit the schema. them names the fields.
func outgrown(w Names, id manifest.Identity, values, them string) string {
	return strings.TrimSpace("The schema of the kind has changed, and " + values + " not fit it any more, so the API " +
		"server refuses every server-side apply to the object. Repair " + them + " with kubectl edit. " +
		Recreate(w, id))
}

// problemsOf returns the values that do not fit the schema, and the fields of a manifest that it does not have: all of
// them, or those that the API server names if the schema could not be read. The values are sorted by their fields,
// because the API server begins with any of them.
func problemsOf(unfit *cluster.SchemaMismatchError) (wrong []cluster.FieldProblem, unknown []cluster.UndeclaredField) {
	for _, p := range append([]cluster.FieldProblem{{Field: unfit.Field, Problem: unfit.Problem}}, unfit.More...) {
		switch {
		case p.Problem != notDeclared && p.Problem != "":
			wrong = append(wrong, p)
		case p.Problem == notDeclared && unfit.Of == cluster.MismatchInManifest:
			unknown = append(unknown, cluster.UndeclaredField{Path: p.Field})
		}
	}
	if len(unfit.Undeclared) > 0 {
		unknown = unfit.Undeclared
	}
	slices.SortStableFunc(wrong, func(a, b cluster.FieldProblem) int { return strings.Compare(a.Field, b.Field) })
	return wrong, unknown
}

// isUnknownField reports whether a manifest only has fields that its kind does not have.
func isUnknownField(unfit *cluster.SchemaMismatchError) bool {
	wrong, _ := problemsOf(unfit)
	return len(wrong) == 0
}

// severalWrong lists all values that do not fit the schema, and the fields that it does not contain.
func severalWrong(w Names, wrong []cluster.FieldProblem, fields []cluster.UndeclaredField) (seen, next string) {
	seen, next = "these values do not fit the schema of the kind:\n", "Put them in quotes"+inBody(w)+"."+yamlWords
	for _, value := range wrong {
		seen += "\n  " + value.Field + ": " + value.Problem
	}
	for _, field := range fields {
		seen += "\n  " + field.Path + ": no such field" + suggested(field)
	}
	differs := func(value cluster.FieldProblem) bool { return value.Problem != stringExpected }
	if len(fields) > 0 || slices.ContainsFunc(wrong, differs) {
		next = "Correct them" + inBody(w) + "."
	}
	return seen, next
}

// suggested returns the names that may have been meant, in brackets; "" if no name is similar.
func suggested(field cluster.UndeclaredField) string {
	if len(field.Nearest) == 0 {
		return ""
	}
	return " (did you mean " + Alternatives(field.Nearest) + "?)"
}

// undeclared lists the fields that the schema does not contain, each with similar names that it contains.
func undeclared(w Names, id manifest.Identity, fields []cluster.UndeclaredField) (seen, next string) {
	seen = "its kind has " + Number(len(fields), "no such field", "no such fields") + ":\n"
	for _, field := range fields {
		seen += "\n  " + field.Path + suggested(field)
	}
	return seen, fmt.Sprintf("Correct %s%s; kubectl explain %s --api-version=%s lists the fields of the kind.",
		Number(len(fields), "it", "them"), inBody(w), strings.ToLower(id.Kind), id.APIVersion)
}

// unpublished describes a field that the API server does not know, and the next step, if the provider could not read
// the schema.
func unpublished(w Names, field string) (seen, next string) {
	return "its kind has no field " + field, "Correct it" + inBody(w) + ". There may be more unknown fields: the API " +
		"server names only one, and the provider could not read the schema to list them all. If the " +
		"CustomResourceDefinition is new, the API server publishes its schema within seconds; then plan again to see " +
		"all fields."
}
