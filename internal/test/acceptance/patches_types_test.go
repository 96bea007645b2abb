package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const ours = `field_manager = "patch"`

// A merge patch takes what other managers own, adds what they lack, notices drift, releases what leaves its body, and
// leaves the object clean. Each step says how many requests it sends.
func TestLifeOfAMergePatch(t *testing.T) {
	s := story.New(t)
	m := s.Meter()
	const get, try, patch = "get configmaps NS/settings 200", "patch configmaps NS/settings dry-run 200", "patch configmaps NS/settings 200"
	s.As("kubectl-create").Create(story.ConfigMapIn("settings", `data: {a: "1", b: "2", c: "3"}`))
	config := func(body string) string { return s.TypedPatchConfig(story.SettingsTarget, "merge", body, ours) }
	const first = `{"data": {"a": "ours", "new": "added", "c": null}, "metadata": {"labels": {"team": "x"}}}`
	s.Run(
		resource.TestStep{
			PreConfig: m.Start,
			Config:    config(first),
			ConfigPlanChecks: story.PlanChecks(
				s.ExpectPlanSays(`data.a: "1" -> "ours", owned by "kubectl-create"`, `data.c: "3", removed, owned by "kubectl-create"`,
					"To leave them to the owner, remove them from patch."),
				story.ExpectUnknown(story.PatchAddress, story.FieldOwnership, story.CoOwners, story.ManagedState),
			),
			ConfigStateChecks: story.StateChecks(
				story.ExpectState(story.FieldOwnership, "data.a: patch", "data.new: patch", "data.b: (absent)"),
				story.ExpectState(story.ManagedState, "data.a: ours", "data.new: added", "metadata.labels.team: x"),
				expectAdded("data.new", "metadata.labels.team"),
			),
			Check: story.LiveChecks(
				s.ExpectLiveJSON(story.SettingsTarget, `{"a":"ours","b":"2","new":"added"}`, "data"),
				m.Applies(get, try, get, try, patch),
			),
		},
		resource.TestStep{
			PreConfig:        m.Start,
			Config:           config("{\"metadata\": {\"labels\": {\"team\":\"x\"}},\n\"data\": {\"c\": null, \"a\": \"ours\", \"new\": \"added\"}}"),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan()),
			Check:            m.Applies(get),
		},
		resource.TestStep{ // kubectl takes a field.
			PreConfig:        s.NextStep(func() { s.As("kubectl-edit").Patch(story.SettingsTarget, `{"data": {"a": "theirs"}}`) }),
			Config:           config(first),
			ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays("the apply takes back a field", `data.a: "theirs" -> "ours", owned by "kubectl-edit"`)),
			Check:            s.ExpectLiveJSON(story.SettingsTarget, `{"a":"ours","b":"2","new":"added"}`, "data"),
		},
		s.Noop(config(first)),
		resource.TestStep{ // What was there before keeps its value, what was added goes.
			PreConfig:         s.NextStep(),
			Config:            config(`{"metadata": {"labels": {"team": "x"}}}`),
			ConfigPlanChecks:  story.PlanChecks(s.ExpectPlanSays(`data.new: "added"`, `data.a: "ours", owned by nobody else`)),
			ConfigStateChecks: story.StateChecks(expectAdded("metadata.labels.team")),
			Check: story.LiveChecks(
				s.ExpectLiveJSON(story.SettingsTarget, `{"a":"ours","b":"2"}`, "data"),
				s.ExpectNoOwner(story.SettingsTarget, "data.a"),
			),
		},
		s.Noop(config(`{"metadata": {"labels": {"team": "x"}}}`)),
		resource.TestStep{
			Config: config(`{"metadata": {"labels": {"team": "x"}}, "data": {"b": "mine"}}`),
			Check:  s.ExpectLiveJSON(story.SettingsTarget, `{"a":"ours","b":"mine"}`, "data"),
		},
		resource.TestStep{
			Config: s.ProviderBlock(),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.PatchAddress, plancheck.ResourceActionDestroy),
				s.ExpectWarning("Patch Removed", "metadata.labels.team", "data.b"),
			),
			Check: story.LiveChecks(
				s.ExpectLiveJSON(story.SettingsTarget, `{"a":"ours","b":"mine"}`, "data"),
				s.ExpectLiveJSON(story.SettingsTarget, `null`, "metadata", "labels"),
				expectNoEntry(s, story.SettingsTarget, "patch"),
			),
		},
	)
}

// A strategic merge patch names list items by their keys, and a JSON patch by their positions; a test says which item it means.
func TestPatchesOfListItems(t *testing.T) {
	t.Parallel()
	for _, kind := range []struct{ kind, body, other string }{
		{
			"strategic", `{"spec": {"template": {"spec": {"containers": [{"name": "app", "image": "nginx:2", "env": [{"name": "MODE", "value": "fast"}]}]}}}}`,
			`{"spec": {"template": {"spec": {"containers": [{"name": "app", "image": "nginx:2"}]}}}}`,
		},
		{
			"json", `[{"op": "test", "path": "/spec/template/spec/containers/0/name", "value": "app"},
				{"op": "replace", "path": "/spec/template/spec/containers/0/image", "value": "nginx:2"},
				{"op": "add", "path": "/spec/template/spec/containers/0/env", "value": [{"name": "MODE", "value": "fast"}]}]`,
			`[{"op": "replace", "path": "/spec/template/spec/containers/0/image", "value": "nginx:2"}]`,
		},
	} {
		t.Run(kind.kind, func(t *testing.T) {
			s := story.New(t)
			s.As("helm").Apply(story.Deployment)
			config := func(body string, arguments ...string) string {
				return s.TypedPatchConfig(story.Web, kind.kind, body, append(arguments, ours)...)
			}
			const image, env = "{.spec.template.spec.containers[0].image}", "{.spec.template.spec.containers[0].env}"
			const item = `spec.template.spec.containers[name="app"]`
			s.Run(
				resource.TestStep{
					Config:           config(kind.body),
					ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(item+`.image: `, `-> "nginx:2", owned by "helm"`, "Helm")),
					ConfigStateChecks: story.StateChecks(
						story.ExpectState(story.FieldOwnership, item+".image: patch", item+`.env[name="MODE"].value: patch`, "spec.replicas: (absent)"),
						expectAdded(item+`.env[name="MODE"]`),
					),
				},
				s.Noop(config(kind.body)),
				resource.TestStep{
					Config: config(kind.other),
					Check:  s.ExpectJSONPath(story.Web, map[string]string{image: "nginx:2", env: ""}),
				},
				s.Noop(config(kind.other)),
				resource.TestStep{
					Config: s.ProviderBlock(),
					Check: story.LiveChecks(
						s.ExpectJSONPath(story.Web, map[string]string{image: "nginx:2"}), expectNoEntry(s, story.Web, "patch"),
					),
				},
			)
		})
	}
}
