package manifestresource_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

const passwords = "v1 ConfigMap passwords"

// passwordsWith returns a ConfigMap with these data, in flow style.
func passwordsWith(data string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: passwords, namespace: NS}\ndata: {" + data + "}\n"
}

// Values at sensitive paths show as digests, drift of them shows, and their neighbours stay readable.
func TestSensitiveFieldsStayUndisclosed(t *testing.T) {
	s := newStory(t)
	body := passwordsWith("password: " + planted + ", mode: on-duty")
	arguments := `sensitive_fields = ["data.password"]`
	hidden := s.expectUndisclosed(planted, edited)
	s.run(
		resource.TestStep{
			Config: s.config(body, arguments),
			ConfigPlanChecks: checks(
				expectOwner("data.password", absent, "k8sconnect"),
				expectValue("data.password", absent, absent),
				expectValue("data.mode", absent, "on-duty"),
				s.expectPrediction(body), hidden,
			),
			ConfigStateChecks: states(expectSecretDigest("data.password"), s.expectStateUndisclosed(planted)),
			Check:             s.expectLive(passwords, map[string]any{"data.password": planted}),
		},
		resource.TestStep{
			PreConfig: s.anew(func() {
				s.as("kubectl-edit").patch(passwords, fmt.Sprintf(`{"data":{"password":%q}}`, edited))
			}),
			Config: s.config(body, arguments),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				expectOwner("data.password", "kubectl-edit", "k8sconnect"),
				s.expectPrediction(body), hidden,
				s.expectWarning("takes back a field", "data.password: \"(sensitive, hmac-sha256:"),
			),
			ConfigStateChecks: states(expectSecretDigest("data.password"), s.expectStateUndisclosed(planted, edited)),
			Check:             s.expectLive(passwords, map[string]any{"data.password": planted}),
		},
	)
}

// sensitive_fields that come or go change what the attributes show, and nothing else.
func TestSensitiveFieldsComeAndGo(t *testing.T) {
	s := newStory(t)
	body := passwordsWith("password: " + planted + ", mode: on-duty")
	s.as("tuner").create(passwordsWith("mode: on-duty"))
	s.as("tuner").remove(passwords)
	s.run(
		resource.TestStep{
			Config:            s.config(body),
			ConfigStateChecks: states(expectState(managedState, "data.password: "+planted)),
		},
		resource.TestStep{
			PreConfig: s.anew(func() { s.as("tuner").apply(passwordsWith("password: " + planted)) }),
			Config:    s.config(body, `sensitive_fields = ["data.password"]`),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				expectOnly(fieldOwnership), expectOnly(coOwners),
				expectOnly(managedState, "data.password: "+planted+" -> "+absent),
				s.expectPrediction(body), s.expectNoWarning(),
			),
			ConfigStateChecks: states(
				expectSecretDigest("data.password"), s.expectStateUndisclosed(planted),
				expectState(coOwners, "data.password: [k8sconnect tuner]"),
			),
		},
		resource.TestStep{
			Config: s.config(body, `sensitive_fields = ["data"]`),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				expectOnly(fieldOwnership), expectOnly(coOwners), s.expectPrediction(body), s.expectNoWarning(),
			),
			ConfigStateChecks: states(expectSecretDigest("data.password"), expectSecretDigest("data.mode")),
		},
		resource.TestStep{
			Config: s.config(body),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				expectOnly(fieldOwnership), expectOnly(coOwners), s.expectPrediction(body), s.expectNoWarning(),
			),
			ConfigStateChecks: states(expectState(managedState, "data.password: "+planted, "data.mode: on-duty")),
		},
	)
}

// A secret that is a member of a set, or a key of list items, is in the text of paths. The field that holds
// the list stands for its items, in the attributes; the items of others still count one by one.
func TestSensitiveListItemsStayUndisclosed(t *testing.T) {
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
			s := newStory(t)
			s.installGadgets()
			arguments := fmt.Sprintf(`sensitive_fields = [%q]`, test.pattern)
			hidden := s.expectUndisclosed(planted, edited)
			s.run(
				resource.TestStep{
					Config:            s.config(gadget(test.ours), arguments),
					ConfigPlanChecks:  checks(expectOwner(test.list, absent, "k8sconnect"), hidden),
					ConfigStateChecks: states(expectSecretDigest(test.list), s.expectStateUndisclosed(planted, edited)),
				},
				s.noop(s.config(gadget(test.ours), arguments)),
				resource.TestStep{
					PreConfig:         s.anew(func() { s.as("tuner").apply(gadget(test.theirs)) }),
					Config:            s.config(gadget(test.ours), arguments),
					ConfigPlanChecks:  checks(plancheck.ExpectEmptyPlan()),
					ConfigStateChecks: states(expectSecretDigest(test.list), s.expectStateUndisclosed(planted, edited)),
				},
				resource.TestStep{
					Config: s.config(gadget(test.after), arguments),
					ConfigPlanChecks: checks(
						plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate), hidden,
					),
					ConfigStateChecks: states(expectSecretDigest(test.list), s.expectStateUndisclosed(planted, edited)),
				},
			)
		})
	}
}

// A path with a typo hides nothing, and says so.
func TestSensitiveFieldNotFound(t *testing.T) {
	s := newStory(t)
	s.run(resource.TestStep{
		Config: s.config(configMap, `sensitive_fields = ["data.color"]`),
		ConfigPlanChecks: checks(s.expectOnlyWarning("Sensitive Field Not Found", "ConfigMap", `did you mean "data.colour"?`,
			`matches "data.color" in sensitive_fields, so nothing is hidden`)),
	})
}
