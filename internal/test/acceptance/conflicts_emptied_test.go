package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// An empty list or map that replaces what another manager applies is a conflict, also if the server stores null.
func TestEmptyOverApplied(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ empty, full, says string }{
		"rules of a Role": {
			`
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: web, namespace: NS}
rules: []
`, `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: web, namespace: NS}
rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
`, `-> "[]", owned by "flux"`,
		},
		"a selector": {
			`
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web, namespace: NS}
spec: {podSelector: {}}
`, `
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web, namespace: NS}
spec: {podSelector: {matchLabels: {a: b}}}
`, `-> "{}", owned by "flux"`,
		},
		"subsets of Endpoints": {
			`
apiVersion: v1
kind: Endpoints
metadata: {name: web, namespace: NS}
subsets: []
`, `
apiVersion: v1
kind: Endpoints
metadata: {name: web, namespace: NS}
subsets: [{addresses: [{ip: 10.1.1.1}], ports: [{port: 80}]}]
`, `-> "[]", owned by "flux"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.Run(
				resource.TestStep{Config: s.Config(test.empty)},
				resource.TestStep{
					PreConfig:   s.NextStep(func() { s.As("flux").Apply(test.full) }),
					Config:      s.Config(test.empty, story.OrFail),
					ExpectError: story.Saying("nothing is applied, because on_conflict is"),
				},
				resource.TestStep{
					PreConfig:        s.NextStep(),
					Config:           s.Config(test.empty),
					ConfigPlanChecks: story.PlanChecks(s.ExpectWarning(test.says, "ignore_fields = [")),
				},
				s.Noop(s.Config(test.empty)),
			)
		})
	}
}

// The rules of a ClusterRole with an aggregationRule belong to a controller that applies them.
func TestEmptyAggregatedRules(t *testing.T) {
	const role = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: "NS:all"}
aggregationRule: {clusterRoleSelectors: [{matchLabels: {aggregate: NS}}]}
rules: []
`
	const part = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: "NS:part", labels: {aggregate: NS}}
rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
`
	s := story.New(t)
	const target = "rbac.authorization.k8s.io/v1 ClusterRole NS:all"
	filled := func() {
		s.Await("the controller fills in the rules", func() bool {
			rules, _ := s.Live(s.Expand(target)).Object["rules"].([]any)
			return len(rules) == 1
		})
	}
	s.Run(
		resource.TestStep{Config: s.Config(role)},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("kubectl-create").Create(part) }, filled),
			Config:    s.Config(role, story.OrFail),
			ExpectError: story.Saying("nothing is applied, because on_conflict is", `-> "[]", owned by`,
				"clusterrole-aggregation-controller", `ignore_fields = ["rules"]`),
		},
		resource.TestStep{Config: s.Config(role, `ignore_fields = ["rules"]`)},
		resource.TestStep{
			PreConfig: s.NextStep(filled), Config: s.Config(role, `ignore_fields = ["rules"]`),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan()),
		},
	)
}

// An empty entry of a map leaves with what other managers have put into it, which is a conflict. An empty field stays.
func TestEmptyEntryLeaves(t *testing.T) {
	s := story.New(t)
	s.InstallGadgets()
	target, with, without := s.GadgetTarget(), story.Gadget(`size: 1, free: {}, nest: {a: {}, c: {b: 1}}`), story.Gadget(`size: 1, nest: {c: {b: 1}}`)
	s.Run(
		resource.TestStep{Config: s.Config(with)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("controller").Patch(target, `{"spec": {"free": {"x": 1}, "nest": {"a": {"b": 3}}}}`)
			}),
			Config:      s.Config(without, story.OrFail),
			ExpectError: story.Saying("Field Ownership Conflict", "spec.nest.a.b"),
		},
		resource.TestStep{
			Config: s.Config(without),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOwner("spec.nest.a.b", "controller", story.Absent), story.ExpectOwner("spec.free.x", "controller", "controller"),
			),
			Check: story.LiveChecks(
				s.ExpectLiveJSON(target, `{"c":{"b":1}}`, "spec", "nest"), s.ExpectLiveJSON(target, `{"x":1}`, "spec", "free"),
			),
		},
	)
}
