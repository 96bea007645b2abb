package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// An import makes a patch of what one manager owns, by server-side apply or by updates, and changes no value.
func TestImportPatch(t *testing.T) {
	t.Parallel()
	change := map[string][]string{"update": {"data.a: (absent) -> theirs"}}
	for name, write := range map[string]func(s *story.Story){
		"apply":  func(s *story.Story) { s.As("tool").Apply(story.ConfigMapIn("settings", `data: {a: theirs}`)) },
		"update": func(s *story.Story) { s.As("tool").Patch(story.SettingsTarget, `{"data": {"a": "theirs"}}`) },
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.As("bob").Apply(story.ConfigMapIn("settings", `data: {b: "2"}`))
			write(s)
			id := "apiVersion=v1,kind=ConfigMap,namespace=NS,name=settings,manager="
			config := func(manager string) string {
				return strings.Replace(s.ImportBlock(id+manager), "k8sconnect_manifest", "k8sconnect_patch", 1) +
					s.PatchConfig(story.SettingsTarget, "data: {a: theirs}", `field_manager = "tool"`)
			}
			s.Run(
				resource.TestStep{Config: config("nobody"), ExpectError: story.Saying("Invalid Import ID", `"nobody" owns no field`, "bob, tool")},
				resource.TestStep{
					Config:            config("tool"),
					ConfigPlanChecks:  story.PlanChecks(story.ExpectOnly(story.ManagedState, change[name]...)),
					ConfigStateChecks: story.StateChecks(story.ExpectState(story.FieldOwnership, "data.a: tool"), expectAdded()),
					Check:             s.ExpectLiveJSON(story.SettingsTarget, `{"a":"theirs","b":"2"}`, "data"),
				},
				s.Noop(s.PatchConfig(story.SettingsTarget, "data: {a: theirs}", `field_manager = "tool"`)),
				resource.TestStep{
					Config: s.ProviderBlock(),
					Check: story.LiveChecks(
						s.ExpectLiveJSON(story.SettingsTarget, `{"a":"theirs","b":"2"}`, "data"), expectNoEntry(s, story.SettingsTarget, "tool"),
					),
				},
			)
		})
	}
}

func TestImportPatchWithoutManager(t *testing.T) {
	s := story.New(t)
	s.As("bob").Apply(story.ConfigMapIn("settings", `data: {b: "2"}`))
	s.Run(resource.TestStep{
		Config: strings.Replace(s.ImportBlock("apiVersion=v1,kind=ConfigMap,namespace=NS,name=settings"), "k8sconnect_manifest", "k8sconnect_patch", 1) +
			s.PatchConfig(story.SettingsTarget, "data: {b: theirs}"),
		ExpectError: story.Saying("Invalid Import ID", "names no manager", "manager=helm"),
	})
}
