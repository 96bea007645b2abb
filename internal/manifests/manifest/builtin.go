package manifest

import "strings"

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
	"networking.k8s.io":            {},
	"node.k8s.io":                  {},
	"rbac.authorization.k8s.io":    {},
	"resource.k8s.io":              {},
	"scheduling.k8s.io":            {},
	"storage.k8s.io":               {},
	"storagemigration.k8s.io":      {},
}

// IsBuiltinGroup reports whether a group is kube-apiserver's own, so that no CustomResourceDefinition can
// add a kind to it. The group of a CustomResourceDefinition has at least one dot; groups without one
// ("", apps, batch) are therefore built in, whatever the version of the server.
func IsBuiltinGroup(group string) bool {
	if !strings.Contains(group, ".") {
		return true
	}
	_, found := builtinGroups[group]
	return found
}
