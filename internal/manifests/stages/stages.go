// Package stages has the order in which the objects of a set are applied.
package stages

import (
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Stage is the place of an object in the order in which the objects of a set are applied. They are deleted in the
// reverse order.
type Stage int

// order lists the kinds of each stage: "Kind.group". "*Class" is any kind of Kubernetes whose name ends so, and
// "*.group" any kind of a group.
var order = [...][]string{
	// All others are in a namespace, or of a kind that is defined.
	{"Namespace"},
	{"CustomResourceDefinition.apiextensions.k8s.io"},
	// They count, or isolate, what comes later.
	{"ResourceQuota", "LimitRange", "NetworkPolicy.networking.k8s.io"},
	// The API server refuses a Pod without its account, and a token without the account that it is for.
	{"ServiceAccount"},
	// Pods that start without them fail, and are started again.
	{"Secret", "ConfigMap"},
	// The API server gives an object the values of its class when it creates the object, or refuses it without one.
	{"*Class", "CSIDriver.storage.k8s.io"},
	{"PersistentVolume"},
	{"PersistentVolumeClaim"},
	// The API server refuses the binding of a role that does not exist, unless the user may bind any role.
	{"Role.rbac.authorization.k8s.io", "ClusterRole.rbac.authorization.k8s.io"},
	{"RoleBinding.rbac.authorization.k8s.io", "ClusterRoleBinding.rbac.authorization.k8s.io"},
	// A Pod gets the addresses of the Services that there are when it starts, as variables of its environment.
	{"Service", "Endpoints", "EndpointSlice.discovery.k8s.io"},
	{"Pod", "PodTemplate", "ReplicationController", "*.apps", "*.batch"},
	// All other kinds of Kubernetes: what selects, scales or exposes the above.
	{"*"},
	// A controller works on them, which may be of the same set, and so has to be there until they are gone.
	{"custom resources"},
	// They refuse or redirect requests for other objects while what they call does not run yet.
	{"*.admissionregistration.k8s.io", "*.apiregistration.k8s.io"},
}

// Stages that have rules of their own.
var (
	Namespaces  = placeOf("Namespace")
	Definitions = placeOf("CustomResourceDefinition.apiextensions.k8s.io")
	Accounts    = placeOf("ServiceAccount")
	Classes     = placeOf("*Class")
	Roles       = placeOf("Role.rbac.authorization.k8s.io")
	Bindings    = placeOf("RoleBinding.rbac.authorization.k8s.io")
	Workloads   = placeOf("Pod")
	builtins    = placeOf("*")
	// CustomResources come after what runs their controllers.
	CustomResources = placeOf("custom resources")
)

// placeOf returns the stage of an entry of order.
func placeOf(kind string) Stage {
	return Stage(slices.IndexFunc(order[:], func(kinds []string) bool { return slices.Contains(kinds, kind) }))
}

// Of returns the stage of an object.
func Of(id manifest.Identity) Stage {
	group, isBuiltin := id.Group(), manifest.IsBuiltinGroup(id.Group())
	kind := strings.TrimSuffix(id.Kind+"."+group, ".")
	at := slices.IndexFunc(order[:], func(kinds []string) bool {
		return slices.Contains(kinds, kind) || slices.Contains(kinds, "*."+group) ||
			isBuiltin && strings.HasSuffix(id.Kind, "Class") && slices.Contains(kinds, "*Class")
	})
	switch {
	case at >= 0:
		return Stage(at)
	case isBuiltin:
		return builtins
	}
	return CustomResources
}
