package acceptance_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// waitAddress is the resource of waitConfig.
const waitAddress = "k8sconnect_wait.test"

// waitConfig returns a configuration with one resource k8sconnect_wait.test of target, which is written as in "apps/v1 Deployment
// web" and lies in the namespace of the story.
func waitConfig(s *story.Story, target string, arguments ...string) string {
	return s.ProviderBlock() + waitBlock(s, "test", target, arguments...)
}

func waitBlock(s *story.Story, name, target string, arguments ...string) string {
	apiVersion, kind, object := s.Split(target)
	return fmt.Sprintf("resource \"k8sconnect_wait\" %q {\n  target = { api_version = %q, kind = %q, namespace = %q, name = %q }\n  %s\n}\n",
		name, apiVersion, kind, s.Namespace, object, strings.Join(arguments, "\n  "))
}

// waitTimeouts is a block of timeouts.
func waitTimeouts(limit string) string {
	return fmt.Sprintf("timeouts {\n create = %q\n update = %[1]q\n}", limit)
}

// soon is the pause before other managers write while the apply waits.
const soon = 2 * time.Second

// waitHas asserts ready and values of k8sconnect_wait.test; "" means null.
func waitHas(ready bool, values map[string]string) []statecheck.StateCheck {
	checks := map[string]knownvalue.Check{}
	for name, value := range values {
		checks[name] = knownvalue.StringExact(value)
		if value == "" {
			checks[name] = knownvalue.Null()
		}
	}
	all := []statecheck.StateCheck{statecheck.ExpectKnownValue(waitAddress, tfjsonpath.New("ready"), knownvalue.Bool(ready))}
	if len(values) > 0 {
		all = append(all, statecheck.ExpectKnownValue(waitAddress, tfjsonpath.New("values"), knownvalue.MapExact(checks)))
	}
	return all
}

// waitPlans asserts that the plan waits, and with which action.
func waitPlans(action plancheck.ResourceActionType) []plancheck.PlanCheck {
	return []plancheck.PlanCheck{
		plancheck.ExpectResourceAction(waitAddress, action), plancheck.ExpectUnknownValue(waitAddress, tfjsonpath.New("ready")),
	}
}

// An object that another client creates later: a GET, and one WATCH. A plan without changes reads the values with one
// GET, and sends nothing without any. A destroy does nothing.
func TestWaitResourceForAnObject(t *testing.T) {
	s := story.New(t)
	m := s.Meter()
	const get = "get configmaps NS/settings 200"
	create := func() { s.As("eve").Create(story.ConfigMapIn("settings", `data: {a: "1"}`)) }
	config := waitConfig(s, story.SettingsTarget, `exports = { a = "data.a", none = "data.none" }`)
	silent := waitConfig(s, story.SettingsTarget)
	s.Run(
		resource.TestStep{
			PreConfig:         m.Start,
			Config:            config,
			ConfigPlanChecks:  story.PlanChecks(append(waitPlans(plancheck.ResourceActionCreate), m.Plans(), s.OnceWatched("configmaps", 0, create))...),
			ConfigStateChecks: waitHas(true, map[string]string{"a": "1", "none": ""}),
			Check:             m.Applies("get configmaps NS/settings 404", "watch configmaps NS/settings 200"),
		},
		resource.TestStep{
			PreConfig: m.Start, Config: config, ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan()), Check: m.Applies(get),
		},
		resource.TestStep{ // A read shows what others made of the values.
			PreConfig:         func() { s.As("eve").Patch(story.SettingsTarget, `{"data": {"a": "2"}}`) },
			Config:            config,
			ConfigPlanChecks:  story.PlanChecks(plancheck.ExpectEmptyPlan()),
			ConfigStateChecks: waitHas(true, map[string]string{"a": "2", "none": ""}),
		},
		resource.TestStep{ // What is done after a failure is no reason to wait.
			PreConfig:        m.Start,
			Config:           waitConfig(s, story.SettingsTarget, `exports = { a = "data.a", none = "data.none" }`, `on_failure = "report"`, waitTimeouts("9m")),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectResourceAction(waitAddress, plancheck.ResourceActionUpdate), plancheck.ExpectKnownValue(waitAddress, tfjsonpath.New("ready"), knownvalue.Bool(true))),
			Check:            m.Applies(get),
		},
		resource.TestStep{ // The values are handed on no more: the apply waits again, with one GET after that of the read.
			PreConfig:        m.Start,
			Config:           silent,
			ConfigPlanChecks: story.PlanChecks(waitPlans(plancheck.ResourceActionUpdate)...),
			Check:            m.Applies(get, get),
		},
		resource.TestStep{
			PreConfig: m.Start, Config: silent, ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan()), Check: m.Applies(),
		},
		resource.TestStep{
			PreConfig: m.Start, Config: silent, Destroy: true, Check: story.LiveChecks(m.Applies(), s.ExpectLive(story.SettingsTarget, map[string]any{"data.a": "2"})),
		},
	)
}

// The namespace of the object, and its kind, may come later too. While the kind is missing, the provider asks for it with growing
// pauses.
func TestWaitResourceForAKindAndANamespace(t *testing.T) {
	s := story.New(t)
	s.As("eve").Create(story.Settings)
	m, mark := s.Meter(), story.AuditLog(t).Mark()
	t.Cleanup(s.DropDefinition)
	inner := strings.Replace(waitBlock(s, "inner", story.SettingsTarget), fmt.Sprintf("%q, name", s.Namespace), fmt.Sprintf("%q, name", s.Namespace+"-inner"), 1)
	s.Run(resource.TestStep{
		PreConfig: m.Start,
		Config:    waitConfig(s, "NS.example.com/v1 Widget web", `exports = { size = "spec.size" }`, waitTimeouts("60s")) + inner,
		ConfigPlanChecks: story.PlanChecks(s.WhileApplying(
			soon,
			func() {
				s.As("eve").Create(story.InnerNamespace)
				s.As("eve").Create(strings.Replace(story.Settings, "namespace: NS", "namespace: NS-inner", 1))
			},
			func() { s.InstallKind(story.WidgetDefinition) },
			func() { s.As("eve").Create(story.WidgetHere) },
		)),
		ConfigStateChecks: waitHas(true, map[string]string{"size": "3"}),
	})
	isDiscovery := func(r testcluster.Request) bool { return strings.HasPrefix(r.URI, "/apis") && r.Resource == "" }
	loads, err := story.AuditLog(t).Since(mark, testcluster.ByUserAgent("/"+s.UserAgent), isDiscovery)
	story.Must(t, err)
	if len(loads) < 2 || len(loads) > 20 {
		t.Errorf("discovery was read %d times", len(loads))
	}
	for _, line := range m.Lines() {
		if strings.HasPrefix(line, "list ") || strings.HasPrefix(line, "patch ") {
			t.Errorf("the wait sent %s", line)
		}
	}
}

// A condition that a controller sets later, and a rollout: what ready means is that of wait.
func TestWaitResourceForConditions(t *testing.T) {
	s := story.New(t)
	m := s.Meter()
	create := func() { s.As("eve").Create(story.Deployment) }
	s.Run(
		resource.TestStep{
			PreConfig:         m.Start,
			Config:            waitConfig(s, story.Web, `conditions = { Available = "True" }`, `exports = { available = "status.conditions[type=\"Available\"].status" }`),
			ConfigPlanChecks:  story.PlanChecks(s.OnceWatched("deployments", 0, create)),
			ConfigStateChecks: waitHas(true, map[string]string{"available": "True"}),
			Check:             m.Applies("get deployments NS/web 404", "watch deployments NS/web 200"),
		},
		resource.TestStep{ // Another condition: the wait begins again, and finds the object ready.
			PreConfig:         m.Start,
			Config:            waitConfig(s, story.Web, `exports = { available = "status.availableReplicas" }`),
			ConfigPlanChecks:  story.PlanChecks(waitPlans(plancheck.ResourceActionUpdate)...),
			ConfigStateChecks: waitHas(true, map[string]string{"available": "3"}),
			Check:             m.Applies("get deployments NS/web 200", "get deployments NS/web 200"),
		},
	)
}

// The wait runs again when its triggers change, for example with the manifest from which a controller makes the object.
func TestWaitResourceWithTriggers(t *testing.T) {
	s := story.New(t)
	m := s.Meter()
	config := func(image string) string {
		return s.Config(strings.Replace(story.Deployment, "nginx:1.25", image, 1)) +
			waitBlock(s, "test", story.Web, "triggers = k8sconnect_manifest.test.managed_state", `exports = { updated = "status.updatedReplicas" }`)
	}
	var requests []string
	s.Run(
		resource.TestStep{Config: config("nginx:1.25"), ConfigStateChecks: waitHas(true, map[string]string{"updated": "3"})},
		resource.TestStep{
			PreConfig:         func() { s.NextStep()(); m.Start() },
			Config:            config("nginx:1.26"),
			ConfigPlanChecks:  story.PlanChecks(waitPlans(plancheck.ResourceActionUpdate)...),
			ConfigStateChecks: waitHas(true, map[string]string{"updated": "3"}),
			Check: story.LiveChecks(
				s.ExpectLive(story.Web, map[string]any{"status.availableReplicas": 3, "status.updatedReplicas": 3}),
				story.Eventually("the requests are known", func() bool { requests = m.Lines(); return true }),
			),
		},
	)
	if got := strings.Count(strings.Join(requests, "\n"), "watch deployments"); got != 1 {
		t.Errorf("%d watches:\n%s", got, strings.Join(requests, "\n"))
	}
}

// Secret values are handed on as sensitive ones. They are in no warning and in no error.
func TestWaitResourceForASecret(t *testing.T) {
	s := story.New(t)
	create := func() {
		s.As("eve").Create("{apiVersion: v1, kind: Secret, metadata: {name: token, namespace: NS}, stringData: {a: hunter2}}")
	}
	s.Run(
		resource.TestStep{
			Config:           waitConfig(s, "v1 Secret token", `fields = { "data.a" = "*" }`, `sensitive_exports = { token = "data.a" }`, `exports = { type = "type" }`),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectSensitiveValue(waitAddress, tfjsonpath.New("sensitive_values")), s.WhileApplying(soon, create)),
			ConfigStateChecks: append(waitHas(true, map[string]string{"type": "Opaque"}),
				statecheck.ExpectKnownValue(waitAddress, tfjsonpath.New("sensitive_values").AtMapKey("token"), knownvalue.StringExact("aHVudGVyMg=="))),
		},
		resource.TestStep{
			Config:      waitConfig(s, "v1 Secret token", `fields = { "data.a" = "never" }`, `sensitive_exports = { token = "data.a" }`, waitTimeouts("6s")),
			ExpectError: story.Saying("Object Not Ready", "Field data.a does not have the expected value yet."),
		},
	)
	for _, said := range s.Provider.Everything() {
		if strings.Contains(said, "hunter2") || strings.Contains(said, "aHVudGVyMg") {
			t.Errorf("the provider said %q", said)
		}
	}
}
