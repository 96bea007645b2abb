package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Other managers come to own what the plan of a destroy removes or restores: it stays, and the destroy says so.
func TestDestroyTellsWhatItLeavesToOthers(t *testing.T) {
	t.Parallel()
	writes := map[string]func(*story.Story){
		"shared": func(s *story.Story) {
			s.As("alice").Apply(story.ConfigMapIn("settings", `data: {level: trace, added: "1"}`))
		},
		"taken": func(s *story.Story) {
			s.As("alice").Patch(story.SettingsTarget, `{"data": {"level": "hers", "added": "hers"}}`)
		},
	}
	left := map[string]string{
		"shared": `{"added":"1","kept":"1","level":"trace"`, "taken": `{"added":"hers","kept":"1","level":"hers"`,
	}
	for kind, config := range patchForms() {
		for how, write := range writes {
			t.Run(kind+", "+how, func(t *testing.T) {
				s := story.New(t)
				s.As("flux").Create(story.ConfigMapIn("settings", `data: {kept: "1", level: info}`))
				s.Run(
					resource.TestStep{Config: config(s, map[string]any{"mine": "1", "level": "trace", "added": "1"}, `on_destroy = "restore"`)},
					resource.TestStep{
						Config: s.ProviderBlock(),
						ConfigPlanChecks: story.PlanChecks(
							s.ExpectWarning("It removes what this resource added:\n\n  data.added\n  data.mine\n\nIt restores the earlier values of these fields:\n\n  data.level: \"info\""),
							story.Meanwhile(func() { write(s) }),
						),
						Check: story.LiveChecks(
							s.ExpectLiveJSON(story.SettingsTarget, left[how]+"}", "data"),
							expectNoEntry(s, story.SettingsTarget, "patch"),
							func(*terraform.State) error {
								return s.Warned("Fields Not Removed", "since the plan", `data.added, owned by "alice"`, `data.level, owned by "alice"`)
							},
						),
					},
				)
			})
		}
	}
}

// A plan without a refresh says of a field that leaves a patch what the apply does: both go by the owners that the last
// refresh has seen.
func TestFieldThatLeavesAPatchWithoutARefresh(t *testing.T) {
	t.Parallel()
	for kind, config := range patchForms() {
		t.Run(kind, func(t *testing.T) {
			s := story.New(t)
			s.As("flux").Create(story.ConfigMapIn("settings", `data: {kept: "1"}`))
			w := s.HostedWorkspace()
			block := func(data map[string]any) string { return strings.TrimPrefix(config(s, data), s.ProviderBlock()) }
			w.Configure(block(map[string]any{"mine": "1", "added": "1"}))
			w.Do("apply", "-auto-approve")
			s.As("operator").Apply(story.ConfigMapIn("settings", `data: {added: "1"}`))
			w.Do("apply", "-refresh-only", "-auto-approve")
			s.As("operator").Apply(story.ConfigMapIn("settings", ""))
			w.Configure(block(map[string]any{"mine": "1"}))
			said := w.Do("plan", "-refresh=false", "-out=saved")
			if strings.Contains(said, `data.added: "1", removed`) {
				t.Errorf("the plan says that data.added is removed:\n%s", said)
			}
			w.Do("apply", "saved")
			story.Must(t, s.ExpectLiveJSON(story.SettingsTarget, `{"added":"1","kept":"1","mine":"1"}`, "data")(nil))
		})
	}
}

// The plan of the destroy of a resource without a block goes by the object as it is, although Terraform 1.11 makes it before
// the refresh. Its promise holds, too.
func TestSharedFieldOfASavedDestroyStays(t *testing.T) {
	t.Parallel()
	for kind, config := range patchForms() {
		t.Run(kind, func(t *testing.T) {
			s := story.New(t)
			s.As("flux").Create(story.ConfigMapIn("settings", `data: {kept: "1"}`))
			w := s.HostedWorkspace()
			w.Configure(strings.TrimPrefix(config(s, map[string]any{"mine": "1", "added": "1"}), s.ProviderBlock()))
			w.Do("apply", "-auto-approve")
			s.As("operator").Apply(story.ConfigMapIn("settings", `data: {added: "1"}`))
			w.Configure()
			said := w.Do("plan", "-out=saved")
			if want := "It removes what this resource added:\n"; !strings.Contains(said, want) || !strings.Contains(said, "It keeps the values of these fields:") {
				t.Errorf("the plan is not by the object as it is:\n%s", said)
			}
			s.As("operator").Apply(story.ConfigMapIn("settings", ""))
			w.Do("apply", "saved")
			story.Must(t, s.ExpectLiveJSON(story.SettingsTarget, `{"added":"1","kept":"1"}`, "data")(nil))
			story.Must(t, expectNoEntry(s, story.SettingsTarget, "patch")(nil))
		})
	}
}

// The plan of a destroy shows no secret of the patch, not even as the value of another field that it removes.
func TestSecretsOfADestroyedPatch(t *testing.T) {
	const secret = "/dev/termination-log"
	s := story.New(t)
	s.As("bob").Apply(story.Deployment)
	s.Run(
		resource.TestStep{Config: s.PatchConfig(story.Web, "metadata: {annotations: {secret: "+secret+"}}\n"+
			`spec: {template: {spec: {containers: [{name: side, image: "envoy:1"}]}}}`, ours, `sensitive_fields = ["metadata.annotations.secret"]`)},
		resource.TestStep{
			Config: s.ProviderBlock(),
			ConfigPlanChecks: story.PlanChecks(
				s.ExpectWarning("It also removes these values, which nobody owns:", "terminationMessagePath: "), s.ExpectRedacted(secret),
			),
		},
	)
}

// A manifest of an object that only a patch has in the state is planned as it would be without the patch.
func TestManifestOfAPatchedObjectThatExists(t *testing.T) {
	t.Parallel()
	for kind, config := range patchForms() {
		t.Run(kind, func(t *testing.T) {
			s := story.New(t)
			s.As("flux").Create(story.ConfigMapIn("settings", `data: {level: info}`))
			alone := config(s, map[string]any{"mine": "1"})
			both := func(arguments ...string) string {
				return alone + s.Manifest("test", story.ConfigMapIn("settings", `data: {level: debug}`), arguments...)
			}
			s.Run(
				resource.TestStep{Config: alone},
				resource.TestStep{Config: both(), ExpectError: story.Saying("Object Already Exists", "settings", "import")},
				resource.TestStep{
					PreConfig:        s.NextStep(),
					Config:           both("adopt_existing = true"),
					ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(`data.level: "info" -> "debug"`, `owned by "flux"`)),
					Check:            s.ExpectLiveJSON(story.SettingsTarget, `{"level":"debug","mine":"1"}`, "data"),
				},
				s.Noop(both("adopt_existing = true")),
			)
		})
	}
}

// A patch changes, and the same plan replaces its object. Nothing says which comes first, so the plan is refused: the apply
// could fail when the old object is gone.
func TestReplacementOfAnObjectWhosePatchChanges(t *testing.T) {
	t.Parallel()
	for name, patch := range map[string]func(s *story.Story, label, argument string) string{
		"apply": func(s *story.Story, label, argument string) string {
			return s.PatchBlock("patch", story.SettingsTarget, "metadata: {labels: {a: "+label+"}}", ours, argument)
		},
		"merge": func(s *story.Story, label, argument string) string {
			return s.TypedPatchBlock("patch", story.SettingsTarget, "merge", `{"metadata":{"labels":{"a":"`+label+`"}}}`, ours, argument)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			w := s.HostedWorkspace()
			// The patch comes first in each plan, and in the apply the deletion of the object may.
			const afterPatch = "depends_on = [k8sconnect_patch.patch]"
			manifest := func(mode, argument string) string {
				return s.Manifest("test", strings.Replace(locked, "MODE", mode, 1), argument)
			}
			w.Configure(manifest("one", ""), patch(s, "b", afterManifest))
			w.Do("apply", "-auto-approve")
			w.Configure(manifest("two", afterPatch), patch(s, "c", ""))
			refused := story.Saying("Patched Object Replaced", `the plan replaces the object`, `"patch"`, "depends_on")
			if out, err := w.Try("plan"); err == nil || !refused.MatchString(out) {
				t.Errorf("%v\n%s", err, out)
			}
			w.Configure(manifest("one", afterPatch), patch(s, "c", ""))
			if out, err := w.Try("plan", "-replace=k8sconnect_manifest.test"); err == nil || !refused.MatchString(out) {
				t.Errorf("%v\n%s", err, out)
			}
			w.Configure(manifest("two", ""), patch(s, "c", afterManifest))
			w.Do("apply", "-auto-approve")
			story.Must(t, s.ExpectLiveJSON(story.SettingsTarget, `{"a":"c"}`, "metadata", "labels")(nil))
		})
	}
}
