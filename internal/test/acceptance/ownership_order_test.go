package acceptance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const orderedService = `
apiVersion: v1
kind: Service
metadata: {name: web, namespace: NS}
spec:
  selector: {app: web}
  ports: [{name: http, port: 80, protocol: TCP}, {name: https, port: 443, protocol: TCP}]
`

// Other managers give a list with keys another order, which no manager owns. The plan shows the order, and that the
// apply sets it back, whatever else the apply is for.
func TestOrderOfOthers(t *testing.T) {
	t.Parallel()
	const containers = "spec.template.spec.containers"
	for name, test := range map[string]struct {
		body, target   string
		moves          string
		field          string
		others, wanted string
	}{
		"containers": {
			body: story.Sidecar, target: story.Web, moves: "/spec/template/spec/containers",
			field: containers, others: "log, app", wanted: "app, log",
		},
		"variables": {
			body: story.Sidecar, target: story.Web, moves: "/spec/template/spec/containers/0/env",
			field: containers + `[name="app"].env`, others: "B, A", wanted: "A, B",
		},
		"ports, which have two keys": {
			body: orderedService, target: "v1 Service web", moves: "/spec/ports",
			field: "spec.ports", others: "443/TCP, 80/TCP", wanted: "80/TCP, 443/TCP",
		},
		"items of a custom resource": {
			body: story.Gadget("routes: [{host: a, weight: 1}, {host: b, weight: 2}]"), target: "NS.example.com/v1 Gadget one",
			moves: "/spec/routes", field: "spec.routes", others: "b/80, a/80", wanted: "a/80, b/80",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.NewCompared(t)
			if test.field == "spec.routes" {
				s.InstallGadgets()
			}
			target := s.Expand(test.target)
			move := fmt.Sprintf(`[{"op": "move", "from": "%s/1", "path": "%[1]s/0"}]`, test.moves)
			others, wanted := "order: "+test.others, "order: "+test.wanted
			told := fmt.Sprintf("The apply sets back a field whose value changed since the last apply:\n\n  %s: %q -> %q\n\n"+
				"To keep an order that others gave a list, write the items in that order in yaml_body.", test.field, others, wanted)
			s.Run(
				resource.TestStep{Config: s.Config(test.body)},
				resource.TestStep{
					PreConfig: s.NextStep(func() { s.As("kubectl-edit").JSONPatch(target, move) }),
					Config:    s.Config(test.body),
					ConfigPlanChecks: story.PlanChecks(
						plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
						story.ExpectOnly(story.ManagedState, test.field+": "+others+" -> (absent)"),
						s.ExpectPrediction(test.body),
						s.ExpectOnlyWarning(told[1:]),
					),
					ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, test.field+": "+story.Absent)),
				},
				s.Noop(s.Config(test.body)),
			)
		})
	}
}

// An order is told with an unrelated change, and may be made the order of the manifest. Items of other managers between
// ours do not count.
func TestOrderBesideOtherChanges(t *testing.T) {
	s := story.NewCompared(t)
	const field = "spec.template.spec.containers"
	between := `[{"op": "add", "path": "/spec/template/spec/containers/%d", "value": {"name": "%s", "image": "i"}}]`
	labelled := s.Config(strings.Replace(story.Sidecar, "namespace: NS}", "namespace: NS, labels: {a: b}}", 1))
	s.Run(
		resource.TestStep{Config: s.Config(story.Sidecar)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("injector").JSONPatch(story.Web, fmt.Sprintf(between, 0, "first"))
				s.As("injector").JSONPatch(story.Web, fmt.Sprintf(between, 2, "second"))
			}),
			Config:           s.Config(story.Sidecar),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan(), s.ExpectNoWarning()),
			Check:            s.ExpectContainerOrder("first", "app", "second", "log"),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("injector").JSONPatch(story.Web, `[{"op": "move", "from": "/spec/template/spec/containers/3", "path": "/spec/template/spec/containers/0"}]`)
			}),
			Config: labelled,
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectValue(field, "order: log, app", story.Absent),
				s.ExpectOnlyWarning(field+`: "order: log, app" -> "order: app, log"`),
			),
			Check: s.ExpectContainerOrder("first", "app", "second", "log"),
		},
		s.Noop(labelled),
		resource.TestStep{ // What others made is ours now.
			PreConfig: s.NextStep(func() {
				s.As("injector").JSONPatch(story.Web, `[{"op": "move", "from": "/spec/template/spec/containers/3", "path": "/spec/template/spec/containers/0"}]`)
				s.AwaitRollouts()
			}),
			Config: s.Config(sidecarReordered),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectValue(field, "order: log, app", story.Absent),
				s.ExpectNoWarningBut("List Item"),
			),
		},
		s.Noop(s.Config(sidecarReordered)),
	)
}

// Whoever applies the same items in another order is named, and on_conflict decides.
func TestOrderOfAnotherApplier(t *testing.T) {
	s := story.NewCompared(t)
	const field = "spec.template.spec.containers"
	s.Run(
		resource.TestStep{Config: s.Config(story.Sidecar)},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("argocd").Apply(sidecarReordered) }),
			Config:    s.Config(story.Sidecar, `on_conflict = "fail"`),
			ExpectError: story.Saying("Field Ownership Conflict", field+`: "order: log, app" -> "order: app, log", owned by "argocd"`,
				"To keep an order that others gave a list, write the items in that order in yaml_body."),
		},
		resource.TestStep{
			Config: s.Config(story.Sidecar),
			ConfigPlanChecks: story.PlanChecks(
				s.ExpectWarning("takes back 2 fields that other owners changed", field+`: "order: log, app" -> "order: app, log", owned by "argocd"`),
			),
			Check: s.ExpectContainerOrder("app", "log"),
		},
		s.Noop(s.Config(story.Sidecar)),
	)
}
