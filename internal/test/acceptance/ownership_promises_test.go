package acceptance_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A field leaves the manifest, and the plan says that it stays, because another manager owns it too. That one gives it up
// before the apply, or while it runs: it stays all the same, and is left alone from then on.
func TestSharedFieldThatIsGivenUpStays(t *testing.T) {
	t.Parallel()
	const get, patch, again = "get configmaps NS/settings 200", "patch configmaps NS/settings 200", "patch configmaps NS/settings 409"
	const try = "patch configmaps NS/settings dry-run 200"
	for name, c := range map[string]struct {
		before, after string
		// theirs is what the operator owns too, in the manifest before.
		theirs   string
		says     string
		live     string
		path     []string
		requests []string
	}{
		"an entry of a map": {
			before: story.ConfigMapIn("settings", `data: {z: "1", yy: "1"}`), after: story.ConfigMapIn("settings", `data: {yy: "1"}`),
			theirs: story.ConfigMapIn("settings", `data: {z: "1"}`), says: `data.z: "1", owned by "operator"`,
			live: `{"yy":"1","z":"1"}`, path: []string{"data"},
			requests: []string{try, again, get, get, patch, patch},
		},
		"the last entry of a map": {
			before: story.ConfigMapIn("settings", `data: {a: "1"}`, `labels: {z: "1"}`), after: story.ConfigMapIn("settings", `data: {a: "1"}`),
			theirs: story.ConfigMapIn("settings", "", `labels: {z: "1"}`), says: `metadata.labels.z: "1", owned by "operator"`,
			live: `{"z":"1"}`, path: []string{"metadata", "labels"},
			requests: []string{try, again, get, get, patch, patch},
		},
		"beside one that goes": {
			before: story.ConfigMapIn("settings", `data: {a: "1"}`, `labels: {y: "1", z: "1"}`), after: story.ConfigMapIn("settings", `data: {a: "1"}`),
			theirs: story.ConfigMapIn("settings", "", `labels: {z: "1"}`), says: `metadata.labels.z: "1", owned by "operator"`,
			live: `{"z":"1"}`, path: []string{"metadata", "labels"},
			requests: []string{try, again, get, get, patch, patch},
		},
		"all of the manifest": {
			before: story.ConfigMapIn("settings", `data: {z: "1"}`), after: story.ConfigMapIn("settings", ""),
			theirs: story.ConfigMapIn("settings", `data: {z: "1"}`), says: `data.z: "1", owned by "operator"`,
			live: `{"z":"1"}`, path: []string{"data"},
			requests: []string{try, again, get, get, patch, patch}, // Nobody owns any of it: the last one is a placeholder.
		},
	} {
		for policy, arguments := range map[string][]string{"forced": nil, "or failing": {`on_conflict = "fail"`}} {
			t.Run(name+", "+policy, func(t *testing.T) {
				s := story.NewCompared(t)
				m := s.Meter()
				after := s.Config(c.after, arguments...)
				nothing := story.ConfigMapIn("settings", "")
				s.Run(
					resource.TestStep{Config: s.Config(c.before, arguments...)},
					resource.TestStep{
						PreConfig: s.NextStep(func() { s.As("operator").Apply(c.theirs) }),
						Config:    after,
						ConfigPlanChecks: story.PlanChecks(
							s.ExpectPlanSays("stays on the object, because others own it:", c.says),
							story.Meanwhile(func() {
								s.As("operator").Apply(nothing)
								m.Start()
							}),
						),
						Check: story.LiveChecks(m.Applies(c.requests...), s.ExpectLiveJSON(story.SettingsTarget, c.live, c.path...)),
					},
					s.Noop(after),
				)
			})
		}
	}
}

// If the other manager keeps the field, the apply costs no request more. If another client writes to the object, it
// looks once more, and that is all.
func TestSharedFieldThatStaysCosts(t *testing.T) {
	t.Parallel()
	const try, get, patch = "patch configmaps NS/settings dry-run 200", "get configmaps NS/settings 200", "patch configmaps NS/settings 200"
	for name, c := range map[string]struct {
		meanwhile func(*story.Story)
		requests  []string
	}{
		"nobody writes": {func(*story.Story) {}, []string{try, patch}},
		"somebody writes another field": {
			func(s *story.Story) { s.As("eve").Patch(story.SettingsTarget, `{"data": {"other": "1"}}`) },
			[]string{try, "patch configmaps NS/settings 409", get, patch},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.NewCompared(t)
			m := s.Meter()
			s.Run(
				resource.TestStep{Config: s.Config(story.ConfigMapIn("settings", `data: {z: "1", yy: "1"}`))},
				resource.TestStep{
					PreConfig: s.NextStep(func() { s.As("operator").Apply(story.ConfigMapIn("settings", `data: {z: "1"}`)) }),
					Config:    s.Config(story.ConfigMapIn("settings", `data: {yy: "1"}`)),
					ConfigPlanChecks: story.PlanChecks(story.Meanwhile(func() {
						c.meanwhile(s)
						m.Start()
					})),
					Check: story.LiveChecks(m.Applies(c.requests...), s.ExpectLive(story.SettingsTarget, map[string]any{"data.z": "1"})),
				},
			)
		})
	}
}

// A list item leaves the manifest. Another manager owns it too, and a third one a field in it. The second one gives it up: the item
// stays with what the third one put into it.
func TestSharedItemThatIsGivenUpStays(t *testing.T) {
	t.Parallel()
	const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS}
spec:
  replicas: 0
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: app, image: "nginx:1", env: [ENV]}]
`
	const shared = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: NS}, spec: {template: {spec: {containers: [{name: app, env: [ITEM]}]}}}}`
	with := func(text, items string) string { return strings.NewReplacer("ENV", items, "ITEM", items).Replace(text) }
	for policy, arguments := range map[string][]string{"forced": nil, "or failing": {`on_conflict = "fail"`}} {
		t.Run(policy, func(t *testing.T) {
			s := story.NewCompared(t)
			after := s.Config(with(deployment, "{name: ONE, value: a}"), arguments...)
			s.Run(
				resource.TestStep{Config: s.Config(with(deployment, "{name: ONE, value: a}, {name: TWO}"), arguments...)},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						s.As("alice").Apply(with(shared, "{name: TWO}"))
						s.As("bob").StrategicPatch(story.Web, `{"spec":{"template":{"spec":{"containers":[{"name":"app","env":[{"name":"TWO","value":"42"}]}]}}}}`)
					}),
					Config: after,
					ConfigPlanChecks: story.PlanChecks(
						s.ExpectPlanSays(`env[name="TWO"].name`, `owned by "alice"`),
						story.Meanwhile(func() {
							s.Provider.BeforeApply(func() { s.As("alice").Apply(with(shared, "")) })
						}),
					),
					Check: s.ExpectJSONPath(story.Web, map[string]string{`{.spec.template.spec.containers[0].env[1].name}`: "TWO", `{.spec.template.spec.containers[0].env[1].value}`: "42"}),
				},
				s.Noop(after),
			)
		})
	}
}

// The operator gives the field up while the apply runs, and others keep writing. If the apply has released the field before that,
// it is the operator who removes it.
func TestSharedFieldThatIsGivenUpInARace(t *testing.T) {
	s := story.NewCompared(t)
	var removed atomic.Bool
	after := s.Config(story.ConfigMapIn("settings", `data: {yy: "1"}`))
	s.Run(
		resource.TestStep{Config: s.Config(story.ConfigMapIn("settings", `data: {z: "1", yy: "1"}`))},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("operator").Apply(story.ConfigMapIn("settings", `data: {z: "1"}`)) }),
			Config:    after,
			ConfigPlanChecks: story.PlanChecks(s.WhileApplying(time.Millisecond,
				func() { s.As("eve").Patch(story.SettingsTarget, `{"data": {"other": "1"}}`) },
				func() {
					data, _ := s.As("operator").Apply(story.ConfigMapIn("settings", "")).Object["data"].(map[string]any)
					removed.Store(data["z"] == nil)
				},
				func() { s.As("eve").Patch(story.SettingsTarget, `{"data": {"other": "2"}}`) },
			)),
			Check: func(state *terraform.State) error {
				if removed.Load() {
					return nil
				}
				return s.ExpectLive(story.SettingsTarget, map[string]any{"data.z": "1"})(state)
			},
		},
	)
}
