package patches_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// on_destroy says what becomes of the values of a patch. Its manager is gone in any case.
func TestOnDestroyOfAPatch(t *testing.T) {
	for policy, want := range map[string]struct{ says, live string }{
		"remove":  {"It removes what this resource added", `{"a":"ours","b":"theirs","kept":"1"}`},
		"release": {"It keeps the values of these fields", `{"a":"ours","b":"theirs","c":"ours","kept":"1"}`},
		"restore": {`data.a: "1"`, `{"a":"1","b":"theirs","kept":"1"}`},
	} {
		t.Run(policy, func(t *testing.T) {
			s := story.New(t)
			s.As("bob").Apply(story.ConfigMapIn("settings", `data: {a: "1", b: "2", kept: "1"}`))
			s.Run(
				resource.TestStep{Config: s.PatchConfig(story.SettingsTarget, "data: {b: ours}", `field_manager = "patch"`, `on_destroy = "`+policy+`"`)},
				resource.TestStep{Config: s.PatchConfig(story.SettingsTarget, "data: {a: ours, b: ours, c: ours}", `field_manager = "patch"`, `on_destroy = "`+policy+`"`)},
				resource.TestStep{ // What others have taken since is theirs.
					PreConfig:        s.NextStep(func() { s.As("eve").Patch(story.SettingsTarget, `{"data": {"b": "theirs"}}`) }),
					Config:           s.ProviderBlock(),
					ConfigPlanChecks: story.Checks(s.ExpectWarning("Patch Removed", want.says)),
					Check: story.Lives(
						s.ExpectLiveJSON(story.SettingsTarget, want.live, "data"), expectNoEntry(s, story.SettingsTarget, "patch"),
					),
				},
			)
		})
	}
}

// A value from before is in the state, so secrets are not restored.
func TestRestoreNoSecrets(t *testing.T) {
	s := story.New(t)
	s.Run(resource.TestStep{
		Config:      s.PatchConfig("v1 Secret token", "data: {a: eA==}", `on_destroy = "restore"`),
		ExpectError: story.Saying("Invalid Attribute Value", "values of this patch are secret"),
	})
}
