package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// deploymentWithLines returns the Deployment web with further lines of its spec.
func deploymentWithLines(lines string) string { return story.Deployment + lines }

// keepsOver returns two more applies that change another field; what holds of the live object before holds
// after both. sent makes of a body what is sent of it.
func keepsOver(s *story.Story, sent func(string) string, live map[string]string, arguments ...string) []resource.TestStep {
	var steps []resource.TestStep
	for _, line := range []string{"  minReadySeconds: 1\n", "  minReadySeconds: 2\n"} {
		live := withEntry(live, "{.spec.minReadySeconds}", strings.TrimSpace(strings.TrimPrefix(line, "  minReadySeconds:")))
		steps = append(steps, resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.Config(deploymentWithLines(line), arguments...),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				s.ExpectPrediction(sent(deploymentWithLines(line))),
				s.ExpectNoWarning(),
			),
			Check: s.ExpectJSONPath(story.Web, live),
		})
	}
	return steps
}

func withEntry(values map[string]string, key, value string) map[string]string {
	out := map[string]string{key: value}
	for k, v := range values {
		out[k] = v
	}
	return out
}

// A field that is ignored from the start is sent once, as an initial value, and has no owner afterwards.
func TestIgnoredFieldAtCreateIsAnInitialValue(t *testing.T) {
	s := story.New(t)
	create := resource.TestStep{
		Config: s.Config(story.Deployment, story.IgnoreReplicas),
		ConfigPlanChecks: story.PlanChecks(
			story.ExpectOwner("spec.replicas", story.Absent, story.Absent),
			story.ExpectValue("spec.replicas", story.Absent, story.Absent),
			story.ExpectOwner(story.ImageField, story.Absent, "k8sconnect"),
			s.ExpectNoWarning(),
		),
		ConfigStateChecks: story.StateChecks(
			story.ExpectState(story.FieldOwnership, "spec.replicas: "+story.Absent, story.ImageField+": k8sconnect"),
			story.ExpectState(story.ManagedState, "spec.replicas: "+story.Absent),
		),
		Check: story.LiveChecks(
			s.ExpectJSONPath(story.Web, map[string]string{"{.spec.replicas}": "3"}),
			s.ExpectNoOwner(story.Web, "spec.replicas"),
		),
	}
	more := keepsOver(s, story.Unscaled, map[string]string{"{.spec.replicas}": "3"}, story.IgnoreReplicas)
	s.Run(append([]resource.TestStep{create}, more...)...)
}

// released returns the texts of a warning of a field that we alone owned and release.
func released(field, value string) []string {
	return []string{
		"Field Ownership Change: ", "the apply releases a field, and its value stays:\n",
		field + `: "` + value + `", owned by nobody else`,
	}
}

// A path that is added later releases the field, which no other manager owns, and the value stays.
func TestIgnoredFieldAddedLaterKeepsItsValue(t *testing.T) {
	s := story.New(t)
	live := map[string]string{"{.spec.replicas}": "3"}
	steps := []resource.TestStep{
		{Config: s.Config(story.Deployment), ConfigPlanChecks: story.PlanChecks(s.ExpectPrediction(story.Deployment))},
		{
			PreConfig: s.NextStep(),
			Config:    s.Config(story.Deployment, story.IgnoreReplicas),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				story.ExpectOnly(story.FieldOwnership, "spec.replicas: k8sconnect -> (absent)"),
				story.ExpectOnly(story.ManagedState, "spec.replicas: 3 -> (absent)"),
				story.ExpectOnly(story.CoOwners),
				s.ExpectOnlyWarning(released("spec.replicas", "3")...),
			),
			ConfigStateChecks: story.StateChecks(
				story.ExpectState(story.FieldOwnership, "spec.replicas: "+story.Absent),
				story.ExpectState(story.ManagedState, "spec.replicas: "+story.Absent),
			),
			Check: story.LiveChecks(s.ExpectJSONPath(story.Web, live), s.ExpectNoOwner(story.Web, "spec.replicas"), s.ExpectRepeated("releases a field")),
		},
	}
	s.Run(append(steps, keepsOver(s, story.Unscaled, live, story.IgnoreReplicas)...)...)
}

// A required field can be released too; what kubectl then writes to it survives our applies.
func TestRequiredFieldIsReleased(t *testing.T) {
	s := story.New(t)
	steps := []resource.TestStep{
		{Config: s.Config(story.Deployment), ConfigPlanChecks: story.PlanChecks(s.ExpectPrediction(story.Deployment))},
		{
			PreConfig: s.NextStep(),
			Config:    s.Config(story.Deployment, story.IgnoreImage),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.FieldOwnership, story.ImageField+": k8sconnect -> (absent)"),
				story.ExpectOnly(story.ManagedState, story.ImageField+": nginx:1.25 -> (absent)"),
				s.ExpectOnlyWarning(released(story.ImageField, "nginx:1.25")...),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.FieldOwnership, story.ImageField+": "+story.Absent)),
			Check: story.LiveChecks(
				s.ExpectJSONPath(story.Web, map[string]string{story.ImagePath: "nginx:1.25"}),
				s.ExpectNoOwner(story.Web, story.ImageField),
			),
		},
		{
			PreConfig: s.NextStep(func() {
				s.As("kubectl-edit").Patch(story.Web, `{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"nginx:1.27"}]}}}}`)
			}),
			Config:            s.Config(story.Deployment, story.IgnoreImage),
			ConfigPlanChecks:  story.PlanChecks(plancheck.ExpectEmptyPlan(), s.ExpectNoWarning()),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, story.ImageField+": "+story.Absent)),
			Check:             s.ExpectJSONPath(story.Web, map[string]string{story.ImagePath: "nginx:1.27"}),
		},
	}
	withoutImage := func(body string) string { return strings.Replace(body, `, image: "nginx:1.25"`, "", 1) }
	more := keepsOver(s, withoutImage, map[string]string{story.ImagePath: "nginx:1.27"}, story.IgnoreImage)
	more[0].ConfigStateChecks = story.StateChecks(story.ExpectState(story.FieldOwnership, story.ImageField+": kubectl-edit"))
	s.Run(append(steps, more...)...)
}

// Removing a path takes the field back: the plan shows its owner and its value, and warns of whoever
// loses it.
func TestIgnoredFieldIsTakenBack(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		write func(*story.Story)
		// from is the owner before.
		from    string
		warning []string
	}{
		"nobody owns the field": {write: func(*story.Story) {}, from: story.Absent},
		// The scale subresource records no owner for a field that had none.
		"kubectl scaled the field, which still has no owner": {
			write: func(s *story.Story) { s.As("kubectl").Scale(story.Web, 7) }, from: story.Absent,
			warning: []string{"the apply changes a value that nobody owns:\n\n  spec.replicas: \"7\" -> \"3\""},
		},
		"somebody else owns another value": {
			write: func(s *story.Story) { s.As("kubectl-edit").Patch(story.Web, `{"spec":{"replicas":7}}`) }, from: "kubectl-edit",
			warning: []string{
				"the apply takes a field from another owner and changes its value:\n",
				`spec.replicas: "7" -> "3", owned by "kubectl-edit" using apps/v1 (kubectl edit, last write `, story.IgnoreReplicas,
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			warns := s.ExpectNoWarning()
			if test.warning != nil {
				warns = s.ExpectOnlyWarning(test.warning...)
			}
			s.Run(
				resource.TestStep{Config: s.Config(story.Deployment, story.IgnoreReplicas)},
				resource.TestStep{
					PreConfig: s.NextStep(func() { test.write(s) }),
					Config:    s.Config(story.Deployment),
					ConfigPlanChecks: story.PlanChecks(
						plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
						story.ExpectOnly(story.FieldOwnership, "spec.replicas: "+test.from+" -> k8sconnect"),
						story.ExpectOnly(story.ManagedState, "spec.replicas: (absent) -> 3"),
						s.ExpectPrediction(story.Deployment),
						warns,
					),
					ConfigStateChecks: story.StateChecks(
						story.ExpectState(story.FieldOwnership, "spec.replicas: k8sconnect"),
						story.ExpectState(story.ManagedState, "spec.replicas: 3"),
						story.ExpectState(story.CoOwners, "spec.replicas: "+story.Absent),
					),
					Check: s.ExpectJSONPath(story.Web, map[string]string{"{.spec.replicas}": "3"}),
				},
			)
		})
	}
}

// An attribute shows both as "-> null": a field that stays with its owner, and one that is removed. The warning tells them
// apart, of a manifest and of an object of a set. A plan that only removes fields needs none.
func TestFieldsThatStayAndFieldsThatGo(t *testing.T) {
	w := story.New(t).HostedWorkspace()
	configure := func(data, ignore, rules string) {
		w.Configure(w.Expand(`
resource "k8sconnect_manifest" "one" {
  yaml_body = "{apiVersion: v1, kind: ConfigMap, metadata: {name: one, namespace: NS}, data: {` + data + `}}"
  ` + ignore + `
}
resource "k8sconnect_manifests" "set" {
  manifests = { two = "{apiVersion: v1, kind: ConfigMap, metadata: {name: two, namespace: NS}, data: {` + data + `}}" }
  ` + rules + `
}
`))
	}
	configure("left: a, kept: c, removed: b", "", "")
	w.Do("apply", "-auto-approve")
	for _, name := range []string{"one", "two"} {
		w.As("kubectl-patch").Patch("v1 ConfigMap "+name, `{"data":{"left":"z"}}`)
	}
	configure("kept: c", `ignore_fields = ["data.left"]`, `rules = [{ kinds = ["ConfigMap"], ignore_fields = ["data.left"] }]`)
	said := strings.Join(strings.Fields(w.Do("plan", "-no-color")), " ")
	for name, body := range map[string]string{"one": "yaml_body", "two": `manifests["two"]`} {
		want := w.Expand("ConfigMap NS/" + name + ` (v1): the apply leaves a field to its owner, with the value it has: data.left: "z", owned by "kubectl-patch" using v1 (kubectl patch,`)
		_, after, has := strings.Cut(said, want)
		removed := "The apply removes a field that leaves " + body + `: data.removed: "b"`
		if !has || !strings.Contains(after, removed) {
			t.Errorf("the plan lacks %q and %q:\n%s", want, removed, said)
		}
	}
	w.Do("apply", "-auto-approve")
	configure("kept: c, more: d", `ignore_fields = ["data.left"]`, `rules = [{ kinds = ["ConfigMap"], ignore_fields = ["data.left"] }]`)
	w.Do("apply", "-auto-approve")
	configure("kept: c", `ignore_fields = ["data.left"]`, `rules = [{ kinds = ["ConfigMap"], ignore_fields = ["data.left"] }]`)
	if said := w.Do("plan", "-no-color"); strings.Contains(said, "Field Ownership Change") {
		t.Errorf("a plan that only removes a field warns:\n%s", said)
	}
}
