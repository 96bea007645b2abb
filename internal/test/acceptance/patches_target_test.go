package acceptance_test

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A patch waits for an object that does not exist, and says so in the plan.
func TestPatchOfAMissingObject(t *testing.T) {
	s := story.New(t)
	config := s.PatchConfig(story.SettingsTarget, "data: {a: ours}")
	s.Run(
		resource.TestStep{
			Config: config,
			ConfigPlanChecks: story.PlanChecks(
				s.ExpectWarning("Object Not Found Yet", "The apply waits up to 2m for it"),
				story.Meanwhile(func() {
					s.OnceSent(1, "get configmaps", func() { s.As("bob").Apply(story.ConfigMapIn("settings", `data: {b: "2"}`)) })
				}),
			),
			Check: s.ExpectLiveJSON(story.SettingsTarget, `{"a":"ours","b":"2"}`, "data"),
		},
		resource.TestStep{ // Another object of the name gets the patch as an update.
			PreConfig: s.NextStep(func() {
				s.As("bob").Remove(story.SettingsTarget)
				s.As("bob").Apply(story.ConfigMapIn("settings", `data: {a: "1"}`))
			}),
			Config: config,
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.PatchAddress, plancheck.ResourceActionUpdate),
				s.ExpectPlanSays(`data.a: "1" -> "ours"`),
			),
			ConfigStateChecks: story.StateChecks(expectAdded()),
			Check:             s.ExpectLiveJSON(story.SettingsTarget, `{"a":"ours"}`, "data"),
		},
		resource.TestStep{ // An object that is gone takes the patch with it.
			PreConfig:          s.NextStep(func() { s.As("bob").Remove(story.SettingsTarget) }),
			Config:             config,
			PlanOnly:           true,
			ExpectNonEmptyPlan: true,
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("bob").Apply(story.ConfigMapIn("settings", `data: {c: "3"}`)) }),
			Config:    config,
			Check:     s.ExpectLiveJSON(story.SettingsTarget, `{"a":"ours","c":"3"}`, "data"),
		},
	)
}

// The number of requests of a patch, counted from the audit log.
func TestRequestsOfAPatch(t *testing.T) {
	s := story.New(t)
	m := s.Meter()
	const get = "get configmaps NS/settings 200"
	const try, patch = "patch configmaps NS/settings dry-run 200", "patch configmaps NS/settings 200"
	step := func(body string, plan, apply []string) resource.TestStep {
		return resource.TestStep{
			PreConfig:        m.Start,
			Config:           s.PatchConfig(story.SettingsTarget, body),
			ConfigPlanChecks: story.PlanChecks(m.Plans(plan...)),
			Check:            m.Applies(append(plan, apply...)...),
		}
	}
	s.As("bob").Apply(story.ConfigMapIn("settings", `data: {a: "1"}`))
	s.Run(
		step("data: {a: ours, b: added}", []string{get, try}, []string{get, try, patch}),
		step("data: {a: ours, b: added}", []string{get}, nil),
		step("data: {a: other, b: added}", []string{get, try}, []string{try, patch}),
	)
}

// The field manager is made of what the patch applies when it is created, and stays.
func TestFieldManagerOfAPatch(t *testing.T) {
	s := story.New(t)
	s.As("bob").Apply(story.ConfigMapIn("settings", `data: {a: "1"}`))
	var first string
	remember := func(attributes map[string]any) error {
		name, _ := attributes["field_manager"].(string)
		switch {
		case !isPatchManager(name):
			return errorf("field_manager is %q", name)
		case first != "" && first != name:
			return errorf("field_manager changed from %q to %q", first, name)
		}
		first = name
		return nil
	}
	s.Run(
		resource.TestStep{Config: s.PatchConfig(story.SettingsTarget, "data: {a: ours}"), ConfigStateChecks: story.StateChecks(story.StateCheck(remember))},
		resource.TestStep{Config: s.PatchConfig(story.SettingsTarget, "data: {b: ours}"), ConfigStateChecks: story.StateChecks(story.StateCheck(remember))},
		resource.TestStep{
			Config: s.PatchConfig(story.SettingsTarget, "data: {b: ours}", `field_manager = "named"`),
			ConfigPlanChecks: story.PlanChecks(story.Check(func(ctx context.Context, req plancheck.CheckPlanRequest) error {
				return story.ExpectOwner("data.b", first, "named").(story.Check)(ctx, req)
			})),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.FieldOwnership, "data.b: named")),
		},
	)
}
