package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A moved state is a part that is applied. To make it a merge patch is a replacement, as for any part: the plan says so, the claim
// of the other provider ends, and the fields that it had added are removed with the patch.
func TestMovedIntoATypedPatch(t *testing.T) {
	s := story.New(t)
	typed := func(body string) string {
		return moved("config_map_v1_data") + s.TypedPatchConfig(story.SettingsTarget, "merge", body)
	}
	const both, one = `{"data": {"a": "1", "c": "3"}}`, `{"data": {"a": "1"}}`
	run(s,
		startOfData(s),
		resource.TestStep{
			PreConfig:         s.NextStep(),
			Config:            typed(both),
			ConfigPlanChecks:  story.PlanChecks(plancheck.ExpectResourceAction(story.PatchAddress, plancheck.ResourceActionDestroyBeforeCreate)),
			ConfigStateChecks: story.StateChecks(expectAdded("data.a", "data.c")),
			Check: story.LiveChecks(s.ExpectLiveJSON(story.SettingsTarget, `{"a":"1","b":"2","c":"3"}`, "data"),
				expectEntry(s, story.SettingsTarget, isTerraform, 0)),
		},
		s.Noop(typed(both)),
		resource.TestStep{
			Config: typed(one),
			Check:  s.ExpectLiveJSON(story.SettingsTarget, `{"a":"1","b":"2"}`, "data"),
		},
		s.Noop(typed(one)),
		resource.TestStep{
			Config: s.ProviderBlock(),
			Check:  s.ExpectLiveJSON(story.SettingsTarget, `{"b":"2"}`, "data"),
		},
	)
}
