package acceptance_test

import (
	"strings"
	"testing"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// An object that goes between a saved plan and its apply is waited for, and ends the apply in an error that says so. If it
// comes back in time, it gets the patch. In neither case is the plan of the apply inconsistent.
func TestObjectOfAPatchGoesBeforeTheApply(t *testing.T) {
	t.Parallel()
	const limit = "timeouts {\n create = \"4s\"\n}"
	for name, block := range map[string]func(s *story.Story) string{
		"apply": func(s *story.Story) string {
			return s.PatchBlock("test", story.SettingsTarget, "data: {a: ours}", limit)
		},
		"merge": func(s *story.Story) string {
			return s.TypedPatchBlock("test", story.SettingsTarget, "merge", `{"data": {"a": "ours"}}`, limit)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			there := func() { s.As("bob").Apply(story.ConfigMapIn("settings", `data: {b: "2"}`)) }
			gone := func() { s.As("bob").Remove(story.SettingsTarget) }
			w := s.HostedWorkspace()
			w.Configure(block(s))
			there()
			w.Do("plan", "-out=plan")
			gone()
			printed, err := w.Try("apply", "-no-color", "plan")
			said := strings.Join(strings.Fields(strings.ReplaceAll(printed, "│", "")), " ")
			if err == nil || !strings.Contains(said, "Dependency Still Missing") || strings.Contains(said, "could not be created") ||
				!strings.Contains(said, "not found; waited 4s for it") {
				t.Errorf("the apply says:\n%s", printed)
			}
			there()
			w.Do("plan", "-out=plan")
			gone()
			go func() {
				time.Sleep(2 * time.Second)
				there()
			}()
			w.Do("apply", "plan")
			story.Must(t, s.ExpectLiveJSON(story.SettingsTarget, `{"a":"ours","b":"2"}`, "data")(nil))
			w.Do("destroy", "-auto-approve")
		})
	}
}
