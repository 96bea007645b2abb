package setresource

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

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
	// note notes the members of a stage of which has is true, and returns a function that recognizes them.
	note := func(of stage, has func(*member) bool) func(*member) bool {
		for _, m := range members {
			if m.stage == of && has(m) {
				found[m] = true
			}
		}
		return func(m *member) bool { return found[m] }
	}
	isRole := note(rolesStage, func(m *member) bool { return m.allows(group) })
	isBinding := note(bindingsStage, func(m *member) bool {
		return slices.ContainsFunc(members, func(role *member) bool { return isRole(role) && m.refersTo(role) })
	})
	isAccount := note(accountsStage, func(m *member) bool {
		return slices.ContainsFunc(members, func(other *member) bool { return isBinding(other) && other.names(m) })
	})
	note(workloadsStage, func(m *member) bool {
		return slices.ContainsFunc(members, func(other *member) bool { return isAccount(other) && m.runsAs(other) })
	})
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
