package acceptance_test

import (
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Ten other managers write to the object while a patch is created, changed and taken back. No apply fails, no client
// loses a field that the patch does not have, and nothing of the patch stays.
func TestTenWritersRaceAPatch(t *testing.T) {
	s := story.New(t)
	s.As("bob").Apply(story.ConfigMapIn("settings", `data: {a: "1"}`))
	var writers sync.WaitGroup
	var applied chan struct{}
	race := func() {
		until, ended := time.Now().Add(3*time.Second), make(chan struct{})
		applied = ended
		for n := range 10 {
			write := func(value string) {
				s.As(fmt.Sprintf("writer-%d", n)).Patch(story.SettingsTarget, fmt.Sprintf(`{"data": {"own-%d": "last", "a": "w%d-%s"}}`, n, n, value))
			}
			writers.Go(func() {
				for i := 0; time.Now().Before(until); i++ {
					write(strconv.Itoa(i))
				}
				<-ended
				write("after the apply")
			})
		}
	}
	stop := func(*terraform.State) error {
		close(applied)
		writers.Wait()
		return nil
	}
	config := func(value string) string {
		return s.PatchConfig(story.SettingsTarget, "data: {a: "+value+", added: "+value+"}", `field_manager = "patch"`)
	}
	want := `{"a":%q,"added":%[1]q`
	for n := range 10 {
		want += fmt.Sprintf(`,"own-%d":"last"`, n)
	}
	want += "}"
	s.Run(
		resource.TestStep{Config: config("one"), ConfigPlanChecks: story.PlanChecks(story.Meanwhile(race)), Check: stop, ExpectNonEmptyPlan: true},
		resource.TestStep{Config: config("one"), Check: s.ExpectLiveJSON(story.SettingsTarget, fmt.Sprintf(want, "one"), "data")},
		resource.TestStep{Config: config("two"), ConfigPlanChecks: story.PlanChecks(story.Meanwhile(race)), Check: stop, ExpectNonEmptyPlan: true},
		resource.TestStep{Config: config("two"), Check: s.ExpectLiveJSON(story.SettingsTarget, fmt.Sprintf(want, "two"), "data")},
		resource.TestStep{
			Config: s.ProviderBlock(), ConfigPlanChecks: story.PlanChecks(story.Meanwhile(race)),
			Check: story.LiveChecks(stop, expectNoEntry(s, story.SettingsTarget, "patch"), s.ExpectLive(story.SettingsTarget, map[string]any{"data.added": story.Absent})),
		},
	)
}
