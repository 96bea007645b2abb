package manifest

import (
	"fmt"
	"strings"
)

const importForm = "apiVersion=apps/v1,kind=Deployment,namespace=default,name=web"

// ID is the import ID of an object, "apiVersion=apps/v1,kind=Deployment,namespace=default,name=web";
// namespace is left out for a cluster-scoped object. The name comes last and is taken whole, so that it
// may hold any character.
func (i Identity) ID() string {
	id := "apiVersion=" + i.APIVersion + ",kind=" + i.Kind
	if i.Namespace != "" {
		id += ",namespace=" + i.Namespace
	}
	return id + ",name=" + i.Name
}

// ParseID reads what ID writes, with the keys before name in any order. Every failure is an *Error.
func ParseID(id string) (Identity, error) {
	var identity Identity
	fields := map[string]*string{
		"apiVersion": &identity.APIVersion, "kind": &identity.Kind,
		"namespace": &identity.Namespace, "name": &identity.Name,
	}
	rest, more := id, true
	for more {
		part := rest
		if !strings.HasPrefix(rest, "name=") {
			part, rest, more = strings.Cut(rest, ",")
		} else {
			more = false
		}
		key, value, hasValue := strings.Cut(part, "=")
		field, known := fields[key]
		switch {
		case !hasValue || !known:
			return Identity{}, importError(fmt.Sprintf("%q is not one of apiVersion=, kind=, namespace=, name=", part))
		case *field != "":
			return Identity{}, importError(key + " is given twice")
		case value == "":
			return Identity{}, importError(key + " is empty")
		}
		*field = value
	}
	if problem := identity.Problem(); problem != "" {
		return Identity{}, importError(problem)
	}
	return identity, nil
}

// Problem is why there can be no such object on any cluster, "" where there can.
func (i Identity) Problem() string {
	switch {
	case i.APIVersion == "":
		return "apiVersion is missing"
	case i.Kind == "":
		return "kind is missing"
	case i.Name == "":
		return "name is missing"
	case !isVersion(i.APIVersion):
		return fmt.Sprintf("apiVersion %q is not of the form group/version", i.APIVersion)
	case strings.Contains(i.APIVersion+i.Kind+i.Namespace, ","):
		return "only a name may hold a comma"
	case !isPathSegment(i.Name):
		return fmt.Sprintf("%q is not a legal name of an object", i.Name)
	case !isPathSegment(i.Namespace):
		return fmt.Sprintf("%q is not a legal namespace", i.Namespace)
	}
	return ""
}

// isPathSegment says whether a text stays where it is put in a URL.
func isPathSegment(text string) bool {
	return !strings.ContainsAny(text, "/%") && text != "." && text != ".."
}

func importError(problem string) *Error {
	return &Error{
		Problem: problem,
		Suggestion: "Write " + importForm +
			", with the name last, and without namespace for a cluster-scoped kind.",
	}
}
