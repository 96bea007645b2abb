package acceptance_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The plan of a replacement says what the destroy does to the old object, and what the create does to the new one. It
// sends what the two plans of the CLI sent before.
func TestPlanOfAReplacedPatch(t *testing.T) {
	t.Parallel()
	const target = "v1 ConfigMap other"
	before := func(s *story.Story) string {
		return s.PatchBlock("test", story.SettingsTarget, `data: {a: ours, new: "1"}`, ours, `on_destroy = "restore"`)
	}
	for name, test := range map[string]struct {
		after func(s *story.Story) string
		says  []string
		cost  []string
	}{
		"another target": {
			after: func(s *story.Story) string {
				return s.PatchBlock("test", target, `data: {a: ours, new: "1"}`, ours, `on_destroy = "restore"`)
			},
			says: []string{
				"Patch Removed: ConfigMap", "the apply removes this patch first", `restores the earlier values of these fields: data.a: "was"`,
				"removes what this resource added: data.new", `data.a: "far" -> "ours", owned by "bob"`,
			},
			cost: []string{"get configmaps NS/settings 200", "get configmaps NS/other 200", "patch configmaps NS/other dry-run 200"},
		},
		"another kind of patch": {
			after: func(s *story.Story) string {
				return s.TypedPatchBlock("test", story.SettingsTarget, "merge", `{"data": {"b": "ours", "c": null}}`, ours)
			},
			says: []string{
				"Patch Removed: ConfigMap", `restores the earlier values of these fields: data.a: "was"`,
				`data.b: "kept" -> "ours", owned by "bob"`, `data.c: "dear", removed, owned by "bob"`,
			},
			cost: []string{"get configmaps NS/settings 200", "get configmaps NS/settings 200", "patch configmaps NS/settings dry-run 200"},
		},
		"another target and kind": {
			after: func(s *story.Story) string {
				return s.TypedPatchBlock("test", target, "json", `[{"op": "replace", "path": "/data/a", "value": "ours"}]`)
			},
			says: []string{
				"Patch Removed: ConfigMap", "data.new", `Field Ownership Conflict: ConfigMap`, `/other (v1) (field manager "k8sconnect-patch-`,
				`data.a: "far" -> "ours", owned by "bob"`,
			},
			cost: []string{"get configmaps NS/settings 200", "get configmaps NS/other 200", "patch configmaps NS/other dry-run 200"},
		},
		"a target that is missing": {
			after: func(s *story.Story) string {
				return s.PatchBlock("test", "v1 ConfigMap absent", `data: {a: ours}`, ours)
			},
			says: []string{"Patch Removed: ConfigMap", "data.new", "Object Not Found Yet: ConfigMap"},
			cost: []string{"get configmaps NS/settings 200", "get configmaps NS/absent 404"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.As("bob").Apply(story.ConfigMapIn("settings", `data: {a: was, b: kept, c: dear}`))
			s.As("bob").Apply(story.ConfigMapIn("other", `data: {a: far, z: "1"}`))
			w := s.HostedWorkspace()
			w.Configure(before(s))
			w.Do("apply", "-auto-approve")
			w.Configure(test.after(s))
			var out string
			w.ExpectCostOf("the plan", test.cost, func() { out = w.Do("plan") })
			says(t, out, test.says...)
		})
	}
}

// With create_before_destroy, which Terraform also takes from the resources that depend on a patch, the destroy half does
// not take back what the create half has applied.
func TestPatchCreatedBeforeItsEnd(t *testing.T) {
	t.Parallel()
	for form, block := range map[string]func(*story.Story) string{
		"apply": func(s *story.Story) string { return s.PatchBlock("test", story.SettingsTarget, "data: {a: ours}") },
		"merge": func(s *story.Story) string {
			return s.TypedPatchBlock("test", story.SettingsTarget, "merge", `{"data": {"a": "ours"}}`)
		},
	} {
		t.Run(form, func(t *testing.T) {
			s := story.New(t)
			s.As("bob").Create(story.ConfigMapIn("settings", `data: {level: "3"}`))
			w := s.HostedWorkspace()
			w.Configure(block(s) + `resource "terraform_data" "after" {
  input = ` + story.PatchAddress + `.id
  lifecycle {
    create_before_destroy = true
  }
}
`)
			w.Do("apply", "-auto-approve")
			says(t, w.Do("apply", "-auto-approve", "-replace="+story.PatchAddress), "Object Left Alone", "has applied a patch under the same field manager")
			story.Must(t, s.ExpectLiveJSON(story.SettingsTarget, `{"a":"ours","level":"3"}`, "data")(nil))
			w.Do("plan", "-detailed-exitcode")
		})
	}
}

// If the create half applies other fields under the same field manager, the destroy half takes the rest back.
func TestPatchCreatedBeforeItsEndWithOtherFields(t *testing.T) {
	t.Parallel()
	for form, body := range map[string]func(data map[string]string) string{
		"apply": func(data map[string]string) string {
			return "yaml_body = jsonencode({data = " + story.AsJSON(data) + "})"
		},
		"merge": func(data map[string]string) string {
			return `patch = { type = "merge", body = jsonencode({data = ` + story.AsJSON(data) + "}) }"
		},
		"json": func(data map[string]string) string {
			var operations []string
			for _, key := range slices.Sorted(maps.Keys(data)) {
				operations = append(operations, fmt.Sprintf(`{op = "add", path = "/data/%s", value = %q}`, key, data[key]))
			}
			return `patch = { type = "json", body = jsonencode([` + strings.Join(operations, ", ") + "]) }"
		},
	} {
		t.Run(form, func(t *testing.T) {
			s := story.New(t)
			s.As("bob").Create(story.ConfigMapIn("settings", `data: {level: "3"}`))
			w := s.HostedWorkspace()
			has := func(data map[string]string) {
				w.Configure(s.Expand(`resource "k8sconnect_patch" "test" {
  target        = { api_version = "v1", kind = "ConfigMap", namespace = "NS", name = "settings" }
  ` + body(data) + `
  field_manager = "patch"
  on_destroy    = "restore"
  lifecycle {
    create_before_destroy = true
  }
}
`))
			}
			has(map[string]string{"a": "ours", "x": "ours", "level": "9"})
			w.Do("apply", "-auto-approve")
			has(map[string]string{"a": "ours", "b": "ours"})
			says(t, w.Do("apply", "-auto-approve", "-replace="+story.PatchAddress), "Object Left Alone", "that both apply were not removed")
			story.Must(t, s.ExpectLiveJSON(story.SettingsTarget, `{"a":"ours","b":"ours","level":"3"}`, "data")(nil))
			w.Do("plan", "-detailed-exitcode")
		})
	}
}

// A patch that ends is taken back, also if another one begins under its field manager on another object.
func TestPatchThatEndsAsItsManagerBeginsElsewhere(t *testing.T) {
	s := story.New(t)
	const far = "v1 ConfigMap far"
	s.As("bob").Create(story.ConfigMapIn("settings", `data: {level: "3"}`))
	s.As("bob").Create(story.ConfigMapIn("far", `data: {level: "3"}`))
	w := s.HostedWorkspace()
	w.Configure(s.PatchBlock("old", story.SettingsTarget, "data: {a: ours}", ours))
	w.Do("apply", "-auto-approve")
	w.Configure(s.PatchBlock("new", far, "data: {a: ours}", ours))
	w.Do("apply", "-auto-approve")
	story.Must(t, s.ExpectLiveJSON(story.SettingsTarget, `{"level":"3"}`, "data")(nil))
	story.Must(t, s.ExpectLiveJSON(far, `{"a":"ours","level":"3"}`, "data")(nil))
}

// A patch that moves to an object with another patch is taken back from the first one.
func TestPatchThatMovesBesideAnother(t *testing.T) {
	s := story.New(t)
	const far = "v1 ConfigMap far"
	s.As("bob").Create(story.ConfigMapIn("settings", `data: {level: "3"}`))
	s.As("bob").Create(story.ConfigMapIn("far", `data: {level: "3"}`))
	w := s.HostedWorkspace()
	other := s.PatchBlock("other", far, "data: {b: theirs}")
	w.Configure(other + s.PatchBlock("test", story.SettingsTarget, "data: {a: ours}"))
	w.Do("apply", "-auto-approve")
	w.Configure(other + s.PatchBlock("test", far, "data: {a: ours}"))
	if out := w.Do("apply", "-auto-approve"); strings.Contains(out, "Object Was Recreated") {
		t.Errorf("the apply says:\n%s", out)
	}
	story.Must(t, s.ExpectLiveJSON(story.SettingsTarget, `{"level":"3"}`, "data")(nil))
	story.Must(t, s.ExpectLiveJSON(far, `{"a":"ours","b":"theirs","level":"3"}`, "data")(nil))
	w.Do("plan", "-detailed-exitcode")
}

// The plan of a replaced strategic patch names the list item that its create adds.
func TestPlanOfAReplacedStrategicPatch(t *testing.T) {
	s := story.New(t)
	s.As("helm").Apply(story.Deployment)
	w := s.HostedWorkspace()
	w.Configure(s.PatchBlock("test", story.Web, `metadata: {labels: {team: x}}`, ours))
	w.Do("apply", "-auto-approve")
	w.Configure(s.TypedPatchBlock("test", story.Web, "strategic",
		`{"spec": {"template": {"spec": {"containers": [{"name": "log", "image": "fluent:1"}]}}}}`, ours))
	says(t, w.Do("plan"), "metadata.labels", "List Item Added: Deployment", `containers[name="log"]`)
}

// A manifest that gets the name of an object which exists, with adopt_existing: the plan shows the adoption.
func TestPlanOfARenamedManifestThatAdopts(t *testing.T) {
	s := story.New(t)
	s.As("bob").Apply(story.ConfigMapIn("other", `data: {a: "far", z: "1"}`))
	w := s.HostedWorkspace()
	config := func(name string) string {
		return s.Manifest("test", story.ConfigMapIn(name, `data: {a: ours}`), story.Adopting, `ignore_fields = ["data.nothing"]`)
	}
	w.Configure(config("settings"))
	w.Do("apply", "-auto-approve")
	w.Configure(config("other"))
	says(t, w.Do("plan"), "Existing Object Adopted: ConfigMap", "Field Ownership Conflict: ConfigMap", `data.a: "far" -> "ours", owned by "bob"`,
		"Ignored Field Not Found")
	w.Do("apply", "-auto-approve")
	w.Do("plan", "-detailed-exitcode")
	if err := s.ExpectLiveJSON("v1 ConfigMap other", `{"a":"ours","z":"1"}`, "data")(nil); err != nil {
		t.Error(err)
	}
}
