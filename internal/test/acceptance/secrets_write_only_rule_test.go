package acceptance_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

func password(value string, version int) string {
	return writeOnly("data: {password: "+value+"}", version)
}

// A write-only value is sent when its version changes or when the object lost it. Beside another change, the field keeps its live
// value, and the plan says so.
func TestWriteOnlyRule(t *testing.T) {
	t.Parallel()
	const notSent = "Write-Only Value Not Sent"
	for name, test := range map[string]struct {
		before     func(s *story.Story)
		mode, sent string
		version    int
		want       string
		warnings   []string
	}{
		"nothing else changes":       {nil, "on-duty", edited, 1, planted, []string{notSent, "data.password", "yaml_body_wo_version"}},
		"something else changes":     {nil, "off-duty", edited, 1, planted, []string{notSent, "data.password", "yaml_body_wo_version"}},
		"the same value":             {nil, "off-duty", planted, 1, planted, nil},
		"the version changes":        {nil, "on-duty", edited, 2, edited, nil},
		"both change":                {nil, "off-duty", edited, 2, edited, nil},
		"another manager changed it": {patchPassword(`"theirs"`), "off-duty", edited, 1, edited, []string{"takes back a field", "data.password"}},
		"another manager removed it": {patchPassword("null"), "off-duty", edited, 1, edited, nil},
		"another manager shares it":  {sharePassword, "off-duty", edited, 1, planted, []string{notSent, "data.password"}},
		"its owner is not recorded":  {forgetManagers, "off-duty", edited, 1, edited, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			checks := []plancheck.PlanCheck{s.ExpectRedacted(planted, edited)}
			switch {
			case len(test.warnings) > 0:
				checks = append(checks, s.ExpectWarning(test.warnings...))
			case test.warnings == nil:
				checks = append(checks, s.ExpectNoWarning())
			}
			s.Run(
				resource.TestStep{Config: s.Config(passwordsWith("mode: on-duty"), password(planted, 1))},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						if test.before != nil {
							test.before(s)
						}
					}),
					Config:            s.Config(passwordsWith("mode: "+test.mode), password(test.sent, test.version)),
					ConfigPlanChecks:  story.PlanChecks(checks...),
					ConfigStateChecks: story.StateChecks(expectUnstored("data.password"), s.ExpectStateRedacted(planted, edited)),
					Check:             s.ExpectLive(passwords, map[string]any{"data.password": test.want, "data.mode": test.mode}),
				},
			)
		})
	}
}

func patchPassword(value string) func(s *story.Story) {
	return func(s *story.Story) { s.As("kubectl-edit").Patch(passwords, `{"data":{"password":`+value+`}}`) }
}

func sharePassword(s *story.Story) { s.As("tuner").Apply(passwordsWith("password: " + planted)) }

func forgetManagers(s *story.Story) { s.As("x").StripManagedFields(passwords, "[{}]") }

// The members of a write-only list stay as they are beside another change, and so do those of others.
func TestWriteOnlyListsAreKept(t *testing.T) {
	s := story.New(t)
	s.InstallGadgets()
	config := func(size int, value string) string {
		return s.Config(story.Gadget(fmt.Sprintf("size: %d", size)),
			writeOnly("spec: {colours: ["+value+", red], routes: [{host: "+value+", weight: 1}], steps: ["+value+"]}", 1))
	}
	s.Run(
		resource.TestStep{Config: config(1, planted)},
		resource.TestStep{
			PreConfig:        s.NextStep(func() { s.As("tuner").Apply(story.Gadget("colours: [blue]")) }),
			Config:           config(2, edited),
			ConfigPlanChecks: story.PlanChecks(s.ExpectWarning("Write-Only Value Not Sent", "spec.colours", "spec.routes", "spec.steps"), s.ExpectRedacted(planted, edited)),
			Check: story.LiveChecks(
				s.ExpectLiveSet(s.GadgetTarget(), []string{"blue", planted, "red"}, "spec", "colours"),
				s.ExpectLiveJSON(s.GadgetTarget(), `["`+planted+`"]`, "spec", "steps"), s.ExpectLiveJSON(s.GadgetTarget(), "2", "spec", "size"),
				s.ExpectOwners(s.GadgetTarget(), `spec.colours[="blue"]`, "tuner"),
			),
		},
	)
}

// liveState is what the snapshot keeps of the values that we declared.
var liveState = regexp.MustCompile(`"(?:liveState|appliedState)":"[^"]*"`)

// The state has no digest of a write-only value, so that a short one cannot be found by trying. What is kept is the same for
// two values.
func TestNoDigestOfWriteOnlyValues(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ target, body, part string }{
		"a ConfigMap":                {passwords, passwordsWith("mode: on-duty"), "data: {password: '%s'}"},
		"a Secret":                   {credentials, skeleton, "stringData: {password: '%s'}"},
		"a Secret that tools copied": {credentials, skeleton, "stringData: {password: '%s'}"},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			w := &plantedWorkspace{Workspace: s.HostedWorkspace()}
			adopts := ""
			if strings.Contains(name, "copied") {
				s.As("kubectl-client-side-apply").ApplyClientSide(skeleton + "data: {password: " + encoded(pin) + "}\n")
				adopts = "  adopt_existing = true\n"
			}
			states := []string{}
			for version, value := range []string{pin, "602214"} {
				w.Configure(s.Expand(fmt.Sprintf("resource \"k8sconnect_manifest\" \"test\" {\n  yaml_body = %q\n%s  %s\n}\n",
					test.body, adopts, writeOnly(fmt.Sprintf(test.part, value), version+1))))
				w.Do("apply", "-auto-approve")
				s.As("tuner").Patch(test.target, `{"metadata":{"labels":{"seen":"yes"}}}`)
				w.Do("apply", "-auto-approve", "-refresh-only")
				kept := w.keep()["terraform.tfstate"]
				for _, tells := range []string{"hmac-sha256", pin, encoded(pin), "602214", encoded("602214")} {
					if strings.Contains(kept, tells) {
						t.Errorf("the state has %s:\n%s", tells, kept)
					}
				}
				states = append(states, strings.Join(liveState.FindAllString(kept, -1), " "))
			}
			if states[0] == "" || states[0] != states[1] {
				t.Errorf("the state depends on the value: %q", states)
			}
			if out := w.Do("plan"); !strings.Contains(out, "No changes.") {
				t.Errorf("a plan after the apply:\n%s", out)
			}
		})
	}
}

// The values that stay cost two GETs in the apply, beside what an update costs: its plan reads them, too.
func TestKeptWriteOnlyValuesCostTwoGets(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	config := func(mode, value string) string {
		return s.Expand(fmt.Sprintf("resource \"k8sconnect_manifest\" \"test\" {\n  yaml_body = %q\n  %s\n}\n",
			passwordsWith("mode: "+mode), password(value, 1)))
	}
	const get, dryRun, patch = "get configmaps NS/passwords 200", "patch configmaps NS/passwords dry-run 200", "patch configmaps NS/passwords 200"
	w.Configure(config("on-duty", planted))
	w.Do("apply", "-auto-approve")
	w.Configure(config("off-duty", edited))
	w.ExpectCost("plan", []string{get, dryRun}, "plan", "-out=tfplan")
	w.ExpectCost("apply", []string{get, dryRun, get, patch}, "apply", "tfplan")
	story.Must(t, s.ExpectLive(passwords, map[string]any{"data.password": planted, "data.mode": "off-duty"})(nil))
	w.ExpectCost("plan without changes", []string{get}, "plan")
}

// A value that another client has written since the plan is not set back to one that neither it nor the configuration
// has.
func TestKeptWriteOnlyValueThatChanges(t *testing.T) {
	s := story.New(t)
	config := func(mode, value string) string { return s.Config(passwordsWith("mode: "+mode), password(value, 1)) }
	s.Run(
		resource.TestStep{Config: config("on-duty", planted)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.Provider.BeforeApply(func() { s.As("bob").Patch(passwords, `{"data": {"password": "rotated"}}`) })
			}),
			Config: config("off-duty", edited),
			Check:  s.ExpectLive(passwords, map[string]any{"data.password": edited, "data.mode": "off-duty"}),
		},
	)
}
