package setresource

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

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
	{"*Class", "CSIDriver.storage.k8s.io", "ServiceCIDR.networking.k8s.io"},
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

// noteControllers notes at each custom resource which of the members that leave may run its controller: workloads whose
// account may do something with the kinds of its group, with these accounts, roles and bindings. Only a controller
// removes the finalizers of its objects. At an API service it notes what is in the namespace of its server.
func noteControllers(members []*member) {
	byGroup := map[string]map[*member]bool{}
	for _, m := range members {
		switch m.stage {
		case apiServicesStage:
			m.controllers = map[*member]bool{}
			server := m.stringAt("spec", "service", "namespace")
			for _, other := range members {
				m.controllers[other] = server != "" && other.id().Namespace == server
			}
		case customResourcesStage:
			group := m.id().Group()
			if byGroup[group] == nil {
				byGroup[group] = controllersOf(group, members)
			}
			m.controllers = byGroup[group]
		}
	}
}

func controllersOf(group string, members []*member) map[*member]bool {
	found := map[*member]bool{}
	// note notes the members of a stage of which has is true, and returns them.
	note := func(of stage, has func(*member) bool) (noted []*member) {
		for _, m := range members {
			if m.stage == of && has(m) {
				found[m] = true
				noted = append(noted, m)
			}
		}
		return noted
	}
	roles := note(rolesStage, func(m *member) bool { return m.allows(group) })
	bindings := note(bindingsStage, func(m *member) bool { return slices.ContainsFunc(roles, m.refersTo) })
	accounts := note(accountsStage, func(m *member) bool {
		return slices.ContainsFunc(bindings, func(binding *member) bool { return binding.names(m) })
	})
	note(workloadsStage, func(m *member) bool { return slices.ContainsFunc(accounts, m.runsAs) })
	return found
}

// allows reports whether a role allows something with the kinds of a group.
func (m *member) allows(group string) bool {
	rules, _, _ := unstructured.NestedSlice(m.body(), "rules")
	return slices.ContainsFunc(rules, func(rule any) bool {
		groups, _, _ := unstructured.NestedStringSlice(asMap(rule), "apiGroups")
		return slices.Contains(groups, group) || slices.Contains(groups, "*")
	})
}

// names reports whether an account is among the subjects of a binding.
func (m *member) names(account *member) bool {
	subjects, _, _ := unstructured.NestedSlice(m.body(), "subjects")
	return slices.ContainsFunc(subjects, func(subject any) bool {
		of := asMap(subject)
		id := account.id()
		return of["kind"] == "ServiceAccount" && of["name"] == id.Name && of["namespace"] == id.Namespace
	})
}

// podSpecs are where workloads have the spec of their pods.
var podSpecs = [][]string{{"spec"}, {"spec", "template", "spec"}, {"spec", "jobTemplate", "spec", "template", "spec"}}

// runsAs reports whether the pods of a workload have an account.
func (m *member) runsAs(account *member) bool {
	if m.id().Namespace != account.id().Namespace {
		return false
	}
	for _, pod := range podSpecs {
		name, _, _ := unstructured.NestedString(m.body(), append(pod, "serviceAccountName")...)
		if name == account.id().Name {
			return true
		}
	}
	return false
}

func asMap(value any) map[string]any {
	fields, _ := value.(map[string]any)
	return fields
}
