package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// An update that applies nothing reads the object for its exports. An object that another client has created since the
// plan has others.
func TestObjectRecreatedBeforeItsExportsAreRead(t *testing.T) {
	s := story.New(t)
	const body, exports = `data: {a: "1"}`, `exports = { a = "data.a" }`
	config := s.Config(story.ConfigMapIn("settings", body), exports)
	s.Run(
		resource.TestStep{Config: s.Config(story.ConfigMapIn("settings", body))},
		resource.TestStep{
			Config: config,
			ConfigPlanChecks: story.PlanChecks(story.Meanwhile(func() {
				s.As("bob").Remove(story.SettingsTarget)
				s.As("bob").Create(story.ConfigMapIn("settings", `data: {a: "theirs"}`))
			})),
			ExpectError: story.Saying("Object Changed Since the Plan", "settings", "Plan again"),
		},
		resource.TestStep{
			PreConfig:         s.NextStep(func() { requireUntouchedMap(s) }),
			Config:            config,
			ConfigPlanChecks:  story.PlanChecks(story.ExpectValue("data.a", "theirs", "1")),
			ConfigStateChecks: story.StateChecks(story.ExpectState("values", "a: 1")),
		},
	)
}

func requireUntouchedMap(s *story.Story) {
	s.T.Helper()
	for _, entry := range s.Live(story.SettingsTarget).GetManagedFields() {
		if entry.Manager == story.Us {
			s.T.Errorf("settings is now owned by %s", entry.Manager)
		}
	}
}
