package acceptance_test

import (
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Four resources on one object: the CLI shows the warnings of each, and says whose they are, in an update and in a
// destroy of all but one.
func TestWarningsOfSeveralResourcesOnOneObject(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	const settings = `data: {base: "1"}`
	base := s.Manifest("test", story.ConfigMapIn("settings", settings, `annotations: {note: precious}`))
	patches := func(value string) []string {
		return []string{
			base,
			s.PatchBlock("yaml", story.SettingsTarget, "data: {yaml: "+value+"}", `field_manager = "yaml"`, afterManifest),
			s.TypedPatchBlock("merge", story.SettingsTarget, "merge", `{"data": {"merge": "`+value+`"}}`, `field_manager = "merge"`, afterManifest),
			s.TypedPatchBlock("json", story.SettingsTarget, "json", `[{"op": "add", "path": "/data/json", "value": "`+value+`"}]`,
				`field_manager = "json"`, afterManifest),
			s.TypedPatchBlock("strategic", story.SettingsTarget, "strategic", `{"data": {"strategic": "`+value+`"}}`, afterManifest),
		}
	}
	w.Configure(patches("ours")...)
	w.Do("apply", "-auto-approve")
	w.Do("plan", "-detailed-exitcode")

	s.As("eve").Patch(story.SettingsTarget, `{"data": {"base": "theirs-0", "yaml": "theirs-1", "merge": "theirs-2", "json": "theirs-3", "strategic": "theirs-4"}}`)
	out := w.Do("plan")
	says(t, out,
		`Field Ownership Conflict: ConfigMap `+s.Namespace+"/settings (v1)\n",
		`/settings (v1) (field manager "yaml")`, `/settings (v1) (field manager "merge")`, `/settings (v1) (field manager "json")`,
		`/settings (v1) (field manager "k8sconnect-patch-`,
		`data.base: "theirs-0" -> "1"`, `data.yaml: "theirs-1" -> "ours"`, `data.merge: "theirs-2" -> "ours"`, `data.json: "theirs-3" -> "ours"`,
		`data.strategic: "theirs-4" -> "ours"`,
	)
	w.Do("apply", "-auto-approve")

	w.Configure(base)
	out = w.Do("plan")
	says(t, out, `Patch Removed: ConfigMap `+s.Namespace+`/settings (v1) (field manager "yaml")`, `Its field manager is "json".`,
		"data.yaml", "data.merge", "data.json", "data.strategic")
	w.Do("apply", "-auto-approve")
	if err := s.ExpectLiveJSON(story.SettingsTarget, `{"base":"1"}`, "data")(nil); err != nil {
		t.Error(err)
	}
}

// Each of two patches removes or overwrites what is in no attribute of its plan.
func TestUnseenValuesOfTwoPatches(t *testing.T) {
	s := story.New(t)
	s.As("bob").Apply(story.ConfigMapIn("settings", `data: {a: "was-a", b: "was-b", c: "was-c"}`, `annotations: {note: precious, other: dear}`))
	w := s.HostedWorkspace()
	w.Configure(
		s.TypedPatchBlock("first", story.SettingsTarget, "merge", `{"metadata": {"annotations": {"note": null}}, "data": {"a": "ours"}}`),
		s.TypedPatchBlock("second", story.SettingsTarget, "json",
			`[{"op": "remove", "path": "/metadata/annotations/other"}, {"op": "replace", "path": "/data/b", "value": "ours"}]`),
		s.PatchBlock("third", story.SettingsTarget, "data: {c: ours}"),
	)
	says(t, w.Do("plan"), `metadata.annotations.note: "precious", removed`, `data.a: "was-a"`,
		`metadata.annotations.other: "dear", removed`, `data.b: "was-b"`, `data.c: "was-c"`)
}

// says expects texts in what the CLI prints, whose lines may be broken anywhere, and no warning that stands for another.
func says(t *testing.T, out string, texts ...string) {
	t.Helper()
	joined := unwrapped(out)
	for _, text := range texts {
		if !strings.Contains(joined, unwrapped(text)) {
			t.Errorf("%q is missing in:\n%s", text, out)
		}
	}
	if strings.Contains(joined, "similar warning") {
		t.Errorf("warnings are folded:\n%s", out)
	}
}

// unwrapped returns a text without the frame of a diagnostic, in one line.
func unwrapped(text string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("│", " ", "╷", " ", "╵", " ").Replace(text)), " ")
}
