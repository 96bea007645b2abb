package manifestresource_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// An object that is deleted between plan and apply is an error; the state keeps it until the next plan
// finds it gone and creates it again.
func TestObjectDeletedBetweenPlanAndApply(t *testing.T) {
	s := newStory(t)
	s.run(
		resource.TestStep{Config: s.config(busy("1")), ConfigPlanChecks: checks(s.expectPrediction(busy("1")))},
		resource.TestStep{
			Config: s.config(busy("5")),
			ConfigPlanChecks: checks(
				s.expectPrediction(busy("5")),
				meanwhile(func() { s.as("kubectl").remove(web) }),
			),
			ExpectError: saying("Object Changed Meanwhile", "/web (apps/v1)", "Plan again"),
		},
		resource.TestStep{
			PreConfig: func() {
				if !s.gone(web) {
					t.Error("the refused apply created the object")
				}
			},
			Config: s.config(busy("5")),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionCreate),
				s.expectPrediction(busy("5")),
			),
			Check: expectOurs(s),
		},
	)
}

// An object that is deleted and recreated between plan and apply is somebody else's: the apply leaves
// it alone, and the next plan shows what taking it would mean.
func TestObjectRecreatedBetweenPlanAndApply(t *testing.T) {
	theirs := strings.NewReplacer("ours", "theirs", "replicas: 3", "replicas: 1", "1.25", "1.27").Replace(busy("1"))
	for name, test := range map[string]struct{ arguments []string }{
		"while another field changes":    {},
		"while a field is being ignored": {arguments: []string{ignoreReplicas}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			recreate := meanwhile(func() {
				s.as("kubectl").remove(web)
				s.as("kubectl-create").create(theirs)
			})
			s.run(
				resource.TestStep{Config: s.config(busy("1")), ConfigPlanChecks: checks(s.expectPrediction(busy("1")))},
				resource.TestStep{
					Config:           s.config(busy("5"), test.arguments...),
					ConfigPlanChecks: checks(recreate),
					ExpectError:      saying("Object Changed Meanwhile", "web", "Plan again"),
				},
				resource.TestStep{
					PreConfig: s.anew(func() { requireUntouched(s, web) }),
					Config:    s.config(busy("5")),
					ConfigPlanChecks: checks(
						expectValue("spec.replicas", "1", "3"),
						expectOwner("spec.replicas", "kubectl-create", "k8sconnect"),
						s.expectPrediction(busy("5")),
						s.expectWarning(`spec.replicas: "1" -> "3", owned by "kubectl-create"`),
					),
					ConfigStateChecks: states(expectState(fieldOwnership, "spec.replicas: k8sconnect")),
					Check:             expectOurs(s),
				},
			)
		})
	}
}

// An object that somebody else creates between our create plan and its apply is not adopted.
func TestObjectCreatedByOthersBetweenPlanAndApply(t *testing.T) {
	s := newStory(t)
	s.run(
		resource.TestStep{
			Config: s.config(busy("5")),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionCreate),
				s.expectPrediction(busy("5")),
				meanwhile(func() { s.as("kubectl-create").create(busy("1")) }),
			),
			ExpectError: saying("Object Already Exists", "import {", `id = "apiVersion=apps/v1,kind=Deployment,namespace=`),
		},
		resource.TestStep{
			PreConfig: s.anew(func() {
				requireUntouched(s, web)
				s.as("kubectl").remove(web)
			}),
			Config:           s.config(busy("5")),
			ConfigPlanChecks: checks(s.expectPrediction(busy("5")), s.expectNoWarning()),
			Check:            expectOurs(s),
		},
	)
}

// What asks nothing of the user is silent: a co-owner with our values who appears in between, and a
// scale of replicas that the plan ignores.
func TestHarmlessWritesBetweenPlanAndApply(t *testing.T) {
	for name, test := range map[string]struct {
		arguments []string
		sent      func(string) string
		write     func(*story)
		replicas  string
		after     []string
	}{
		"a co-owner with equal values": {
			sent: func(body string) string { return body },
			write: func(s *story) {
				s.as("argocd").apply(strings.Replace(busy("5"), "minReadySeconds: 5", "paused: false", 1))
			},
			replicas: "3",
			after:    []string{"spec.replicas: [argocd k8sconnect]", imageField + ": [argocd k8sconnect]"},
		},
		"a scale of ignored replicas": {
			arguments: []string{ignoreReplicas},
			sent:      unscaled,
			write:     func(s *story) { s.as("kube-controller-manager").scale(web, 7) },
			replicas:  "7",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			s.run(
				resource.TestStep{Config: s.config(busy("1"), test.arguments...)},
				resource.TestStep{
					PreConfig: s.anew(),
					Config:    s.config(busy("5"), test.arguments...),
					ConfigPlanChecks: resource.ConfigPlanChecks{
						PreApply: []plancheck.PlanCheck{
							expectOnly(managedState, "spec.minReadySeconds: 1 -> 5"),
							s.expectPrediction(test.sent(busy("5"))),
							s.expectNoWarning(),
							meanwhile(func() { test.write(s) }),
						},
						PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan(), expectAfter(coOwners, test.after...)},
					},
					ConfigStateChecks: states(expectState(managedState, "spec.minReadySeconds: 5")),
					Check: lives(
						s.expectSilence(),
						s.expectJSONPath(web, map[string]string{"{.spec.replicas}": test.replicas, "{.spec.minReadySeconds}": "5"}),
					),
				},
			)
		})
	}
}

// Somebody who shared a field when the plan was made, and has written another value since, loses it: the
// apply holds to the plan and names the field, and the next refresh shows who is left.
func TestCoOwnerIsEvictedBetweenPlanAndApply(t *testing.T) {
	s := newStory(t)
	const theirReplicas = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS}\nspec: {replicas: N}"
	applyReplicas := func(n string) { s.as("argocd").apply(strings.Replace(theirReplicas, "N}", n+"}", 1)) }
	const shared = "spec.replicas: [argocd k8sconnect]"
	s.run(
		resource.TestStep{Config: s.config(busy("1")), ConfigPlanChecks: checks(s.expectPrediction(busy("1")))},
		resource.TestStep{
			PreConfig: s.anew(func() { applyReplicas("3") }),
			Config:    s.config(busy("5")),
			ConfigPlanChecks: resource.ConfigPlanChecks{
				PreApply: []plancheck.PlanCheck{
					expectAfter(coOwners, shared),
					s.expectPrediction(busy("5")),
					s.expectNoWarning(),
					meanwhile(func() { applyReplicas("9") }),
				},
				PostApplyPreRefresh: []plancheck.PlanCheck{expectAfter(coOwners, shared)},
				PostApplyPostRefresh: []plancheck.PlanCheck{
					plancheck.ExpectEmptyPlan(),
					expectAfter(coOwners, "spec.replicas: "+absent),
					expectAfter(fieldOwnership, "spec.replicas: k8sconnect"),
				},
			},
			Check: lives(expectOurs(s), s.expectOverwritten("spec.replicas"), s.expectOwners(web, "spec.replicas", "k8sconnect")),
		},
	)
}

// requireUntouched fails unless the object, which others created, is as they did.
func requireUntouched(s *story, target string) {
	s.t.Helper()
	live := s.live(target)
	for _, entry := range live.GetManagedFields() {
		if strings.HasPrefix(entry.Manager, "k8sconnect") {
			s.t.Errorf("%s is now owned by %s", target, entry.Manager)
		}
	}
	if live.GetGeneration() != 1 {
		s.t.Errorf("%s was written to: its generation is %d", target, live.GetGeneration())
	}
}
