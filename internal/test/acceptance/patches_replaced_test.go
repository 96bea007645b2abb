package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const locked = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: NS}\nimmutable: true\ndata: {mode: MODE}"

// A patch of an object that the same apply replaces is applied to the new object, whatever its type.
func TestPatchOfReplacedObject(t *testing.T) {
	t.Parallel()
	for name, patch := range map[string]func(*story.Story) string{
		"yaml": func(s *story.Story) string {
			return s.PatchBlock("patch", story.SettingsTarget, "metadata: {labels: {a: b}}", afterManifest)
		},
		"merge": func(s *story.Story) string {
			return s.TypedPatchBlock("patch", story.SettingsTarget, "merge", `{"metadata":{"labels":{"a":"b"}}}`, afterManifest)
		},
		"json": func(s *story.Story) string {
			return s.TypedPatchBlock("patch", story.SettingsTarget, "json",
				`[{"op":"add","path":"/metadata/labels","value":{"a":"b"}}]`, afterManifest)
		},
		"restored": func(s *story.Story) string {
			return s.PatchBlock("patch", story.SettingsTarget, "metadata: {labels: {a: b}}", afterManifest, `on_destroy = "restore"`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			config := func(mode string) string {
				return s.Config(strings.Replace(locked, "MODE", mode, 1)) + patch(s)
			}
			s.Run(
				resource.TestStep{Config: config("one")},
				resource.TestStep{
					PreConfig: s.NextStep(),
					Config:    config("two"),
					ConfigPlanChecks: story.PlanChecks(
						s.ExpectWarning("Patched Object Replaced: ConfigMap"),
						plancheck.ExpectResourceAction("k8sconnect_manifest.test", plancheck.ResourceActionReplace),
						plancheck.ExpectResourceAction("k8sconnect_patch.patch", plancheck.ResourceActionUpdate),
					),
					Check: s.ExpectLiveJSON(story.SettingsTarget, `{"a":"b"}`, "metadata", "labels"),
				},
			)
		})
	}
}

const afterManifest = `depends_on = [k8sconnect_manifest.test]`

// A requested replacement.
func TestPatchOfObjectReplacedOnRequest(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	w.Configure(s.Manifest("test", story.Settings), s.PatchBlock("patch", story.SettingsTarget, "data: {extra: x}", afterManifest))
	w.Do("apply", "-auto-approve")
	w.Do("apply", "-auto-approve", "-replace=k8sconnect_manifest.test")
	if data := s.Live(story.SettingsTarget).Object["data"].(map[string]any); data["extra"] != "x" {
		t.Fatalf("data: %v", data)
	}
	w.Do("plan", "-detailed-exitcode")
}
