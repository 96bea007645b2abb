package acceptance_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// expectReady asserts the attribute ready in the state.
func expectReady(want bool) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(story.Address, tfjsonpath.New("ready"), knownvalue.Bool(want))
}

var readyUnknown = plancheck.ExpectUnknownValue(story.Address, tfjsonpath.New("ready"))

// An apply with a wait ends when the rollout is done: one WATCH more. A plan without changes sends nothing more.
func TestWaitForARollout(t *testing.T) {
	s := story.New(t)
	m := s.Meter()
	const get, try, patch, watch = "get deployments NS/web 200", "patch deployments NS/web dry-run 200", "patch deployments NS/web 200", "watch deployments NS/web 200"
	const tried, create = "patch deployments NS/web dry-run 201", "patch deployments NS/web 201"
	rolledOut := s.ExpectLive(story.Web, map[string]any{"status.availableReplicas": 3, "status.updatedReplicas": 3})
	config := func(image string) string {
		return s.Config(strings.Replace(story.Deployment, "nginx:1.25", image, 1), "wait = {}", `exports = { available = "status.availableReplicas" }`)
	}
	s.Run(
		resource.TestStep{
			PreConfig:         m.Start,
			Config:            config("nginx:1.25"),
			ConfigPlanChecks:  story.PlanChecks(readyUnknown),
			ConfigStateChecks: story.StateChecks(expectReady(true), story.ExpectState(valuesAttribute, "available: 3")),
			Check:             story.LiveChecks(rolledOut, m.Applies(tried, tried, create, watch)),
		},
		resource.TestStep{
			PreConfig: m.Start, Config: config("nginx:1.25"),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan()), Check: m.Applies(get),
		},
		resource.TestStep{
			PreConfig:         func() { s.NextStep()(); m.Start() },
			Config:            config("nginx:1.26"),
			ConfigPlanChecks:  story.PlanChecks(readyUnknown),
			ConfigStateChecks: story.StateChecks(expectReady(true)),
			Check:             story.LiveChecks(rolledOut, m.Applies(get, try, try, patch, watch)),
		},
		s.Noop(config("nginx:1.26")),
		resource.TestStep{
			Config:            s.Config(strings.Replace(story.Deployment, "nginx:1.25", "nginx:1.26", 1)),
			ConfigStateChecks: story.StateChecks(statecheck.ExpectKnownValue(story.Address, tfjsonpath.New("ready"), knownvalue.Null())),
		},
	)
}

// An address that a controller writes later is in the state of the apply that waits for it.
func TestWaitForAField(t *testing.T) {
	s := story.New(t)
	const target, ip = "v1 Service web", "status.loadBalancer.ingress[0].ip"
	config := s.Config("apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: NS}\nspec: {type: LoadBalancer, ports: [{port: 80}]}\n",
		fmt.Sprintf("wait = { fields = { %q = \"*\" } }", ip), fmt.Sprintf("exports = { ip = %q }", ip))
	s.Run(
		resource.TestStep{
			Config: config,
			ConfigPlanChecks: story.PlanChecks(s.OnceWatched("services", 0, func() {
				s.As("cloud").Patch(target, `{"status": {"loadBalancer": {"ingress": [{"ip": "10.0.0.1"}]}}}`, "status")
			})),
			ConfigStateChecks: story.StateChecks(expectReady(true), story.ExpectState(valuesAttribute, "ip: 10.0.0.1")),
		},
		s.Noop(config),
	)
}

// A wait that fails reports why. With on_failure = "report" the object is not tainted, and the next apply waits again without a PATCH.
func TestWaitThatFails(t *testing.T) {
	s := story.New(t)
	m := s.Meter()
	const get, watch = "get configmaps NS/settings 200", "watch configmaps NS/settings 200"
	config := func(arguments ...string) string {
		return s.Config(story.ConfigMapIn("settings", `data: {a: "1"}`), arguments...)
	}
	const limit = "timeouts {\n create = \"6s\"\n update = \"6s\"\n}"
	const wait = `wait = { fields = { "data.done" = "yes" }, on_failure = "report" }`
	s.Run(
		resource.TestStep{
			Config:             config(wait, limit),
			ConfigPlanChecks:   story.PlanChecks(readyUnknown),
			ConfigStateChecks:  story.StateChecks(expectReady(false)),
			ExpectNonEmptyPlan: true,
		},
		resource.TestStep{
			PreConfig:          m.Start,
			Config:             config(wait, limit),
			ConfigPlanChecks:   story.PlanChecks(readyUnknown, plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate)),
			ExpectNonEmptyPlan: true,
			Check:              m.Applies(get, get, watch, "list events NS 200"),
		},
		resource.TestStep{ // Somebody has made it ready: the next read sees that.
			PreConfig:         s.NextStep(func() { s.As("eve").Patch(story.SettingsTarget, `{"data": {"done": "yes"}}`) }),
			Config:            config(wait, limit),
			ConfigPlanChecks:  story.PlanChecks(plancheck.ExpectEmptyPlan()),
			ConfigStateChecks: story.StateChecks(expectReady(true)),
		},
		resource.TestStep{ // A failed update keeps the prior state.
			Config: strings.Replace(config(`wait = { fields = { "data.done" = "never" } }`, limit), `a: "1"`, `a: "2"`, 1),
			ExpectError: story.Saying("Object Not Ready", "was not ready after ≤6s", "Field data.done does not have the expected value yet.",
				"the next plan has the change again"),
		},
		resource.TestStep{
			Config:            strings.Replace(config(`wait = { fields = { "data.done" = "yes" } }`), `a: "1"`, `a: "2"`, 1),
			ConfigPlanChecks:  story.PlanChecks(plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate), readyUnknown),
			ConfigStateChecks: story.StateChecks(expectReady(true)),
		},
	)
}

// Back to the old value after a wait that failed: the value of the failed apply is ours, and no other configuration has written it. A
// later write under our name is one of another configuration.
func TestBackAfterAFailedWait(t *testing.T) {
	s := story.New(t)
	config := func(value string, more ...string) string {
		return s.Config(story.ConfigMapIn("settings", `data: {a: "`+value+`"}`), append(more, `wait = { fields = { "data.a" = "good" } }`)...)
	}
	fails := resource.TestStep{
		PreConfig: func() { time.Sleep(1100 * time.Millisecond) }, // managedFields have times of whole seconds.
		Config:    config("bad", "timeouts {\n update = \"6s\"\n}"), ExpectError: story.Saying("Object Not Ready", "the next plan has the change again"),
	}
	s.Run(
		resource.TestStep{Config: config("good")},
		fails,
		resource.TestStep{
			PreConfig:        s.NextStep(),
			Config:           config("good"),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate), s.ExpectNoWarningBut("sets back a field")),
		},
		fails,
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				time.Sleep(1100 * time.Millisecond)
				s.As("k8sconnect").Apply(story.ConfigMapIn("settings", `data: {a: other}`))
			}),
			Config:           config("good"),
			ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays("Field Manager Used Twice")),
		},
	)
}

// A rollout that cannot succeed ends the wait early. A create that failed is tainted; untainted, it waits again without a PATCH.
func TestWaitForAHopelessRollout(t *testing.T) {
	s := story.New(t)
	s.ForbidPods()
	w := s.Workspace()
	w.Configure(s.Manifest("test", story.Deployment, "wait = {}"))
	printed, err := w.Try("apply", "-auto-approve", "-no-color")
	said := strings.Join(strings.Fields(printed), " ")
	if err == nil {
		t.Fatalf("the apply has not failed:\n%s", printed)
	}
	for _, want := range []string{"Object Not Ready", "cannot become ready", "exceeded quota", "The next apply keeps the object"} {
		if !strings.Contains(said, want) {
			t.Errorf("the apply does not say %q:\n%s", want, printed)
		}
	}
	if plan := w.Exits(story.Changes, "plan", "-detailed-exitcode", "-no-color"); !strings.Contains(plan, "is tainted, so ") {
		t.Errorf("the resource is not tainted:\n%s", plan)
	}
	w.Do("untaint", story.Address)
	s.As("admin").Remove("v1 ResourceQuota none")
	version := s.Live(story.Web).GetGeneration()
	w.Do("apply", "-auto-approve")
	w.Exits(story.Nothing, "plan", "-detailed-exitcode")
	story.Must(t, s.ExpectLive(story.Web, map[string]any{"status.availableReplicas": 3})(nil))
	if live := s.Live(story.Web); live.GetGeneration() != version {
		t.Errorf("the object has generation %d, and had %d", live.GetGeneration(), version)
	}
	w.Do("destroy", "-auto-approve")
}

func TestBadWaits(t *testing.T) {
	s := story.New(t)
	s.Run(
		resource.TestStep{
			Config:      s.Config(story.ConfigMap, `wait = { conditions = { Ready = "yes" } }`),
			ExpectError: story.Saying("Invalid Wait", `wait.conditions["Ready"]: "yes" is not a status`, `Write "True", "False" or "Unknown".`),
		},
		resource.TestStep{
			Config:      s.Config(story.ConfigMap, `wait = { fields = { "status[" = "x" } }`),
			ExpectError: story.Saying("Invalid Wait", `wait.fields["status["]`),
		},
		resource.TestStep{
			Config:      s.Config(story.ConfigMap, `wait = { until = "ready", fields = { "status" = "x" } }`),
			ExpectError: story.Saying("Invalid Wait", "Remove one of them."),
		},
		resource.TestStep{
			Config:      s.Config(story.ConfigMap, `wait = { fields = { "status.phase" = null } }`),
			ExpectError: story.Saying("Invalid Wait", `wait.fields["status.phase"]: the value is null. Remove it, or write a value.`),
		},
		resource.TestStep{
			Config:      s.Config(story.ConfigMap, `wait = { until = "done" }`),
			ExpectError: story.Saying("Invalid Attribute Value", "wait.until"),
		},
	)
}

// The timeout of the configuration is for the whole apply: a wait has what is left of it.
func TestTimeoutIsForTheWholeApply(t *testing.T) {
	s := story.New(t)
	late := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: NS-late}\ndata: {a: '1'}\n"
	s.Run(resource.TestStep{
		Config:           s.Config(late, `wait = { fields = { "data.done" = "yes" } }`, "timeouts {\n create = \"20s\"\n}"),
		ConfigPlanChecks: story.PlanChecks(s.WhileApplying(3*time.Second, func() { s.As("admin").Create("apiVersion: v1\nkind: Namespace\nmetadata: {name: NS-late}\n") })),
		ExpectError:      regexp.MustCompile(`was\s+not\s+ready\s+after\s+(?:[1-9]|1[0-7])s\.`),
	})
}

// The wait of a create fails, and holds before the next apply: that one ends well, and keeps the object. This is so whatever the
// resource, with a refresh and without.
func TestWaitThatHoldsLater(t *testing.T) {
	t.Parallel()
	const wait = "wait = { fields = { \"data.done\" = \"yes\" } }\n"
	for name, block := range map[string]func(s *story.Story, wait string) string{
		"manifest": func(s *story.Story, wait string) string { return s.Manifest("test", story.Settings, wait) },
		"set": func(s *story.Story, wait string) string {
			return s.Expand("resource \"k8sconnect_manifests\" \"test\" {\nmanifests = { a = <<-Y\n" + story.Settings + "\nY\n}\n" + wait + "}\n")
		},
		"patch": func(s *story.Story, wait string) string {
			return s.PatchBlock("test", story.SettingsTarget, "data: {a: ours}", wait)
		},
		"patch that restores": func(s *story.Story, wait string) string {
			body := "data: {a: ours, level: ours}"
			if !strings.Contains(wait, "timeouts") {
				body = "data: {b: ours, level: ours}"
			}
			return s.PatchBlock("test", story.SettingsTarget, body, wait, `on_destroy = "restore"`)
		},
	} {
		isPatch := strings.HasPrefix(name, "patch")
		for _, refresh := range []string{"-refresh=true", "-refresh=false"} {
			if name == "patch that restores" && refresh == "-refresh=false" {
				continue // Nothing tells the destroy half the values from before.
			}
			t.Run(name+", "+refresh, func(t *testing.T) {
				s := story.New(t)
				w := s.HostedWorkspace()
				if isPatch {
					s.As("bob").Create(story.Settings)
				}
				w.Configure(block(s, wait+"timeouts {\n create = \"6s\"\n}\n"))
				if out := w.Exits(story.Refused, "apply", "-auto-approve"); !strings.Contains(out, "Object Not Ready") {
					t.Errorf("the apply does not wait:\n%s", out)
				}
				uid := s.Live(story.SettingsTarget).GetUID()
				s.As("eve").Patch(story.SettingsTarget, `{"data": {"done": "yes"}}`)
				w.Configure(block(s, wait))
				if out := w.Do("apply", "-auto-approve", refresh); strings.Contains(out, "Object Was Recreated") {
					t.Errorf("the apply takes the object for another one:\n%s", out)
				}
				w.Do("plan", "-detailed-exitcode")
				if now := s.Live(story.SettingsTarget).GetUID(); now != uid {
					t.Errorf("the object was created again: %s is now %s", uid, now)
				}
				w.Do("destroy", "-auto-approve")
				if isPatch {
					story.Must(t, s.ExpectLiveJSON(story.SettingsTarget, `{"done":"yes","level":"1","mode":"on"}`, "data")(nil))
				}
			})
		}
	}
}
