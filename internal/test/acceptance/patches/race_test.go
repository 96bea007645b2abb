package patches_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Ten others write to the object while a patch is created, changed and taken back. No apply fails, nobody loses a field that
// the patch does not have, and nothing of the patch stays.
func TestTenWritersRaceAPatch(t *testing.T) {
	s := story.New(t)
	s.As("bob").Apply(story.ConfigMapIn("settings", `data: {a: "1"}`))
	var writers sync.WaitGroup
	race := func() {
		until := time.Now().Add(3 * time.Second)
		for n := range 10 {
			writers.Go(func() {
				for i := 0; time.Now().Before(until); i++ {
					s.As(fmt.Sprintf("writer-%d", n)).Patch(story.SettingsTarget, fmt.Sprintf(`{"data": {"own-%d": "last", "a": "w%d-%d"}}`, n, n, i))
				}
			})
		}
	}
	stop := func() { writers.Wait() }
	config := func(value string) string {
		return s.PatchConfig(story.SettingsTarget, "data: {a: "+value+", added: "+value+"}", `field_manager = "patch"`)
	}
	want := `{"a":%q,"added":%[1]q`
	for n := range 10 {
		want += fmt.Sprintf(`,"own-%d":"last"`, n)
	}
	want += "}"
	s.Run(
		resource.TestStep{Config: config("one"), ConfigPlanChecks: story.Checks(story.Meanwhile(race)), ExpectNonEmptyPlan: true},
		resource.TestStep{PreConfig: stop, Config: config("one"), Check: s.ExpectLiveJSON(story.SettingsTarget, fmt.Sprintf(want, "one"), "data")},
		resource.TestStep{Config: config("two"), ConfigPlanChecks: story.Checks(story.Meanwhile(race)), ExpectNonEmptyPlan: true},
		resource.TestStep{PreConfig: stop, Config: config("two"), Check: s.ExpectLiveJSON(story.SettingsTarget, fmt.Sprintf(want, "two"), "data")},
		resource.TestStep{
			Config: s.ProviderBlock(), ConfigPlanChecks: story.Checks(story.Meanwhile(race)),
			Check: story.Lives(expectNoEntry(s, story.SettingsTarget, "patch"), s.ExpectLive(story.SettingsTarget, map[string]any{"data.added": story.Absent})),
		},
	)
	stop()
}
