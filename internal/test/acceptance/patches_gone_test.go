package acceptance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// An object that goes between a saved plan and its apply is waited for, and ends the apply in an error that says so. If it
// comes back in time, it gets the patch. In neither case is the plan of the apply inconsistent.
func TestObjectOfAPatchGoesBeforeTheApply(t *testing.T) {
	t.Parallel()
	const limit = "timeouts {\n create = \"6s\"\n}"
	for name, block := range map[string]func(s *story.Story, limit string) string{
		"apply": func(s *story.Story, limit string) string {
			return s.PatchBlock("test", story.SettingsTarget, "data: {a: ours}", limit)
		},
		"merge": func(s *story.Story, limit string) string {
			return s.TypedPatchBlock("test", story.SettingsTarget, "merge", `{"data": {"a": "ours"}}`, limit)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			there := func() { s.As("bob").Apply(story.ConfigMapIn("settings", `data: {b: "2"}`)) }
			gone := func() { s.As("bob").Remove(story.SettingsTarget) }
			w := s.HostedWorkspace()
			w.Configure(block(s, limit))
			there()
			w.Do("plan", "-out=plan")
			gone()
			printed, err := w.Try("apply", "-no-color", "plan")
			said := strings.Join(strings.Fields(strings.ReplaceAll(printed, "│", "")), " ")
			if err == nil || !strings.Contains(said, "Dependency Still Missing") || strings.Contains(said, "could not be created") ||
				!story.Saying("not found; waited ≤6s for it").MatchString(said) {
				t.Errorf("the apply says:\n%s", printed)
			}
			there()
			w.Configure(block(s, ""))
			w.Do("plan", "-out=plan")
			gone()
			s.OnceSent(3, "get configmaps", there)
			w.Do("apply", "plan")
			story.Must(t, s.ExpectLiveJSON(story.SettingsTarget, `{"a":"ours","b":"2"}`, "data")(nil))
			w.Do("destroy", "-auto-approve")
		})
	}
}

// An object leaves while a patch of it stays: the plan says that the patch goes with it, and refuses a patch that changes, whichever of
// the two Terraform plans first. It says nothing if the object stays on the cluster, or the patch leaves, too.
func TestObjectLeavesUnderAPatch(t *testing.T) {
	t.Parallel()
	const others = "resource \"k8sconnect_manifests\" \"test\" {\nmanifests = {\nother = <<-Y\n%s\nY\n%s\n}\n%s\n}\n"
	for name, object := range map[string]func(s *story.Story, has bool, argument string) string{
		"manifest": func(s *story.Story, has bool, argument string) string {
			if !has {
				return ""
			}
			return s.Manifest("test", story.Settings, argument)
		},
		"member of a set": func(s *story.Story, has bool, argument string) string {
			member := ""
			if has {
				member = "settings = <<-Y\n" + story.Settings + "\nY"
			}
			return s.Expand(fmt.Sprintf(others, configMap("other", "1"), member, argument))
		},
	} {
		for kind, patch := range map[string]func(s *story.Story, value string) string{
			"apply": func(s *story.Story, value string) string {
				return s.PatchBlock("patch", story.SettingsTarget, "metadata: {labels: {a: "+value+"}}", ours)
			},
			"merge": func(s *story.Story, value string) string {
				return s.TypedPatchBlock("patch", story.SettingsTarget, "merge", `{"metadata":{"labels":{"a":"`+value+`"}}}`, ours)
			},
		} {
			t.Run(name+", "+kind, func(t *testing.T) {
				s := story.New(t)
				w := &set{Workspace: s.HostedWorkspace()}
				const release = `on_destroy = "release"`
				w.Configure(object(s, true, ""))
				w.Do("apply", "-auto-approve")
				w.Configure(object(s, true, ""), patch(s, "b"))
				w.Do("apply", "-auto-approve")
				w.expect(w.Do("plan", "-destroy"), "not", "Patched Object Deleted")
				w.Configure(object(s, false, ""))
				w.expect(w.Do("plan"), "not", "Patched Object Deleted")
				w.Configure(object(s, false, ""), patch(s, "c"))
				w.expect(w.Exits(story.Refused, "plan"), "Patched Object Deleted", `field managers "patch"`, "Remove these patches, too")
				w.Configure(object(s, true, release), patch(s, "b"))
				w.Do("apply", "-auto-approve")
				w.Configure(object(s, false, release), patch(s, "b"))
				w.expect(w.Do("plan"), "not", "Patched Object Deleted")
				w.Configure(object(s, true, ""), patch(s, "b"))
				w.Do("apply", "-auto-approve")
				w.Configure(object(s, false, ""), patch(s, "b"))
				w.expect(w.Do("apply", "-auto-approve"), "Patched Object Deleted: ConfigMap NS/settings (v1)", `field managers "patch"`)
			})
		}
	}
}
