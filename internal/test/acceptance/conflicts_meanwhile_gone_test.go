package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// An object that is deleted between plan and apply is an error; the state keeps it until the next plan
// finds it gone and creates it again.
func TestObjectDeletedBetweenPlanAndApply(t *testing.T) {
	s := story.New(t)
	s.Run(
		resource.TestStep{Config: s.Config(story.Busy("1")), ConfigPlanChecks: story.PlanChecks(s.ExpectPrediction(story.Busy("1")))},
		resource.TestStep{
			Config: s.Config(story.Busy("5")),
			ConfigPlanChecks: story.PlanChecks(
				s.ExpectPrediction(story.Busy("5")),
				story.Meanwhile(func() { s.As("kubectl").Remove(story.Web) }),
			),
			ExpectError: story.Saying("Object Changed Since the Plan", "/web (apps/v1)", "Plan again"),
		},
		resource.TestStep{
			PreConfig: func() {
				if !s.Gone(story.Web) {
					t.Error("the refused apply created the object")
				}
			},
			Config: s.Config(story.Busy("5")),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionCreate),
				s.ExpectPrediction(story.Busy("5")),
			),
			Check: expectOurs(s),
		},
	)
}

// An object that is deleted and recreated between plan and apply is another client's: the apply leaves it alone, and
// the next plan shows what taking it would mean.
func TestObjectRecreatedBetweenPlanAndApply(t *testing.T) {
	t.Parallel()
	theirs := strings.NewReplacer("ours", "theirs", "replicas: 3", "replicas: 1", "1.25", "1.27").Replace(story.Busy("1"))
	for name, test := range map[string]struct{ arguments []string }{
		"while another field changes":    {},
		"while a field is being ignored": {arguments: []string{story.IgnoreReplicas}},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			recreate := story.Meanwhile(func() {
				s.As("kubectl").Remove(story.Web)
				s.As("kubectl-create").Create(theirs)
				s.AwaitRollouts()
			})
			s.Run(
				resource.TestStep{Config: s.Config(story.Busy("1")), ConfigPlanChecks: story.PlanChecks(s.ExpectPrediction(story.Busy("1")))},
				resource.TestStep{
					Config:           s.Config(story.Busy("5"), test.arguments...),
					ConfigPlanChecks: story.PlanChecks(recreate),
					ExpectError:      story.Saying("Object Changed Since the Plan", "web", "Plan again"),
				},
				resource.TestStep{
					PreConfig: s.NextStep(func() { requireUntouched(s, story.Web) }),
					Config:    s.Config(story.Busy("5")),
					ConfigPlanChecks: story.PlanChecks(
						story.ExpectValue("spec.replicas", "1", "3"),
						story.ExpectOwner("spec.replicas", "kubectl-create", "k8sconnect"),
						s.ExpectPrediction(story.Busy("5")),
						s.ExpectWarning(`spec.replicas: "1" -> "3", owned by "kubectl-create"`),
					),
					ConfigStateChecks: story.StateChecks(story.ExpectState(story.FieldOwnership, "spec.replicas: k8sconnect")),
					Check:             expectOurs(s),
				},
			)
		})
	}
}

// An object that another client creates between our create plan and its apply is not adopted.
func TestObjectCreatedByOthersBetweenPlanAndApply(t *testing.T) {
	s := story.New(t)
	s.Run(
		resource.TestStep{
			Config: s.Config(story.Busy("5")),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionCreate),
				s.ExpectPrediction(story.Busy("5")),
				story.Meanwhile(func() { s.As("kubectl-create").Create(story.Busy("1")) }),
			),
			ExpectError: story.Saying("Object Already Exists", "import {", `id = "apiVersion=apps/v1,kind=Deployment,namespace=`),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				requireUntouched(s, story.Web)
				s.As("kubectl").Remove(story.Web)
			}),
			Config:           s.Config(story.Busy("5")),
			ConfigPlanChecks: story.PlanChecks(s.ExpectPrediction(story.Busy("5")), s.ExpectNoWarning()),
			Check:            expectOurs(s),
		},
	)
}

// Changes that need no decision cause no warning: a new co-owner with our values between plan and apply, and a
// scale of replicas that the plan ignores.
func TestHarmlessWritesBetweenPlanAndApply(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		arguments []string
		sent      func(string) string
		write     func(*story.Story)
		replicas  string
		after     []string
	}{
		"a co-owner with equal values": {
			sent: func(body string) string { return body },
			write: func(s *story.Story) {
				s.As("argocd").Apply(strings.Replace(story.Busy("5"), "minReadySeconds: 5", "paused: false", 1))
			},
			replicas: "3",
			after:    []string{"spec.replicas: [argocd k8sconnect]", story.ImageField + ": [argocd k8sconnect]"},
		},
		"a scale of ignored replicas": {
			arguments: []string{story.IgnoreReplicas},
			sent:      story.Unscaled,
			write:     func(s *story.Story) { s.As("kube-controller-manager").Scale(story.Web, 7) },
			replicas:  "7",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.Run(
				resource.TestStep{Config: s.Config(story.Busy("1"), test.arguments...)},
				resource.TestStep{
					PreConfig: s.NextStep(),
					Config:    s.Config(story.Busy("5"), test.arguments...),
					ConfigPlanChecks: resource.ConfigPlanChecks{
						PreApply: []plancheck.PlanCheck{
							story.ExpectOnly(story.ManagedState, "spec.minReadySeconds: 1 -> 5"),
							s.ExpectPrediction(test.sent(story.Busy("5"))),
							s.ExpectNoWarning(),
							story.Meanwhile(func() { test.write(s) }),
						},
						PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan(), expectAfter(story.CoOwners, test.after...)},
					},
					ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, "spec.minReadySeconds: 5")),
					Check: story.LiveChecks(
						s.ExpectSilence(),
						s.ExpectJSONPath(story.Web, map[string]string{"{.spec.replicas}": test.replicas, "{.spec.minReadySeconds}": "5"}),
					),
				},
			)
		})
	}
}

// A client that shared a field when the plan was made, and has written another value since, loses it: the apply holds
// to the plan and names the field, and the next refresh shows who is left.
func TestCoOwnerIsEvictedBetweenPlanAndApply(t *testing.T) {
	s := story.New(t)
	const theirReplicas = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS}\nspec: {replicas: N}"
	applyReplicas := func(n string) { s.As("argocd").Apply(strings.Replace(theirReplicas, "N}", n+"}", 1)) }
	const shared = "spec.replicas: [argocd k8sconnect]"
	s.Run(
		resource.TestStep{Config: s.Config(story.Busy("1")), ConfigPlanChecks: story.PlanChecks(s.ExpectPrediction(story.Busy("1")))},
		resource.TestStep{
			PreConfig: s.NextStep(func() { applyReplicas("3") }),
			Config:    s.Config(story.Busy("5")),
			ConfigPlanChecks: resource.ConfigPlanChecks{
				PreApply: []plancheck.PlanCheck{
					expectAfter(story.CoOwners, shared),
					s.ExpectPrediction(story.Busy("5")),
					s.ExpectNoWarning(),
					story.Meanwhile(func() { applyReplicas("9") }),
				},
				PostApplyPreRefresh: []plancheck.PlanCheck{expectAfter(story.CoOwners, shared)},
				PostApplyPostRefresh: []plancheck.PlanCheck{
					plancheck.ExpectEmptyPlan(),
					expectAfter(story.CoOwners, "spec.replicas: "+story.Absent),
					expectAfter(story.FieldOwnership, "spec.replicas: k8sconnect"),
				},
			},
			Check: story.LiveChecks(expectOurs(s), s.ExpectOverwritten("spec.replicas"), s.ExpectOwners(story.Web, "spec.replicas", "k8sconnect")),
		},
	)
}

// requireUntouched fails unless the object, which other managers created, is as they did.
func requireUntouched(s *story.Story, target string) {
	s.T.Helper()
	live := s.Live(target)
	for _, entry := range live.GetManagedFields() {
		if strings.HasPrefix(entry.Manager, "k8sconnect") {
			s.T.Errorf("%s is now owned by %s", target, entry.Manager)
		}
	}
	if live.GetGeneration() != 1 {
		s.T.Errorf("%s was written to: its generation is %d", target, live.GetGeneration())
	}
}
