package diagnostics

import (
	"fmt"
	"regexp"
	"strings"
)

// misfit is a value that the schema of the kind does not take, as the API server finds it when it applies.
type misfit struct {
	// field is its path.
	field string
	// live tells the object on the cluster from the manifest.
	live bool
	// objects says that a set holds objects.
	objects bool
}

var misfits = regexp.MustCompile(
	`failed to (?:create typed (patch|live) object|convert new object) \([^)]*\)(?: to smd typed)?: \.(.+?): (.*)`)

// misfitOf reads the words of the API server, which answers 500 without a reason.
func misfitOf(message string) (misfit, bool) {
	found := misfits.FindStringSubmatch(message)
	if found == nil {
		return misfit{}, false
	}
	return misfit{
		field:   found[2],
		live:    found[1] != "patch",
		objects: strings.Contains(found[3], "associative list without keys has an element that's a map type"),
	}, true
}

func (m misfit) next() string {
	next := fmt.Sprintf("The schema of the kind does not take %s as yaml_body has it. Correct it there.", m.field)
	if m.live {
		next = fmt.Sprintf("The value of %[1]s on the cluster is older than the schema of the kind, which does not take it, so the "+
			"API server refuses every server-side apply to the object. Repair %[1]s with kubectl edit, or replace the object with "+
			"terraform apply -replace.", m.field)
	}
	if m.objects {
		next += fmt.Sprintf(" If %s is to hold objects, its CustomResourceDefinition must not declare a set: server-side apply "+
			"takes objects only in lists of the type map or atomic.", m.field)
	}
	return next
}
