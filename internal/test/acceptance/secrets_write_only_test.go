package acceptance_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const skeleton = "apiVersion: v1\nkind: Secret\nmetadata: {name: credentials, namespace: NS}\n"

// writeOnly returns the arguments for a write-only part, in flow style.
func writeOnly(part string, version int) string {
	return fmt.Sprintf("yaml_body_wo = %q\n  yaml_body_wo_version = %d", part, version)
}

// A Secret can be managed with its value neither in the state nor in the plan: it is sent when its version changes, and
// when another client changed it.
func TestWriteOnly(t *testing.T) {
	t.Parallel()
	for name, part := range map[string]func(string) string{
		"data":       func(password string) string { return "data: {password: " + encoded(password) + "}" },
		"stringData": func(password string) string { return "stringData: {password: " + password + "}" },
	} {
		t.Run(name, func(t *testing.T) { playWriteOnly(story.New(t), part) })
	}
}

func playWriteOnly(s *story.Story, part func(password string) string) {
	requests := s.Meter()
	body := skeleton + "stringData: {user: admin}\n"
	sent := func(passwords ...string) string {
		data := "user: " + encoded("admin")
		for _, password := range passwords {
			data += ", password: " + encoded(password)
		}
		return skeleton + "data: {" + data + "}\n"
	}
	hidden := s.ExpectRedacted(planted, edited)
	live := func(password string) resource.TestCheckFunc {
		return s.ExpectLiveJSON(credentials, `"`+encoded(password)+`"`, "data", "password")
	}
	s.Run(
		resource.TestStep{
			Config: s.Config(body, writeOnly(part(planted), 1)),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOwner("data.password", story.Absent, "k8sconnect"), s.ExpectPrediction(sent(planted)), hidden,
			),
			ConfigStateChecks: story.StateChecks(expectUnstored("data.password"), s.ExpectStateRedacted(planted)),
			Check:             live(planted),
		},
		s.Noop(s.Config(body, writeOnly(part(planted), 1))),
		// Another value of the same version is not sent, and the plan says so.
		resource.TestStep{
			PreConfig:        requests.Start,
			Config:           s.Config(body, writeOnly(part(edited), 1)),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan(), s.ExpectWarning("Write-Only Value Not Sent", "data.password"), hidden),
			Check:            live(planted),
		},
		resource.TestStep{
			PreConfig: s.NextStep(requests.Start),
			Config:    s.Config(body, writeOnly(part(edited), 2)),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				story.ExpectOnly(story.FieldOwnership), story.ExpectOnly(story.CoOwners), expectUnknownEntry(story.ManagedState, "data.password"),
				s.ExpectPrediction(sent(edited)), s.ExpectNoWarning(), hidden,
			),
			ConfigStateChecks: story.StateChecks(expectUnstored("data.password"), s.ExpectStateRedacted(planted, edited)),
			Check:             live(edited),
		},
		// Drift is set back, to the value that the configuration has now.
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("kubectl-edit").Patch(credentials, fmt.Sprintf(`{"data":{"password":%q}}`, encoded("somebody")))
			}),
			Config: s.Config(body, writeOnly(part(planted), 2)),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				expectUnknownEntry(story.ManagedState, "data.password"), expectUnknownEntry(story.FieldOwnership, "data.password"),
				story.ExpectOwner("metadata.name", story.Absent, story.Absent),
				s.ExpectWarning("takes back a field", "data.password"), hidden,
			),
			ConfigStateChecks: story.StateChecks(
				expectUnstored("data.password"), story.ExpectState(story.FieldOwnership, "data.password: k8sconnect"),
				s.ExpectStateRedacted(planted, edited),
			),
			Check: live(planted),
		},
		// A field that leaves the part leaves the object.
		resource.TestStep{
			Config: s.Config(body),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOwner("data.password", "k8sconnect", story.Absent), s.ExpectPrediction(sent()), hidden,
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, "data.password: "+story.Absent)),
			Check:             s.ExpectLiveJSON(credentials, `null`, "data", "password"),
		},
	)
}

// expectUnstored asserts that the state says nothing of a field but that it has a value.
func expectUnstored(field string) statecheck.StateCheck {
	return story.ExpectState(story.ManagedState, field+": (sensitive, write-only)")
}

// expectUnknownEntry asserts that a plan leaves one entry of a map to the apply.
func expectUnknownEntry(attribute, key string) plancheck.PlanCheck {
	return story.Check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		p, err := story.PlannedOf(req)
		if err != nil {
			return err
		}
		if got := story.Entry(p.Unknown, attribute, key); got != "true" {
			return fmt.Errorf("%s[%s] is planned as %s, want unknown; unknown are %v", attribute, key, story.Entry(p.After, attribute, key), p.Unknown)
		}
		return nil
	})
}

// Who owns a field that other managers hold too depends on a value that may be another one in the apply. So it is known
// after the apply, and whatever the value is then, the apply goes through.
func TestWriteOnlyBesideOthers(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]string{"the same value": planted, "another value": edited} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			part := func(password string) string { return "data: {password: " + password + "}" }
			body := passwordsWith("mode: on-duty")
			owner, owners := "k8sconnect", story.Absent
			if value == planted {
				owner, owners = "tuner", "[k8sconnect tuner]"
			}
			s.Run(
				resource.TestStep{Config: s.Config(body, writeOnly(part(planted), 1))},
				resource.TestStep{
					PreConfig: s.NextStep(func() { s.As("tuner").Apply(passwordsWith("password: " + planted)) }),
					Config:    s.Config(body, writeOnly(part(value), 2)),
					ConfigPlanChecks: story.PlanChecks(
						expectUnknownEntry(story.ManagedState, "data.password"), expectUnknownEntry(story.FieldOwnership, "data.password"),
						s.ExpectRedacted(planted, edited),
					),
					ConfigStateChecks: story.StateChecks(
						story.ExpectState(story.FieldOwnership, "data.password: "+owner), story.ExpectState(story.CoOwners, "data.password: "+owners),
						s.ExpectStateRedacted(planted, edited),
					),
					Check: s.ExpectLive(passwords, map[string]any{"data.password": value}),
				},
			)
		})
	}
}

// A write-only value that another manager gave the field, too, is no conflict: it is shared, although the plan of the
// apply does not know the live value. One that differs is refused in the plan.
func TestWriteOnlyValueOfOthersIsNoConflict(t *testing.T) {
	t.Parallel()
	const fail = `on_conflict = "fail"`
	for name, version := range map[string]int{"a new version": 2, "a lost field": 1} {
		t.Run(name, func(t *testing.T) {
			s := newSet(t)
			body := passwordsWith("mode: on-duty")
			configure := func(password string, version int) {
				s.Configure(s.Manifest("test", body, writeOnly("data: {password: "+password+"}", version), fail))
			}
			configure(planted, 1)
			s.Do("apply", "-auto-approve")
			value := map[int]string{1: edited, 2: planted}[version]
			s.As("vault").Apply(passwordsWith("password: " + value))
			configure(map[int]string{1: planted, 2: edited}[version], version)
			s.expect(s.Exits(story.Refused, "plan"), "data.password", "vault")
			configure(value, version)
			s.Do("apply", "-auto-approve")
			story.Must(t, s.ExpectLive(passwords, map[string]any{"data.password": value})(nil))
			s.settled()
		})
	}
}

// Lists of a write-only part replace those of the manifest, and nothing about their items is foreseen.
func TestWriteOnlyLists(t *testing.T) {
	s := story.New(t)
	s.InstallGadgets()
	part := func(password string) string {
		return "spec: {colours: [" + password + ", red], routes: [{host: " + password + ", weight: 1}], steps: [" + password + "], free: {a: {b: " + password + "}}}"
	}
	body := story.Gadget("size: 1, colours: [replaced], free: {a: {c: 1}}")
	hidden := s.ExpectRedacted(planted, edited)
	digests := story.StateChecks(
		expectUnstored("spec.colours"), expectUnstored("spec.routes"), expectUnstored("spec.steps"), expectUnstored("spec.free.a.b"),
		story.ExpectState(story.ManagedState, "spec.size: 1", "spec.free.a.c: 1"), s.ExpectStateRedacted(planted, edited),
	)
	s.Run(
		resource.TestStep{
			Config: s.Config(body, writeOnly(part(planted), 1)), ConfigPlanChecks: story.PlanChecks(hidden), ConfigStateChecks: digests,
			Check: s.ExpectLiveSet(s.GadgetTarget(), []string{planted, "red"}, "spec", "colours"),
		},
		s.Noop(s.Config(body, writeOnly(part(planted), 1))),
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("tuner").Apply(story.Gadget("colours: [" + edited + ", blue], routes: [{host: " + planted + ", weight: 1}]"))
			}),
			Config: s.Config(body, writeOnly(part(edited), 2)), ConfigPlanChecks: story.PlanChecks(hidden), ConfigStateChecks: digests,
			Check: s.ExpectLiveSet(s.GadgetTarget(), []string{"blue", edited, "red"}, "spec", "colours"),
		},
	)
}

// A write-only field that is ignored has its value at the creation alone.
func TestWriteOnlyIgnored(t *testing.T) {
	s := story.New(t)
	body := passwordsWith("mode: on-duty")
	ignored := `ignore_fields = ["data.password"]`
	s.Run(
		resource.TestStep{
			Config: s.Config(body, writeOnly("data: {password: "+planted+"}", 1), ignored),
			Check:  s.ExpectLive(passwords, map[string]any{"data.password": planted}),
		},
		resource.TestStep{
			Config: s.Config(body, writeOnly("data: {password: "+edited+"}", 2), ignored),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate), story.ExpectOnly(story.FieldOwnership), story.ExpectOnly(story.ManagedState),
			),
			ConfigStateChecks: story.StateChecks(s.ExpectStateRedacted(planted, edited)),
			Check:             s.ExpectLive(passwords, map[string]any{"data.password": planted}),
		},
	)
}

// A part that is not known yet leaves everything to the apply, unless the object needs nothing.
func TestWriteOnlyUnknown(t *testing.T) {
	s := story.New(t)
	body := passwordsWith("mode: on-duty")
	config := func(password string, version int) string {
		return s.Config(body, fmt.Sprintf("yaml_body_wo = \"data: {password: ${terraform_data.password.output}}\"\n  yaml_body_wo_version = %d", version)) +
			story.Later("password", password)
	}
	s.Run(
		resource.TestStep{
			Config: config(planted, 1), ConfigPlanChecks: story.PlanChecks(story.ExpectUnknown(story.Address, story.Computed...)),
			Check: s.ExpectLive(passwords, map[string]any{"data.password": planted}),
		},
		resource.TestStep{
			Config: config(edited, 1), ConfigPlanChecks: story.PlanChecks(story.ExpectAction(plancheck.ResourceActionNoop)),
			Check: s.ExpectLive(passwords, map[string]any{"data.password": planted}),
		},
		resource.TestStep{
			Config: config("third", 2), ConfigPlanChecks: story.PlanChecks(story.ExpectUnknown(story.Address, story.FieldOwnership, story.CoOwners, story.ManagedState)),
			Check: s.ExpectLive(passwords, map[string]any{"data.password": "third"}),
		},
	)
}

// Errors about a write-only part say where they are and quote nothing.
func TestWriteOnlyInvalid(t *testing.T) {
	s := story.New(t)
	body := passwordsWith("mode: on-duty")
	for _, test := range []struct {
		arguments string
		want      []string
	}{
		{writeOnly("data: {password: "+planted, 1), []string{"yaml_body_wo: line 1, column 39 is not valid YAML: the { of line 1, column 7 is not closed"}},
		{writeOnly("data: {x: "+planted+"}\n---\ndata: {}", 1), []string{"yaml_body_wo: the text contains 2 documents"}},
		{writeOnly("- "+planted, 1), []string{"yaml_body_wo: the document is a list, not an object"}},
		{writeOnly(planted, 1), []string{"yaml_body_wo: the document is a string, not an object"}},
		{writeOnly("a: &"+planted+" 1\nb: *hunter2-gone", 1), []string{"yaml_body_wo: line 2, column 4 is not valid YAML", "need quotes"}},
		{writeOnly("a: 1\na: "+planted, 1), []string{"yaml_body_wo: line 2, column 1 repeats a key of line 1"}},
		{writeOnly("kind: "+planted, 1), []string{"yaml_body_wo: kind is not the same as in yaml_body", "Leave out apiVersion"}},
		{writeOnly("metadata: {name: "+planted+"}", 1), []string{"yaml_body_wo: metadata.name is not the same as in yaml_body"}},
		{writeOnly("metadata: {uid: "+planted+"}", 1), []string{"metadata.uid"}},
		{`yaml_body_wo = "data: {a: b}"`, []string{"yaml_body_wo needs yaml_body_wo_version", "Set both, or remove yaml_body_wo."}},
		{`yaml_body_wo_version = "1"`, []string{"yaml_body_wo_version needs yaml_body_wo", "Set both, or remove yaml_body_wo_version."}},
		{`sensitive_fields = ["data["]`, []string{"sensitive_fields", "field path"}},
		{`sensitive_fields = [null]`, []string{"sensitive_fields: a path is null"}},
	} {
		s.Run(resource.TestStep{Config: s.Config(body, test.arguments), ExpectError: story.Saying(test.want...)})
	}
	if err := s.CheckRedacted([]string{planted, "hunter2"}); err != nil {
		t.Error(err)
	}
}

// What the server says of values that it refuses is passed on without them.
func TestRefusedValuesStayUndisclosed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body      string
		arguments []string
		secrets   []string
		want      []string
	}{
		"a sensitive field of the wrong type": {
			story.Gadget("size: many-" + planted), []string{`sensitive_fields = ["spec.size"]`}, []string{planted}, []string{"spec.size"},
		},
		"a short one": {
			story.Gadget("size: \"Q7\""), []string{`sensitive_fields = ["spec.size"]`}, []string{"Q7"}, []string{"spec.size"},
		},
		"a map instead of a text": {
			story.Gadget("note: {inner: Q7, outer: " + planted + "}"), []string{`sensitive_fields = ["spec.note"]`}, []string{"Q7", planted}, []string{"spec.note"},
		},
		"a write-only field": {
			story.Gadget("note: x"), []string{writeOnly("spec: {size: "+planted+", ratio: Q7}", 1)}, []string{planted, "Q7"}, []string{"spec"},
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
			s := story.New(t)
			s.InstallGadgets()
			s.Run(resource.TestStep{
				Config: s.Config(test.body, test.arguments...), ExpectError: story.Saying(append([]string{"could not be planned"}, test.want...)...),
			})
			if err := s.CheckRedacted(test.secrets); err != nil {
				t.Error(err)
			}
			if testing.Verbose() {
				t.Log(strings.Join(s.Provider.Everything(), "\n"))
			}
		})
	}
}

// A value that does not fit the schema may be in either of the two bodies, of any kind.
func TestWriteOnlyDoesNotFit(t *testing.T) {
	s := story.New(t)
	s.Run(
		resource.TestStep{
			Config:      s.Config(story.Settings, writeOnly("data: {extra: 5}", 1)),
			ExpectError: story.Saying("Does Not Fit Schema", "data.extra", "in quotes in yaml_body or yaml_body_wo"),
		},
		resource.TestStep{
			Config:      s.Config(story.Settings, writeOnly("data: {extra: {a: b}}", 1)),
			ExpectError: story.Saying("data.extra", "in quotes in yaml_body or yaml_body_wo"),
		},
		resource.TestStep{Config: s.Config(story.Settings, writeOnly(`data: {extra: "5"}`, 1))},
	)
}
