package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// What other managers write while an apply waits is not in the attributes about owners and values: they are as the plan
// has shown them, and the next read tells the rest.
func TestWaitKeepsOwnersAsPlanned(t *testing.T) {
	s := story.New(t)
	config := s.Config(story.ConfigMapIn("settings", `data: {a: "1", b: "2"}`), `wait = { fields = { "data.done" = "yes" } }`)
	s.Run(
		resource.TestStep{
			Config:           config,
			ConfigPlanChecks: story.PlanChecks(s.OnceWatched("configmaps", 0, func() { s.As("eve").Patch(story.SettingsTarget, `{"data": {"a": "hers", "done": "yes"}}`) })),
			ConfigStateChecks: story.StateChecks(
				expectReady(true),
				story.ExpectState(story.FieldOwnership, "data.a: k8sconnect", "data.b: k8sconnect", "data.done: (absent)"),
				story.ExpectState(story.ManagedState, "data.a: 1", "data.b: 2"),
			),
			ExpectNonEmptyPlan: true,
		},
		resource.TestStep{
			PreConfig:         s.NextStep(),
			Config:            config,
			ConfigPlanChecks:  story.PlanChecks(s.ExpectPlanSays(`data.a: "hers" -> "1"`, "eve")),
			ConfigStateChecks: story.StateChecks(expectReady(true), story.ExpectState(story.FieldOwnership, "data.a: k8sconnect", "data.done: eve")),
		},
		s.Noop(config),
	)
}
