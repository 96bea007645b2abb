package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// done waits for what no client writes unless a step says so.
const done = `fields = { "data.done" = "yes" }`

// A create that fails stores nothing. An update that fails keeps the state. Both wait again with the next apply.
func TestWaitResourceThatFails(t *testing.T) {
	s := story.New(t)
	config := func(arguments ...string) string { return waitConfig(s, story.SettingsTarget, arguments...) }
	short := waitTimeouts("4s")
	create := func() { s.As("eve").Create(story.ConfigMapIn("settings", `data: {done: "yes"}`)) }
	s.Run(
		resource.TestStep{
			Config: config(done, short) + "output \"ready\" {\n  value = k8sconnect_wait.test.ready\n}\n",
			ExpectError: story.Saying("Object Not Ready", "settings (v1) does not exist. The apply waited ≤4s for it.", "Nothing is stored in the state.",
				"Correct target, find out why nobody has created the object, or raise the timeouts."),
		},
		resource.TestStep{
			PreConfig:         create,
			Config:            config(done),
			ConfigPlanChecks:  story.PlanChecks(waitPlans(plancheck.ResourceActionCreate)...),
			ConfigStateChecks: waitHas(true, nil),
		},
		resource.TestStep{
			Config: config(`fields = { "data.done" = "never" }`, short),
			ExpectError: story.Saying("Object Not Ready", "was not ready after ≤4s", "Field data.done does not have the expected value yet.",
				"The state is as it was before", "Find out what the object waits for, or raise the timeouts."),
		},
		resource.TestStep{Config: config(done), ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan()), ConfigStateChecks: waitHas(true, nil)},
		resource.TestStep{
			Config:            config(`until = "exists"`),
			ConfigPlanChecks:  story.PlanChecks(waitPlans(plancheck.ResourceActionUpdate)...),
			ConfigStateChecks: waitHas(true, nil),
		},
	)
}

// With on_failure = "report" the state says that the object is not ready, a postcondition fails the run, and nothing is tainted. Each
// apply waits again until a read finds the object ready.
func TestWaitResourceThatReports(t *testing.T) {
	s := story.New(t)
	m := s.Meter()
	const get, missing, watch = "get configmaps NS/settings 200", "get configmaps NS/settings 404", "watch configmaps NS/settings 200"
	config := func(arguments ...string) string {
		return waitConfig(s, story.SettingsTarget, append(arguments, done, `exports = { done = "data.done" }`, `on_failure = "report"`, waitTimeouts("6s"))...)
	}
	s.Run(
		resource.TestStep{
			PreConfig:          m.Start,
			Config:             config(),
			ConfigStateChecks:  waitHas(false, map[string]string{"done": ""}),
			Check:              story.LiveChecks(m.Applies(missing, watch), func(*terraform.State) error { return s.Warned("Object Not Ready", "does not exist") }),
			ExpectNonEmptyPlan: true,
		},
		resource.TestStep{
			PreConfig:   s.NextStep(func() { s.As("eve").Create(story.ConfigMapIn("settings", `data: {a: "1"}`)) }),
			Config:      config("lifecycle {\n postcondition {\n  condition = self.ready\n  error_message = \"Not yet.\"\n }\n}"),
			ExpectError: story.Saying("Resource postcondition failed"),
		},
		resource.TestStep{
			PreConfig:          func() { s.NextStep()(); m.Start() },
			Config:             config(),
			ConfigPlanChecks:   story.PlanChecks(waitPlans(plancheck.ResourceActionUpdate)...),
			ConfigStateChecks:  waitHas(false, map[string]string{"done": ""}),
			Check:              m.Applies(get, get, watch, "list events NS 200"),
			ExpectNonEmptyPlan: true,
		},
		resource.TestStep{
			PreConfig: func() {
				s.NextStep(func() { s.As("eve").Patch(story.SettingsTarget, `{"data": {"done": "yes"}}`) })()
				m.Start()
			},
			Config:            config(),
			ConfigPlanChecks:  story.PlanChecks(plancheck.ExpectEmptyPlan()),
			ConfigStateChecks: waitHas(true, map[string]string{"done": "yes"}),
			Check:             m.Applies(get),
		},
	)
}

// An object that is deleted and created again while the apply waits is followed: whatever has the name is waited for.
func TestWaitResourceForARecreatedObject(t *testing.T) {
	s := story.New(t)
	m := s.Meter()
	create := func() { s.As("eve").Create(story.ConfigMapIn("settings", `data: {a: "1"}`)) }
	remove := func() { s.As("eve").Remove(story.SettingsTarget) }
	finish := func() { s.As("eve").Patch(story.SettingsTarget, `{"data": {"done": "yes"}}`) }
	config := waitConfig(s, story.SettingsTarget, done, `exports = { done = "data.done" }`)
	s.Run(
		resource.TestStep{
			PreConfig:        create,
			Config:           waitConfig(s, story.SettingsTarget, done, waitTimeouts("15s")),
			ConfigPlanChecks: story.PlanChecks(s.OnceWatched("configmaps", 0, remove)),
			ExpectError:      story.Saying("Object Not Ready", "it was deleted while the apply waited for it", "Nothing is stored in the state."),
		},
		resource.TestStep{
			PreConfig:         func() { create(); m.Start() },
			Config:            config,
			ConfigPlanChecks:  story.PlanChecks(s.OnceWatched("configmaps", soon, remove, create, finish)),
			ConfigStateChecks: waitHas(true, map[string]string{"done": "yes"}),
			Check:             m.Applies("get configmaps NS/settings 200", "watch configmaps NS/settings 200"),
		},
		resource.TestStep{ // Gone: the next apply waits for it again, and the values are unknown.
			PreConfig:         remove,
			Config:            config,
			ConfigPlanChecks:  story.PlanChecks(append(waitPlans(plancheck.ResourceActionCreate), s.WhileApplying(soon, create, finish))...),
			ConfigStateChecks: waitHas(true, map[string]string{"done": "yes"}),
		},
		resource.TestStep{ // Another target is another wait.
			PreConfig:        func() { s.As("eve").Create(story.ConfigMapIn("other", `data: {done: "yes"}`)) },
			Config:           strings.Replace(config, `"settings"`, `"other"`, 1),
			ConfigPlanChecks: story.PlanChecks(waitPlans(plancheck.ResourceActionDestroyBeforeCreate)...),
		},
	)
}

// A user who may not watch is told so once, and the wait reads the object from time to time.
func TestWaitResourceWithoutTheVerbWatch(t *testing.T) {
	s := story.New(t)
	create := func() { s.As("eve").Create(story.ConfigMapIn("settings", `data: {done: "yes"}`)) }
	config := waitConfig(s, story.SettingsTarget, `cluster = { config_path = "`+withoutWatch(s)+`" }`)
	s.Run(resource.TestStep{
		Config:            config,
		ConfigPlanChecks:  story.PlanChecks(s.OnceWatched("configmaps", 0, create)),
		ConfigStateChecks: waitHas(true, nil),
		Check:             func(*terraform.State) error { return s.Warned("Watch Not Allowed", "Allow the verb watch") },
	})
}

// No request is sent while the connection or the target is unknown. Two waits run at the same time.
func TestWaitResourceForWhatIsUnknownAtPlan(t *testing.T) {
	s := story.New(t)
	m := s.Meter()
	s.As("eve").Create(story.Settings)
	connection := "provider \"k8sconnect\" {\n  cluster = { kubeconfig = terraform_data.kubeconfig.output }\n}\n" +
		story.Later("kubeconfig", string(story.ControlPlane().Kubeconfig())) + story.Later("name", "other")
	named := strings.Replace(waitBlock(s, "other", "v1 ConfigMap other"), `"other" }`, "terraform_data.name.output }", 1)
	s.Run(resource.TestStep{
		PreConfig:         m.Start,
		Config:            connection + waitBlock(s, "test", story.SettingsTarget, `exports = { mode = "data.mode" }`) + named,
		ConfigPlanChecks:  story.PlanChecks(append(waitPlans(plancheck.ResourceActionCreate), m.Plans(), s.OnceWatched("configmaps", 0, func() { s.As("eve").Create(story.ConfigMapIn("other", "data: {}")) }))...),
		ConfigStateChecks: waitHas(true, map[string]string{"mode": "on"}),
		Check:             m.Applies("get configmaps NS/settings 200", "get configmaps NS/other 404", "watch configmaps NS/other 200"),
	})
}

// What cannot be waited for, and secret values, are refused before any request. A kind that no CustomResourceDefinition can add is not
// waited for.
func TestWaitResourceRefuses(t *testing.T) {
	s := story.New(t)
	s.Run(
		resource.TestStep{
			Config:      waitConfig(s, story.Web, `until = "exists"`, `conditions = { Available = "True" }`),
			ExpectError: story.Saying("Invalid Wait", `until: conditions or fields say already what to wait for`),
		},
		resource.TestStep{
			Config:      waitConfig(s, story.Web, `fields = { "spec[" = "1" }`),
			ExpectError: story.Saying("Invalid Wait", `fields["spec["]`),
		},
		resource.TestStep{
			Config:      waitConfig(s, story.Web, `conditions = { Available = null }`),
			ExpectError: story.Saying("Invalid Wait", `conditions["Available"]: the value is null. Remove it, or write a value.`),
		},
		resource.TestStep{
			Config:      waitConfig(s, "v1 Secret token", `exports = { token = "data.token" }`),
			ExpectError: story.Saying("Secret Value Exported", `exports["token"]: the field is secret`, "Move the name to sensitive_exports."),
		},
		resource.TestStep{
			Config:      waitConfig(s, "apps/v1 Deploymnt web"),
			ExpectError: story.Saying("Kind Not Served", "Deploymnt", "/web (apps/v1)", "apps/v1 Deployment. Correct target."),
		},
	)
}
