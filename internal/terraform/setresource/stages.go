package setresource

import (
	"context"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
)

// stage is the place of an object in the order in which the objects of a set are applied. They are deleted in the
// reverse order.
type stage int

// stages lists the kinds of each stage: "Kind.group". "*Class" is any kind of Kubernetes whose name ends so, and
// "*.group" any kind of a group.
var stages = [...][]string{
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
	// The API server reaches custom resources of their groups through them.
	{"*.apiregistration.k8s.io"},
	// A controller works on them, which may be of the same set, and so has to be there until they are gone.
	{"custom resources"},
	// They refuse or redirect requests for other objects while what they call does not run yet.
	{"*.admissionregistration.k8s.io"},
}

// Stages that have rules of their own.
var (
	namespacesStage  = placeOf("Namespace")
	definitionsStage = placeOf("CustomResourceDefinition.apiextensions.k8s.io")
	accountsStage    = placeOf("ServiceAccount")
	classesStage     = placeOf("*Class")
	rolesStage       = placeOf("Role.rbac.authorization.k8s.io")
	bindingsStage    = placeOf("RoleBinding.rbac.authorization.k8s.io")
	workloadsStage   = placeOf("Pod")
	builtinsStage    = placeOf("*")
	apiServicesStage = placeOf("*.apiregistration.k8s.io")
	// customResourcesStage comes after what runs their controllers.
	customResourcesStage = placeOf("custom resources")
)

// placeOf returns the stage of an entry of stages.
func placeOf(kind string) stage {
	return stage(slices.IndexFunc(stages[:], func(kinds []string) bool { return slices.Contains(kinds, kind) }))
}

// stageOf returns the stage of an object.
func stageOf(id manifest.Identity) stage {
	group, isBuiltin := id.Group(), manifest.IsBuiltinGroup(id.Group())
	kind := strings.TrimSuffix(id.Kind+"."+group, ".")
	at := slices.IndexFunc(stages[:], func(kinds []string) bool {
		return slices.Contains(kinds, kind) || slices.Contains(kinds, "*."+group) ||
			isBuiltin && strings.HasSuffix(id.Kind, "Class") && slices.Contains(kinds, "*Class")
	})
	switch {
	case at >= 0:
		return stage(at)
	case isBuiltin:
		return builtinsStage
	}
	return customResourcesStage
}

// inOrder calls work for all members, stage by stage, and in each stage for many at a time. A stage begins when each
// member of the one before it is done or waits.
func inOrder(ctx context.Context, members []*member, work func(context.Context, *member)) {
	run.InTurns(ctx, members, func(m *member) stage { return m.stage }, true, work)
}

// inReverse calls work for all members from the last stage to the first. A stage begins when all members of the one
// before it are done.
func inReverse(ctx context.Context, members []*member, work func(context.Context, *member)) {
	run.InTurns(ctx, members, func(m *member) stage { return -m.stage }, false, work)
}

// unordered calls work for all members: for those first that other objects are in or of.
func unordered(ctx context.Context, members []*member, work func(context.Context, *member)) {
	run.InTurns(ctx, members, func(m *member) stage { return min(m.stage, definitionsStage+1) }, false, work)
}
