package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// destroyPolicies are the values of on_destroy, with what the plan of a destroy says and what it leaves.
var destroyPolicies = map[string]struct{ says, live string }{
	"remove":  {"It removes what this resource added", `{"a":"ours","b":"theirs","kept":"1"}`},
	"release": {"It keeps the values of these fields", `{"a":"ours","b":"theirs","c":"ours","kept":"1"}`},
	"restore": {`data.a: "1"`, `{"a":"1","b":"theirs","kept":"1"}`},
}

// on_destroy says what becomes of the values of a patch. Its manager is gone in any case.
func TestOnDestroyOfAPatch(t *testing.T) {
	t.Parallel()
	for policy, want := range destroyPolicies {
		t.Run(policy, func(t *testing.T) {
			s := story.New(t)
			s.As("bob").Apply(story.ConfigMapIn("settings", `data: {a: "1", b: "2", kept: "1"}`))
			s.Run(
				resource.TestStep{Config: s.PatchConfig(story.SettingsTarget, "data: {b: ours}", `field_manager = "patch"`, `on_destroy = "`+policy+`"`)},
				resource.TestStep{Config: s.PatchConfig(story.SettingsTarget, "data: {a: ours, b: ours, c: ours}", `field_manager = "patch"`, `on_destroy = "`+policy+`"`)},
				resource.TestStep{ // What others have taken since is theirs.
					PreConfig:        s.NextStep(func() { s.As("eve").Patch(story.SettingsTarget, `{"data": {"b": "theirs"}}`) }),
					Config:           s.ProviderBlock(),
					ConfigPlanChecks: story.PlanChecks(s.ExpectWarning("Patch Removed", want.says)),
					Check: story.LiveChecks(
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

// Another client has reset managedFields: a destroy still takes back what the patch has set, as far as that is as the
// patch has left it.
func TestOnDestroyAfterReset(t *testing.T) {
	t.Parallel()
	for policy, want := range destroyPolicies {
		t.Run(policy, func(t *testing.T) {
			s := story.New(t)
			s.As("bob").Apply(story.ConfigMapIn("settings", `data: {a: "1", b: "2", kept: "1"}`))
			s.Run(
				resource.TestStep{Config: s.PatchConfig(story.SettingsTarget, "data: {a: ours, b: ours, c: ours}", `field_manager = "patch"`, `on_destroy = "`+policy+`"`)},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						s.As("restore").StripManagedFields(story.SettingsTarget, "[{}]")
						s.As("eve").Apply(story.ConfigMapIn("settings", `data: {b: "theirs"}`))
					}),
					Config:           s.ProviderBlock(),
					ConfigPlanChecks: story.PlanChecks(s.ExpectWarning("Patch Removed", want.says)),
					Check:            s.ExpectLiveJSON(story.SettingsTarget, want.live, "data"),
				},
			)
		})
	}
}

// Terraform 1.11 plans the destroy of a resource without a block before it reads the object. The plan speaks of the
// object as it is all the same, and reads it once.
func TestPlanOfARemovedPatchReadsItsObject(t *testing.T) {
	t.Parallel()
	for name, block := range map[string]func(s *story.Story) string{
		"apply": func(s *story.Story) string {
			return s.PatchBlock("test", story.SettingsTarget, "data: {a: ours, b: ours, new: ours}", ours, `on_destroy = "restore"`)
		},
		"merge": func(s *story.Story) string {
			return s.TypedPatchBlock("test", story.SettingsTarget, "merge", `{"data": {"a": "ours", "b": "ours", "new": "ours"}}`, ours, `on_destroy = "restore"`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.As("bob").Apply(story.ConfigMapIn("settings", `data: {a: "<1>", b: "2"}`))
			w := s.HostedWorkspace()
			w.Configure(block(s))
			w.Do("apply", "-auto-approve")
			s.As("eve").Patch(story.SettingsTarget, `{"data": {"b": "theirs", "new": "theirs"}}`)
			w.Configure()
			read := []string{"get configmaps NS/settings 200"}
			for _, flag := range []string{"-refresh=true", "-refresh=false"} {
				var out string
				w.ExpectCostOf("a plan with "+flag, read, func() { out = w.Do("plan", flag) })
				says(t, out, `restores the earlier values of these fields: data.a: "<1>"`)
				_, warning, _ := strings.Cut(out, "Patch Removed")
				if strings.Contains(warning, "data.b") || strings.Contains(warning, "data.new") { // They are eve's.
					t.Errorf("%s: %s", flag, warning)
				}
			}
			w.Do("apply", "-auto-approve")
			if err := s.ExpectLiveJSON(story.SettingsTarget, `{"a":"\u003c1\u003e","b":"theirs","new":"theirs"}`, "data")(nil); err != nil {
				t.Error(err)
			}
		})
	}
}

// A patch does not create its object again once that is deleted.
func TestPatchOfAnObjectBeingDeleted(t *testing.T) {
	s := story.New(t)
	s.As("bob").Apply(story.ConfigMapIn("settings", `data: {a: "1"}`, `finalizers: [example.com/hold]`))
	w := s.HostedWorkspace()
	w.Configure(s.PatchBlock("test", story.SettingsTarget, "data: {b: ours}"), s.TypedPatchBlock("merge", story.SettingsTarget, "merge", `{"data": {"c": "ours"}}`))
	w.Do("apply", "-auto-approve")
	s.As("bob").Remove(story.SettingsTarget)
	out := w.Do("plan")
	says(t, out, "Object Being Deleted: ConfigMap", "Once it is gone, this resource leaves the state.", "The next apply waits for an object of this name.")
	if strings.Contains(unwrapped(out), "creates it again") {
		t.Error(out)
	}
	s.As("bob").JSONPatch(story.SettingsTarget, `[{"op": "remove", "path": "/metadata/finalizers"}]`)
}
