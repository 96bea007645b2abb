package manifest

import (
	"cmp"
	"fmt"
	"strings"
)

const importForm = "apiVersion=apps/v1,kind=Deployment,namespace=default,name=web"

// ID returns the import ID of an object, "apiVersion=apps/v1,kind=Deployment,namespace=default,name=web"; namespace is
// left out for a cluster-scoped object. The name comes last, because it may contain any character.
func (i Identity) ID() string {
	id := "apiVersion=" + i.APIVersion + ",kind=" + i.Kind
	if i.Namespace != "" {
		id += ",namespace=" + i.Namespace
	}
	return id + ",name=" + i.Name
}

// Key returns the key of the object in a set of manifests: group/kind/namespace/name, "apps/Deployment/default/web".
// The core group is "core", and the namespace of a cluster-scoped object is "".
func (i Identity) Key() string {
	return strings.Join([]string{cmp.Or(i.Group(), "core"), i.Kind, i.Namespace, i.Name}, "/")
}

// ParseID reads what ID writes: the name comes last, and the other keys in any order before it. Every failure is an
// *Error.
func ParseID(id string) (Identity, error) {
	return readID(id, func(name string) int { return len(name) })
}

// ParseImportID reads an import ID as people write it, with the keys in any order. Where a key is there twice, the
// second one may belong to a name at the end, as ParseID reads it. Every failure is an *Error.
func ParseImportID(id string) (Identity, error) {
	if id == "" {
		return Identity{}, importError("it is empty")
	}
	for _, key := range idKeys {
		if strings.Count(","+id, ","+key+"=") < 2 {
			continue
		}
		if identity, err := ParseID(id); err == nil {
			return identity, nil
		}
	}
	return readID(id, nextKey)
}

// nextKey returns the offset in a string at which a name ends: where the next key begins, or at the end of the string.
func nextKey(name string) int {
	end := len(name)
	for _, key := range idKeys {
		if at := strings.Index(name, ","+key+"="); at >= 0 {
			end = min(end, at)
		}
	}
	return end
}

var idKeys = []string{"apiVersion", "kind", "namespace", "name"}

// readID reads an ID. endOfName returns the length of the name at the beginning of a string.
func readID(id string, endOfName func(string) int) (Identity, error) {
	var identity Identity
	fields := map[string]*string{
		"apiVersion": &identity.APIVersion, "kind": &identity.Kind,
		"namespace": &identity.Namespace, "name": &identity.Name,
	}
	for rest, more := id, true; more; {
		end := len(rest)
		if name, is := strings.CutPrefix(rest, "name="); is {
			end = len("name=") + endOfName(name)
		} else if comma := strings.Index(rest, ","); comma >= 0 {
			end = comma
		}
		part := rest[:end]
		if more = end < len(rest); more {
			rest = rest[end+len(","):]
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

// Problem returns the reason why no cluster can contain an object with this identity; "" if one can.
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
		return "only a name may contain a comma"
	case !isPathSegment(i.Name):
		return fmt.Sprintf("%q is not a valid name of an object", i.Name)
	case !isPathSegment(i.Namespace):
		return fmt.Sprintf("%q is not a valid namespace", i.Namespace)
	}
	return ""
}

func isPathSegment(text string) bool {
	return !strings.ContainsAny(text, "/%") && text != "." && text != ".."
}

func importError(problem string) *Error {
	return &Error{
		Problem: problem,
		Suggestion: "Write " + importForm +
			", in any order, and without namespace for a cluster-scoped kind.",
	}
}
