package patches_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Two patches of one object have different fields and different field managers, and one of them and the manifest do, too.
func TestPatchesOfOneObject(t *testing.T) {
	s := story.New(t)
	two := func(second string, arguments ...string) string {
		return s.PatchConfig(story.SettingsTarget, "data: {a: ours}", `field_manager = "first"`) +
			s.PatchBlock("second", story.SettingsTarget, second, arguments...)
	}
	s.As("bob").Apply(story.ConfigMapIn("settings", `data: {z: "1"}`))
	s.Run(
		resource.TestStep{
			Config: two("data: {b: ours}"),
			Check:  s.ExpectLiveJSON(story.SettingsTarget, `{"a":"ours","b":"ours","z":"1"}`, "data"),
		},
		s.Noop(two("data: {b: ours}")),
		resource.TestStep{
			Config:      two("data: {a: theirs, b: ours}", `field_manager = "second"`),
			ExpectError: story.Saying("Field Managed Twice", "another patch", "data.a", "Remove these fields from one of the two"),
		},
		resource.TestStep{
			Config:      two("data: {b: ours}", `field_manager = "first"`),
			ExpectError: story.Saying("Field Managed Twice", `field manager is "first"`, "set field_manager"),
		},
	)
}

func TestPatchBesideAManifest(t *testing.T) {
	s := story.New(t)
	both := func(arguments ...string) string {
		return s.ProviderBlock() + s.Manifest("base", story.ConfigMapIn("settings", `data: {a: "1", b: "2"}`), arguments...) +
			s.PatchBlock("test", story.SettingsTarget, "data: {b: ours, c: ours}", `field_manager = "patch"`, "depends_on = [k8sconnect_manifest.base]")
	}
	s.Run(
		resource.TestStep{Config: s.ProviderBlock() + s.Manifest("base", story.ConfigMapIn("settings", `data: {a: "1", b: "2"}`))},
		resource.TestStep{
			Config:      both(),
			ExpectError: story.Saying("Field Managed Twice", "data.b", `ignore_fields = ["data.b"]`),
		},
		resource.TestStep{
			Config: both(`ignore_fields = ["data.b"]`),
			Check:  s.ExpectLiveJSON(story.SettingsTarget, `{"a":"1","b":"ours","c":"ours"}`, "data"),
		},
		s.Noop(both(`ignore_fields = ["data.b"]`)),
	)
}
