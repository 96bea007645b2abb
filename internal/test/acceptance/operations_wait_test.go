package acceptance_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The action waits as the resource does: a GET and a WATCH for an object that another client creates later.
func TestWait(t *testing.T) {
	i := newInvoker(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: invocations})
	short := "timeouts {\n invoke = \"6s\"\n}"
	i.Configure(
		i.action("wait", "later", i.target(story.SettingsTarget), `fields = { "data.mode" = "on" }`),
		i.action("wait", "exists", i.target(story.SettingsTarget), `until = "exists"`),
		i.action("wait", "never", i.target(story.SettingsTarget), `fields = { "data.mode" = "off" }`, short),
		i.action("wait", "reported", i.target(story.SettingsTarget), `fields = { "data.mode" = "off" }`, `on_failure = "report"`, short),
	)
	var progress []string
	i.ExpectCostOf("a wait", []string{"get configmaps NS/settings 404", "watch configmaps NS/settings 200"}, func() {
		i.OnceSent(1, "watch configmaps", func() {
			i.As("eve").Create(strings.Replace(story.Settings, `mode: "on"`, `mode: "starting"`, 1))
			i.As("eve").Patch(story.SettingsTarget, `{"data": {"mode": "on"}}`)
		})
		progress = i.invoke("wait.later")
	})
	if len(progress) != 3 || progress[0] != "Waiting for ConfigMap NS/settings (v1)" || !strings.Contains(progress[1], "data.mode") {
		t.Errorf("the progress is\n%s", strings.Join(progress, "\n"))
	}
	i.ExpectCost("a wait for what exists", []string{"get configmaps NS/settings 200"}, "apply", "-auto-approve", "-invoke=action.k8sconnect_wait.exists")
	i.says(i.refuses("wait.never"), "Object Not Ready", "ConfigMap NS/settings (v1) was not ready after ≤6s", "data.mode", "The action has changed nothing.", "raise the timeouts")
	out := i.Do("apply", "-auto-approve", "-invoke=action.k8sconnect_wait.reported")
	i.says(strings.ReplaceAll(out, i.Namespace, "NS"), "Warning: ", "Object Not Ready: ConfigMap NS/settings (v1)", "The run goes on.")
}

// An action chooses one of the provider's clusters by its name.
func TestActionOnCluster(t *testing.T) {
	i := newInvoker(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: invocations})
	i.As("eve").Create(story.Settings)
	story.Must(t, i.Write("provider \"k8sconnect\" {\n  clusters = { named = { config_path = \"kubeconfig\" } }\n}\n"+
		i.action("wait", "there", i.target(story.SettingsTarget), `until = "exists"`, `cluster_name = "named"`)+
		i.action("wait", "nowhere", i.target(story.SettingsTarget), `until = "exists"`, `cluster_name = "nmed"`)))
	i.invoke("wait.there")
	i.says(i.refuses("wait.nowhere"), "Cluster Not Configured", `There is no cluster "nmed"`, `Did you mean "named"?`)
}

// What a failed trigger means for the resource and for what depends on it, as Terraform 1.16 does it.
func TestFailedTriggers(t *testing.T) {
	t.Parallel()
	stored := func(names ...string) []string { return names }
	for name, test := range map[string]struct {
		trigger  string
		fails    bool
		existing []string
		// next are the actions of the next plan.
		next string
	}{
		"before_create":                {"events = [before_create]", true, nil, "Plan: 2 to add, 0 to change, 0 to destroy. Actions: 1 to invoke."},
		"after_create":                 {"events = [after_create]", true, stored("first"), "Plan: 1 to add, 0 to change, 0 to destroy."},
		"after_create, and taint":      {"events = [after_create]\n on_failure = taint", true, stored("first"), "Plan: 2 to add, 0 to change, 1 to destroy. Actions: 1 to invoke."},
		"after_create, and go on":      {"events = [after_create]\n on_failure = continue", false, stored("first", "second"), "No changes."},
		"before_create, and go on":     {"events = [before_create]\n on_failure = continue", false, stored("first", "second"), "No changes."},
		"an event that does not occur": {"events = [after_update]", false, stored("first", "second"), "No changes."},
	} {
		t.Run(name, func(t *testing.T) {
			i := newInvoker(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(version.Must(version.NewVersion("1.16.0"))), Name: "on_failure of action_trigger"})
			i.Configure(
				i.Manifest("first", story.ConfigMapIn("first", "data: {a: x}"),
					"lifecycle {\n  action_trigger {\n    "+test.trigger+"\n    actions = [action.k8sconnect_wait.never]\n  }\n}"),
				i.Manifest("second", story.ConfigMapIn("second", "data: {a: x}"), "depends_on = [k8sconnect_manifest.first]"),
				i.action("wait", "never", i.target("v1 ConfigMap absent"), "timeouts {\n invoke = \"1s\"\n}"),
			)
			code := story.Nothing
			if test.fails {
				code = story.Refused
			}
			i.Exits(code, "apply", "-auto-approve")
			for _, name := range []string{"first", "second"} {
				if exists := !i.Gone("v1 ConfigMap " + name); exists != slices.Contains(test.existing, name) {
					t.Errorf("the ConfigMap %s exists: %v", name, exists)
				}
			}
			i.says(i.Do("plan"), test.next)
		})
	}
}
