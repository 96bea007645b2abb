package manifest

import (
	"maps"
	"slices"
	"strings"
)

// stringMaps are the names of maps of strings. The API server reads null in them as an empty string.
var stringMaps = []string{
	"annotations", "binaryData", "data", "labels", "matchLabels", "nodeSelector", "selector", "stringData",
}

// withoutNulls returns an object without the entries of maps that are null. The Go types of the API server know no
// null: it drops them, but records a claim on the field. They stay in custom resources outside of metadata, and in
// fields of arbitrary JSON: a schema may allow them there. They stay in maps of strings and in lists, too. object is
// not mutated.
func withoutNulls(object map[string]any, apiVersion, kind string) map[string]any {
	keeps := func(path []string) bool { return path[0] != "metadata" }
	group, _, hasGroup := strings.Cut(apiVersion, "/")
	if !hasGroup || IsBuiltinGroup(group) {
		keeps = func(path []string) bool { return isArbitraryJSON(kind, path) }
	}
	pruned, _ := prune(object, nil, keeps)
	fields, _ := pruned.(map[string]any)
	return fields
}

// isArbitraryJSON reports whether a field of a built-in kind holds any JSON, null included.
func isArbitraryJSON(kind string, path []string) bool {
	switch kind {
	case "CustomResourceDefinition":
		return slices.Equal(path, []string{"spec", "versions", "schema"})
	case "ControllerRevision":
		return len(path) == 1 && path[0] == "data"
	}
	// The parameters of a driver, in the kinds of resource.k8s.io.
	return len(path) > 2 && path[len(path)-1] == "parameters" && path[len(path)-2] == "opaque"
}

// prune returns value without the entries of maps that are null, except below the paths that keeps accepts, and
// whether that is another value. Paths are names; the items of a list have that of the list.
func prune(value any, path []string, keeps func(path []string) bool) (pruned any, isOther bool) {
	switch value := value.(type) {
	case map[string]any:
		rest := value
		for name, entry := range value {
			at := slices.Concat(path, []string{name})
			if keeps(at) || entry == nil && len(path) > 0 && slices.Contains(stringMaps, path[len(path)-1]) {
				continue
			}
			kept, changed := prune(entry, at, keeps)
			if entry != nil && !changed {
				continue
			}
			if !isOther {
				rest, isOther = maps.Clone(value), true
			}
			if rest[name] = kept; entry == nil {
				delete(rest, name)
			}
		}
		return rest, isOther
	case []any:
		rest := value
		for i, item := range value {
			kept, changed := prune(item, path, keeps)
			if !changed {
				continue
			}
			if !isOther {
				rest, isOther = slices.Clone(value), true
			}
			rest[i] = kept
		}
		return rest, isOther
	}
	return value, false
}

// builtinGroups are the API groups with a dot in their name that kube-apiserver serves itself.
var builtinGroups = map[string]struct{}{
	"admissionregistration.k8s.io": {},
	"apiextensions.k8s.io":         {},
	"apiregistration.k8s.io":       {},
	"apidiscovery.k8s.io":          {},
	"authentication.k8s.io":        {},
	"authorization.k8s.io":         {},
	"certificates.k8s.io":          {},
	"coordination.k8s.io":          {},
	"discovery.k8s.io":             {},
	"events.k8s.io":                {},
	"flowcontrol.apiserver.k8s.io": {},
	"internal.apiserver.k8s.io":    {},
	"lifecycle.k8s.io":             {},
	"networking.k8s.io":            {},
	"node.k8s.io":                  {},
	"rbac.authorization.k8s.io":    {},
	"resource.k8s.io":              {},
	"scheduling.k8s.io":            {},
	"storage.k8s.io":               {},
	"storagemigration.k8s.io":      {},
}

// IsBuiltinGroup reports whether a group is kube-apiserver's own: no CustomResourceDefinition can add a kind to it. The
// group of a CustomResourceDefinition contains at least one dot. Groups without one ("", apps, batch) are therefore
// built in, in every version of the server.
func IsBuiltinGroup(group string) bool {
	if !strings.Contains(group, ".") {
		return true
	}
	_, found := builtinGroups[group]
	return found
}
