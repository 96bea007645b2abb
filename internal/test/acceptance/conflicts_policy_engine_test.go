package acceptance_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// policed is a Deployment that policy engines write to; it has labels and annotations of its own beside
// theirs, on the object and on the pod template.
const policed = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS, labels: {app: web}, annotations: {team: shop}}
spec:
  paused: true
  replicas: 0
  revisionHistoryLimit: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}, annotations: {team: shop}}
    spec:
      containers: [{name: app, image: "nginx:1.25"}]
`

// policyEngine is one way in which a policy engine writes. note is what it writes this time: many engines
// note the time or a digest on each pass.
type policyEngine struct {
	manager string
	// key is the label and annotation that it writes everywhere, an annotation's with -note beside it.
	key   string
	write func(m story.Manager, key, note string)
}

var policyEngines = []policyEngine{
	{"kyverno", "kyverno.example.com-patched", func(m story.Manager, key, note string) {
		m.Patch(story.Web, story.AsJSON(marked(key, note)))
	}},
	{"injector-webhook", "injector.example.com-injected", func(m story.Manager, key, note string) {
		var operations []any
		for _, at := range []string{"/metadata", "/spec/template/metadata"} {
			operations = append(operations,
				map[string]any{"op": "add", "path": at + "/labels/" + key, "value": "yes"},
				map[string]any{"op": "add", "path": at + "/annotations/" + key + "-note", "value": note})
		}
		m.JSONPatch(story.Web, story.AsJSON(operations))
	}},
	{"gatekeeper", "gatekeeper.example.com-checked", func(m story.Manager, key, note string) {
		object := marked(key, note)
		object["apiVersion"], object["kind"] = "apps/v1", "Deployment"
		metadata, _ := object["metadata"].(map[string]any)
		metadata["name"], metadata["namespace"] = "web", "NS"
		m.Apply(story.AsJSON(object))
	}},
}

// marked has a label and an annotation on the object and on the pod template.
func marked(key, note string) map[string]any {
	metadata := func() map[string]any {
		return map[string]any{"labels": map[string]any{key: "yes"}, "annotations": map[string]any{key + "-note": note}}
	}
	return map[string]any{"metadata": metadata(), "spec": map[string]any{"template": map[string]any{"metadata": metadata()}}}
}

// What policy engines write beside us stays through every kind of apply, is never shown as a change, and
// is never managed here.
func TestPolicyEngines(t *testing.T) {
	replace := func(old, new string) string { return strings.Replace(policed, old, new, 1) }
	const all = `take_over_managers = ["kyverno", "injector-webhook", "gatekeeper"]`
	applies := []struct {
		name, body string
		arguments  []string
		noop       bool
	}{
		{name: "nothing", body: policed, noop: true},
		{name: "formatting", body: strings.ReplaceAll(policed, "{app: web}", "{ \"app\": 'web' }"), noop: true},
		{name: "a change", body: replace("revisionHistoryLimit: 4", "revisionHistoryLimit: 5")},
		{name: "a change of the pod template", body: replace("nginx:1.25", "nginx:1.26")},
		{name: "a change in the maps that they write to", body: strings.ReplaceAll(policed, "team: shop", "team: bank")},
		{name: "a removal from these maps", body: strings.ReplaceAll(policed, ", annotations: {team: shop}", "")},
		{name: "a release", body: policed, arguments: []string{`ignore_fields = ["spec.revisionHistoryLimit", "metadata.labels.app"]`}},
		{name: "a release that ends", body: policed},
		{name: "taking over", body: replace("revisionHistoryLimit: 4", "revisionHistoryLimit: 6"), arguments: []string{all}},
		{name: "a removal while taking over", body: strings.ReplaceAll(policed, ", annotations: {team: shop}", ""), arguments: []string{all}},
		{name: "taking over nothing", body: policed, arguments: []string{"take_over_managers = []"}},
	}
	s := story.New(t)
	steps := []resource.TestStep{{Config: s.Config(policed)}}
	for i, apply := range applies {
		note := fmt.Sprint("pass ", i)
		action := plancheck.ResourceActionUpdate
		if apply.noop {
			action = plancheck.ResourceActionNoop
		}
		steps = append(steps, resource.TestStep{
			PreConfig: s.NextStep(func() {
				for _, engine := range policyEngines {
					engine.write(s.As(engine.manager), engine.key, note)
				}
			}),
			Config: s.Config(apply.body, apply.arguments...),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, action),
				expectMarksUnchanged(),
				expectNoMention(s, apply.name),
			),
			ConfigStateChecks: story.StateChecks(s.ExpectServersOwners(story.Web)),
			Check:             expectMarks(s, apply.name, note),
		})
	}
	s.Run(steps...)
}

// marks returns the fields that the engines write, with who writes them.
func marks() map[string]string {
	fields := map[string]string{}
	for _, engine := range policyEngines {
		for _, at := range []string{"metadata", "spec.template.metadata"} {
			fields[at+".labels."+engine.key] = engine.manager
			fields[at+".annotations."+engine.key+"-note"] = engine.manager
		}
	}
	return fields
}

// expectMarksUnchanged asserts that the plan shows the engines as the owners of what they write, before
// and after, and manages nothing of it.
func expectMarksUnchanged() plancheck.PlanCheck {
	return story.Check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		p, err := story.PlannedOf(req)
		if err != nil {
			return err
		}
		for path, manager := range marks() {
			for side, attributes := range map[string]map[string]any{"before": p.Before, "after": p.After} {
				if got := story.OwnersOf(attributes)[path]; got != manager {
					return fmt.Errorf("%s the apply %s is owned by %q, want %q", side, path, got, manager)
				}
				if got := story.Entry(attributes, story.ManagedState, path); got != story.Absent {
					return fmt.Errorf("%s the apply managed_state has %s: %s", side, path, got)
				}
			}
		}
		return nil
	})
}

// expectNoMention asserts that no warning speaks of an engine.
func expectNoMention(s *story.Story, step string) plancheck.PlanCheck {
	return story.Check(func(context.Context, plancheck.CheckPlanRequest) error {
		warnings := s.Provider.Take()
		for _, engine := range policyEngines {
			if i := slices.IndexFunc(warnings, func(text string) bool { return strings.Contains(text, engine.manager) }); i >= 0 {
				return fmt.Errorf("%s: a warning speaks of %s:\n%s", step, engine.manager, warnings[i])
			}
		}
		return nil
	})
}

// expectMarks asserts that all that the engines wrote on their last pass is there after the apply.
func expectMarks(s *story.Story, step, note string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		live := s.Live(story.Web).Object
		for _, engine := range policyEngines {
			if err := has(live, marked(engine.key, note)); err != nil {
				return fmt.Errorf("%s: %s: %w", step, engine.manager, err)
			}
		}
		return nil
	}
}

// has says what of wanted is not in the object.
func has(object, wanted map[string]any) error {
	for key, want := range wanted {
		inner, isMap := want.(map[string]any)
		if !isMap {
			if diff := cmp.Diff(want, object[key]); diff != "" {
				return fmt.Errorf("%s (-want +got):\n%s", key, diff)
			}
			continue
		}
		below, _ := object[key].(map[string]any)
		if err := has(below, inner); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}
