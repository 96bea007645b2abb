package acceptance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const passwords = "v1 ConfigMap passwords"

// passwordsWith returns a ConfigMap with these data, in flow style.
func passwordsWith(data string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: passwords, namespace: NS}\ndata: {" + data + "}\n"
}

// Values at sensitive paths show as digests, drift of them shows, and their neighbours stay readable.
func TestSensitiveFieldsStayUndisclosed(t *testing.T) {
	s := story.New(t)
	body := passwordsWith("password: " + planted + ", mode: on-duty")
	arguments := `sensitive_fields = ["data.password"]`
	hidden := s.ExpectRedacted(planted, edited)
	s.Run(
		resource.TestStep{
			Config: s.Config(body, arguments),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOwner("data.password", story.Absent, "k8sconnect"),
				story.ExpectValue("data.password", story.Absent, story.Absent),
				story.ExpectValue("data.mode", story.Absent, "on-duty"),
				s.ExpectPrediction(body), hidden,
			),
			ConfigStateChecks: story.StateChecks(expectSecretDigest("data.password"), s.ExpectStateRedacted(planted)),
			Check:             s.ExpectLive(passwords, map[string]any{"data.password": planted}),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("kubectl-edit").Patch(passwords, fmt.Sprintf(`{"data":{"password":%q}}`, edited))
			}),
			Config: s.Config(body, arguments),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				story.ExpectOwner("data.password", "kubectl-edit", "k8sconnect"),
				s.ExpectPrediction(body), hidden,
				s.ExpectWarning("takes back a field", "data.password: \"(sensitive, hmac-sha256:"),
			),
			ConfigStateChecks: story.StateChecks(expectSecretDigest("data.password"), s.ExpectStateRedacted(planted, edited)),
			Check:             s.ExpectLive(passwords, map[string]any{"data.password": planted}),
		},
	)
}

// sensitive_fields that come or go change what the attributes show, and nothing else.
func TestSensitiveFieldsComeAndGo(t *testing.T) {
	s := story.New(t)
	body := passwordsWith("password: " + planted + ", mode: on-duty")
	s.As("tuner").Create(passwordsWith("mode: on-duty"))
	s.As("tuner").Remove(passwords)
	s.Run(
		resource.TestStep{
			Config:            s.Config(body),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, "data.password: "+planted)),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("tuner").Apply(passwordsWith("password: " + planted)) }),
			Config:    s.Config(body, `sensitive_fields = ["data.password"]`),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				story.ExpectOnly(story.FieldOwnership), story.ExpectOnly(story.CoOwners),
				story.ExpectOnly(story.ManagedState, "data.password: "+planted+" -> "+story.Absent),
				s.ExpectPrediction(body), s.ExpectNoWarning(),
			),
			ConfigStateChecks: story.StateChecks(
				expectSecretDigest("data.password"), s.ExpectStateRedacted(planted),
				story.ExpectState(story.CoOwners, "data.password: [k8sconnect tuner]"),
			),
		},
		resource.TestStep{
			Config: s.Config(body, `sensitive_fields = ["data"]`),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				story.ExpectOnly(story.FieldOwnership), story.ExpectOnly(story.CoOwners), s.ExpectPrediction(body), s.ExpectNoWarning(),
			),
			ConfigStateChecks: story.StateChecks(expectSecretDigest("data.password"), expectSecretDigest("data.mode")),
		},
		resource.TestStep{
			Config: s.Config(body),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				story.ExpectOnly(story.FieldOwnership), story.ExpectOnly(story.CoOwners), s.ExpectPrediction(body), s.ExpectNoWarning(),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, "data.password: "+planted, "data.mode: on-duty")),
		},
	)
}

// A secret that is a member of a set, or a key of list items, is in the text of paths. The field that holds the list
// stands for its items, in the attributes; the items of other managers still count one by one.
func TestSensitiveListItemsStayUndisclosed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		pattern, list       string
		ours, theirs, after string
	}{
		"members of a set": {
			pattern: "spec.colours", list: "spec.colours",
			ours: "colours: [" + planted + ", red]", theirs: "colours: [" + edited + ", red]", after: "colours: [" + planted + "]",
		},
		"any member of a set": {
			pattern: "spec.colours[*]", list: "spec.colours",
			ours: "colours: [" + planted + ", red]", theirs: "colours: [" + edited + ", red]", after: "colours: [" + planted + "]",
		},
		"a member by its position": {
			pattern: "spec.colours[1]", list: "spec.colours",
			ours: "colours: [" + planted + ", red]", theirs: "colours: [" + edited + ", red]", after: "colours: [" + planted + "]",
		},
		"keys of list items": {
			pattern: "spec.routes[*].host", list: "spec.routes",
			ours:   "routes: [{host: " + planted + ", weight: 1}, {host: shared, weight: 2}]",
			theirs: "routes: [{host: " + edited + ", weight: 3}, {host: shared, weight: 2}]",
			after:  "routes: [{host: " + planted + ", weight: 4}]",
		},
		"an atomic list": {
			pattern: "spec.steps[0]", list: "spec.steps",
			ours: "steps: [" + planted + "]", theirs: "colours: [" + "blue" + "]", after: "steps: [" + edited + "]",
		},
		"a part of an atomic map": {
			pattern: "spec.limits.password", list: "spec.limits",
			ours: "limits: {password: " + planted + "}", theirs: "colours: [" + "blue" + "]", after: "limits: {password: " + edited + "}",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.InstallGadgets()
			arguments := fmt.Sprintf(`sensitive_fields = [%q]`, test.pattern)
			hidden := s.ExpectRedacted(planted, edited)
			s.Run(
				resource.TestStep{
					Config:            s.Config(story.Gadget(test.ours), arguments),
					ConfigPlanChecks:  story.PlanChecks(story.ExpectOwner(test.list, story.Absent, "k8sconnect"), hidden),
					ConfigStateChecks: story.StateChecks(expectSecretDigest(test.list), s.ExpectStateRedacted(planted, edited)),
				},
				s.Noop(s.Config(story.Gadget(test.ours), arguments)),
				resource.TestStep{
					PreConfig:         s.NextStep(func() { s.As("tuner").Apply(story.Gadget(test.theirs)) }),
					Config:            s.Config(story.Gadget(test.ours), arguments),
					ConfigPlanChecks:  story.PlanChecks(plancheck.ExpectEmptyPlan()),
					ConfigStateChecks: story.StateChecks(expectSecretDigest(test.list), s.ExpectStateRedacted(planted, edited)),
				},
				resource.TestStep{
					Config: s.Config(story.Gadget(test.after), arguments),
					ConfigPlanChecks: story.PlanChecks(
						plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate), hidden,
					),
					ConfigStateChecks: story.StateChecks(expectSecretDigest(test.list), s.ExpectStateRedacted(planted, edited)),
				},
				// Terraform's two plans show the same names of items that are no longer secret.
				resource.TestStep{
					Config:           s.Config(story.Gadget(test.after)),
					ConfigPlanChecks: story.PlanChecks(plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate)),
				},
			)
		})
	}
}

// ignore_fields finds list items by keys that are secret, in both of Terraform's plans, even if the manifest leaves the
// key to the API server.
func TestSensitiveListItemsAreIgnored(t *testing.T) {
	t.Parallel()
	for name, pattern := range map[string]string{
		"by the secret key": `spec.ports[protocol=\"TCP\"]`, "by another key": "spec.ports[port=80]", "all items": "spec.ports",
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			const service = "{apiVersion: v1, kind: Service, metadata: {name: web, namespace: NS}, spec: {ports: [{port: 80, name: http}]}}"
			const secret = `sensitive_fields = ["spec.ports[*].protocol"]`
			ignoring := s.Config(service, secret, `ignore_fields = ["`+pattern+`"]`)
			s.Run(
				resource.TestStep{Config: s.Config(service, secret)},
				resource.TestStep{
					Config:           ignoring,
					ConfigPlanChecks: story.PlanChecks(plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate)),
				},
				s.Noop(ignoring),
			)
		})
	}
}

// A plan without a refresh finds them, too.
func TestSensitiveListItemsWithoutRefresh(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	const service = "{apiVersion: v1, kind: Service, metadata: {name: web, namespace: NS}, spec: {ports: [{port: 80, name: http}]}}"
	const secret = `sensitive_fields = ["spec.ports[*].protocol"]`
	w.Configure(s.Manifest("test", service, secret))
	w.Do("apply", "-auto-approve")
	w.Configure(s.Manifest("test", service, secret, `ignore_fields = ["spec.ports[port=80]"]`))
	w.Do("apply", "-auto-approve", "-refresh=false")
	w.Exits(story.Nothing, "plan", "-detailed-exitcode")
	w.Do("destroy", "-auto-approve")
}

// A path with a typo hides nothing, and says so.
func TestSensitiveFieldNotFound(t *testing.T) {
	s := story.New(t)
	s.Run(resource.TestStep{
		Config: s.Config(story.ConfigMap, `sensitive_fields = ["data.color"]`),
		ConfigPlanChecks: story.PlanChecks(s.ExpectOnlyWarning("Sensitive Field Not Found", "ConfigMap", `did you mean "data.colour"?`,
			`matches "data.color" in sensitive_fields, so nothing is hidden`)),
	})
}

// A selector by a field that is no key of the list hides the values of all items, in the plan and in the state.
func TestSensitiveFieldsOfItemsByNoKey(t *testing.T) {
	s := story.New(t)
	body := strings.Replace(roomy, "value: live", "value: "+planted, 1)
	const arguments = `sensitive_fields = ["spec.template.spec.containers[image=\"nginx:1.25\"].env[0].value"]`
	hidden := s.ExpectRedacted(planted, edited)
	s.Run(
		resource.TestStep{
			Config:            s.Config(body, arguments),
			ConfigPlanChecks:  story.PlanChecks(hidden, s.ExpectNoWarning()),
			ConfigStateChecks: story.StateChecks(expectSecretDigest(story.AppContainer+`.env[name="MODE"].value`), s.ExpectStateRedacted(planted)),
		},
		s.Noop(s.Config(body, arguments)),
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("kubectl-edit").StrategicPatch(story.Web, `{"spec":{"template":{"spec":{"containers":[{"name":"app","env":[{"name":"MODE","value":"`+edited+`"}]}]}}}}`)
			}),
			Config:            s.Config(body, arguments),
			ConfigPlanChecks:  story.PlanChecks(hidden, s.ExpectWarning("takes back a field")),
			ConfigStateChecks: story.StateChecks(s.ExpectStateRedacted(planted, edited)),
		},
	)
}

// What other managers write below a sensitive map between plan and apply is named, as in all attributes, without its
// value.
func TestSensitiveFieldsWrittenMeanwhile(t *testing.T) {
	s := story.New(t)
	body, after := passwordsWith("db-password: one, APP_KEY: one"), passwordsWith("db-password: one, APP_KEY: one, new: two")
	const arguments = `sensitive_fields = ["data"]`
	s.Run(
		resource.TestStep{Config: s.Config(body, arguments)},
		resource.TestStep{
			PreConfig: s.NextStep(), Config: s.Config(after, arguments),
			ConfigPlanChecks: story.PlanChecks(story.Meanwhile(func() {
				s.As("kubectl-edit").Patch(passwords, fmt.Sprintf(`{"data":{"db-password":%q,"APP_KEY":%q}}`, planted, edited))
			})),
			ConfigStateChecks: story.StateChecks(s.ExpectStateRedacted(planted, edited)),
			Check:             s.ExpectOverwritten("data.APP_KEY", "data.db-password"),
		},
	)
}
