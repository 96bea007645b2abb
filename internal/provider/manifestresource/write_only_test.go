package manifestresource_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

const skeleton = "apiVersion: v1\nkind: Secret\nmetadata: {name: credentials, namespace: NS}\n"

// writeOnly returns the arguments for a write-only part, in flow style.
func writeOnly(part string, version int) string {
	return fmt.Sprintf("yaml_body_wo = %q\n  yaml_body_wo_version = %d", part, version)
}

// A Secret can be managed with its value neither in the state nor in the plan: it is sent when its version
// changes, and when somebody else changed it.
func TestWriteOnly(t *testing.T) {
	for name, part := range map[string]func(string) string{
		"data":       func(password string) string { return "data: {password: " + encoded(password) + "}" },
		"stringData": func(password string) string { return "stringData: {password: " + password + "}" },
	} {
		t.Run(name, func(t *testing.T) { playWriteOnly(newStory(t), part) })
	}
}

func playWriteOnly(s *story, part func(password string) string) {
	requests := s.meter()
	body := skeleton + "stringData: {user: admin}\n"
	sent := func(passwords ...string) string {
		data := "user: " + encoded("admin")
		for _, password := range passwords {
			data += ", password: " + encoded(password)
		}
		return skeleton + "data: {" + data + "}\n"
	}
	hidden := s.expectUndisclosed(planted, edited)
	live := func(password string) resource.TestCheckFunc {
		return s.expectLiveJSON(credentials, `"`+encoded(password)+`"`, "data", "password")
	}
	s.run(
		resource.TestStep{
			Config: s.config(body, writeOnly(part(planted), 1)),
			ConfigPlanChecks: checks(
				expectOwner("data.password", absent, "k8sconnect"), s.expectPrediction(sent(planted)), hidden,
			),
			ConfigStateChecks: states(expectSecretDigest("data.password"), s.expectStateUndisclosed(planted)),
			Check:             live(planted),
		},
		s.noop(s.config(body, writeOnly(part(planted), 1))),
		// Another value of the same version is not looked at.
		resource.TestStep{
			PreConfig:        requests.start,
			Config:           s.config(body, writeOnly(part(edited), 1)),
			ConfigPlanChecks: checks(plancheck.ExpectEmptyPlan()),
			Check:            live(planted),
		},
		resource.TestStep{
			PreConfig: s.anew(requests.start),
			Config:    s.config(body, writeOnly(part(edited), 2)),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				expectOnly(fieldOwnership), expectOnly(coOwners), expectUnknownEntry(managedState, "data.password"),
				s.expectPrediction(sent(edited)), s.expectNoWarning(), hidden,
			),
			ConfigStateChecks: states(expectSecretDigest("data.password"), s.expectStateUndisclosed(planted, edited)),
			Check:             live(edited),
		},
		// Drift is set back, to the value that the configuration has now.
		resource.TestStep{
			PreConfig: s.anew(func() {
				s.as("kubectl-edit").patch(credentials, fmt.Sprintf(`{"data":{"password":%q}}`, encoded("somebody")))
			}),
			Config: s.config(body, writeOnly(part(planted), 2)),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				expectUnknownEntry(managedState, "data.password"), expectUnknownEntry(fieldOwnership, "data.password"),
				expectOwner("metadata.name", absent, absent),
				s.expectWarning("takes back a field", "data.password"), hidden,
			),
			ConfigStateChecks: states(
				expectSecretDigest("data.password"), expectState(fieldOwnership, "data.password: k8sconnect"),
				s.expectStateUndisclosed(planted, edited),
			),
			Check: live(planted),
		},
		// A field that leaves the part leaves the object.
		resource.TestStep{
			Config: s.config(body),
			ConfigPlanChecks: checks(
				expectOwner("data.password", "k8sconnect", absent), s.expectPrediction(sent()), hidden,
			),
			ConfigStateChecks: states(expectState(managedState, "data.password: "+absent)),
			Check:             s.expectLiveJSON(credentials, `null`, "data", "password"),
		},
	)
}

// expectUnknownEntry asserts that a plan leaves one entry of a map to the apply.
func expectUnknownEntry(attribute, key string) plancheck.PlanCheck {
	return check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		p, err := plannedOf(req)
		if err != nil {
			return err
		}
		if got := entry(p.unknown, attribute, key); got != "true" {
			return fmt.Errorf("%s[%s] is planned as %s, want unknown; unknown are %v", attribute, key, entry(p.after, attribute, key), p.unknown)
		}
		return nil
	})
}

// Who owns a field that others hold too depends on a value that may be another one in the apply. So it is
// known after the apply, and whatever the value is then, the apply goes through.
func TestWriteOnlyBesideOthers(t *testing.T) {
	for name, value := range map[string]string{"the same value": planted, "another value": edited} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			part := func(password string) string { return "data: {password: " + password + "}" }
			body := passwordsWith("mode: on-duty")
			owner, owners := "k8sconnect", absent
			if value == planted {
				owner, owners = "tuner", "[k8sconnect tuner]"
			}
			s.run(
				resource.TestStep{Config: s.config(body, writeOnly(part(planted), 1))},
				resource.TestStep{
					PreConfig: s.anew(func() { s.as("tuner").apply(passwordsWith("password: " + planted)) }),
					Config:    s.config(body, writeOnly(part(value), 2)),
					ConfigPlanChecks: checks(
						expectUnknownEntry(managedState, "data.password"), expectUnknownEntry(fieldOwnership, "data.password"),
						s.expectUndisclosed(planted, edited),
					),
					ConfigStateChecks: states(
						expectState(fieldOwnership, "data.password: "+owner), expectState(coOwners, "data.password: "+owners),
						s.expectStateUndisclosed(planted, edited),
					),
					Check: s.expectLive(passwords, map[string]any{"data.password": value}),
				},
			)
		})
	}
}

// Lists of a write-only part replace those of the manifest, and nothing about their items is foreseen.
func TestWriteOnlyLists(t *testing.T) {
	s := newStory(t)
	s.installGadgets()
	part := func(password string) string {
		return "spec: {colours: [" + password + ", red], routes: [{host: " + password + ", weight: 1}], steps: [" + password + "], free: {a: {b: " + password + "}}}"
	}
	body := gadget("size: 1, colours: [replaced], free: {a: {c: 1}}")
	hidden := s.expectUndisclosed(planted, edited)
	digests := states(
		expectSecretDigest("spec.colours"), expectSecretDigest("spec.routes"), expectSecretDigest("spec.steps"), expectSecretDigest("spec.free.a.b"),
		expectState(managedState, "spec.size: 1", "spec.free.a.c: 1"), s.expectStateUndisclosed(planted, edited),
	)
	s.run(
		resource.TestStep{
			Config: s.config(body, writeOnly(part(planted), 1)), ConfigPlanChecks: checks(hidden), ConfigStateChecks: digests,
			Check: s.expectLiveSet(s.gadgetTarget(), []string{planted, "red"}, "spec", "colours"),
		},
		s.noop(s.config(body, writeOnly(part(planted), 1))),
		resource.TestStep{
			PreConfig: s.anew(func() {
				s.as("tuner").apply(gadget("colours: [" + edited + ", blue], routes: [{host: " + planted + ", weight: 1}]"))
			}),
			Config: s.config(body, writeOnly(part(edited), 2)), ConfigPlanChecks: checks(hidden), ConfigStateChecks: digests,
			Check: s.expectLiveSet(s.gadgetTarget(), []string{"blue", edited, "red"}, "spec", "colours"),
		},
	)
}

// A write-only field that is ignored has its value at the creation alone.
func TestWriteOnlyIgnored(t *testing.T) {
	s := newStory(t)
	body := passwordsWith("mode: on-duty")
	ignored := `ignore_fields = ["data.password"]`
	s.run(
		resource.TestStep{
			Config: s.config(body, writeOnly("data: {password: "+planted+"}", 1), ignored),
			Check:  s.expectLive(passwords, map[string]any{"data.password": planted}),
		},
		resource.TestStep{
			Config: s.config(body, writeOnly("data: {password: "+edited+"}", 2), ignored),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate), expectOnly(fieldOwnership), expectOnly(managedState),
			),
			ConfigStateChecks: states(s.expectStateUndisclosed(planted, edited)),
			Check:             s.expectLive(passwords, map[string]any{"data.password": planted}),
		},
	)
}

// A part that is not known yet leaves everything to the apply, unless the object needs nothing.
func TestWriteOnlyUnknown(t *testing.T) {
	s := newStory(t)
	body := passwordsWith("mode: on-duty")
	config := func(password string, version int) string {
		return s.config(body, fmt.Sprintf("yaml_body_wo = \"data: {password: ${terraform_data.password.output}}\"\n  yaml_body_wo_version = %d", version)) +
			later("password", password)
	}
	s.run(
		resource.TestStep{
			Config: config(planted, 1), ConfigPlanChecks: checks(expectUnknown(address, computed...)),
			Check: s.expectLive(passwords, map[string]any{"data.password": planted}),
		},
		resource.TestStep{
			Config: config(edited, 1), ConfigPlanChecks: checks(expectAction(plancheck.ResourceActionNoop)),
			Check: s.expectLive(passwords, map[string]any{"data.password": planted}),
		},
		resource.TestStep{
			Config: config("third", 2), ConfigPlanChecks: checks(expectUnknown(address, fieldOwnership, coOwners, managedState)),
			Check: s.expectLive(passwords, map[string]any{"data.password": "third"}),
		},
	)
}

// Errors about a write-only part say where they are and quote nothing.
func TestWriteOnlyInvalid(t *testing.T) {
	s := newStory(t)
	body := passwordsWith("mode: on-duty")
	for _, test := range []struct {
		arguments string
		want      []string
	}{
		{writeOnly("data: {password: "+planted, 1), []string{"yaml_body_wo: the text is not one valid YAML document in line 1", "yamlencode"}},
		{writeOnly("data: {x: "+planted+"}\n---\ndata: {}", 1), []string{"yaml_body_wo: the text holds 2 documents"}},
		{writeOnly("- "+planted, 1), []string{"yaml_body_wo: the document is a list and not an object"}},
		{writeOnly(planted, 1), []string{"yaml_body_wo: the document is a string and not an object"}},
		{writeOnly("a: &"+planted+" 1\nb: *hunter2-gone", 1), []string{"yaml_body_wo: the text is not one valid YAML document"}},
		{writeOnly("a: 1\na: "+planted, 1), []string{"yaml_body_wo: the text is not one valid YAML document in line 2"}},
		{writeOnly("kind: "+planted, 1), []string{"yaml_body_wo: kind is another one than in the manifest", "Leave apiVersion"}},
		{writeOnly("metadata: {name: "+planted+"}", 1), []string{"yaml_body_wo: metadata.name is another one"}},
		{writeOnly("metadata: {uid: "+planted+"}", 1), []string{"metadata.uid"}},
		{`yaml_body_wo = "data: {a: b}"`, []string{"yaml_body_wo_version", "must be specified"}},
		{`yaml_body_wo_version = "1"`, []string{"yaml_body_wo", "must be specified"}},
		{`sensitive_fields = ["data["]`, []string{"sensitive_fields", "field path"}},
		{`sensitive_fields = [null]`, []string{"sensitive_fields: a path is null"}},
	} {
		s.run(resource.TestStep{Config: s.config(body, test.arguments), ExpectError: saying(test.want...)})
	}
	if err := s.undisclosed([]string{planted, "hunter2"}); err != nil {
		t.Error(err)
	}
}

// What the server says of values that it refuses is passed on without them.
func TestRefusedValuesStayUndisclosed(t *testing.T) {
	for name, test := range map[string]struct {
		body      string
		arguments []string
		secrets   []string
		want      []string
	}{
		"a sensitive field of the wrong type": {
			gadget("size: many-" + planted), []string{`sensitive_fields = ["spec.size"]`}, []string{planted}, []string{"spec.size"},
		},
		"a short one": {
			gadget("size: \"q7\""), []string{`sensitive_fields = ["spec.size"]`}, []string{"q7"}, []string{"spec.size"},
		},
		"a map instead of a text": {
			gadget("note: {inner: q7, outer: " + planted + "}"), []string{`sensitive_fields = ["spec.note"]`}, []string{"q7", planted}, []string{"spec.note"},
		},
		"a write-only field": {
			gadget("note: x"), []string{writeOnly("spec: {size: "+planted+", ratio: q7}", 1)}, []string{planted, "q7"}, []string{"spec"},
		},
		"a label": {
			strings.Replace(passwordsWith("a: b"), "namespace: NS", "namespace: NS, labels: {a: \"-"+planted+"\"}", 1),
			[]string{`sensitive_fields = ["metadata.labels"]`}, []string{planted}, []string{"metadata.labels"},
		},
		"a name that a policy refuses": {
			secret("type: kubernetes.io/tls\nstringData: {tls.crt: " + planted + "}\n"), nil, []string{planted}, []string{"tls.key"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			s.installGadgets()
			s.run(resource.TestStep{
				Config: s.config(test.body, test.arguments...), ExpectError: saying(append([]string{"could not be planned"}, test.want...)...),
			})
			if err := s.undisclosed(test.secrets); err != nil {
				t.Error(err)
			}
			if testing.Verbose() {
				t.Log(strings.Join(s.provider.everything(), "\n"))
			}
		})
	}
}
