package manifestresource_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// theirApply is a forced server-side apply of other values than ours.
const theirApply = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS, labels: {team: theirs}}
spec:
  template:
    spec:
      containers: [{name: app, image: "nginx:1.27"}]
`

// interference is what somebody else writes between a plan and its apply.
type interference struct {
	write func(*story)
	// overwritten are the declared fields that the apply takes back, sorted; the warning names them.
	overwritten []string
	// theirs are what they own after the apply, "path: manager".
	theirs []string
}

func theyScale(s *story) { s.as("kubectl").scale(web, 7) }

func theyLabel(s *story) {
	s.as("kubectl-label").patch(web, `{"metadata":{"labels":{"team":"theirs","tier":"theirs"}}}`)
}

func theyAnnotate(s *story) {
	s.as("kubectl-annotate").patch(web, `{"metadata":{"annotations":{"theirs":"theirs"}}}`)
}

func theyForce(s *story) { s.as("argocd").apply(theirApply) }

func theyEdit(s *story) {
	s.as("kubectl-edit").patch(web, `{"metadata":{"annotations":{"note":"theirs"}},"spec":{"minReadySeconds":9,"paused":true}}`)
}

var interferences = map[string]interference{
	"scale": {write: theyScale, overwritten: []string{"spec.replicas"}},
	"label, of which one is declared": {
		write: theyLabel, overwritten: []string{"metadata.labels.team"},
		theirs: []string{"metadata.labels.tier: kubectl-label"},
	},
	"annotate": {write: theyAnnotate, theirs: []string{"metadata.annotations.theirs: kubectl-annotate"}},
	"a forced apply by another manager": {
		write: theyForce, overwritten: []string{"metadata.labels.team", imageField},
	},
	"kubectl edit of declared fields": {
		write: theyEdit, overwritten: []string{"metadata.annotations.note", "spec.minReadySeconds"},
		theirs: []string{"spec.paused: kubectl-edit"},
	},
	"all at once": {
		write: func(s *story) {
			for _, write := range []func(*story){theyScale, theyLabel, theyAnnotate, theyForce, theyEdit} {
				write(s)
			}
		},
		overwritten: []string{
			"metadata.annotations.note", "metadata.labels.team", "spec.minReadySeconds", "spec.replicas", imageField,
		},
		theirs: []string{
			"metadata.labels.tier: kubectl-label", "metadata.annotations.theirs: kubectl-annotate", "spec.paused: kubectl-edit",
		},
	},
}

// The apply of a saved plan holds to it whatever others wrote in between: our values win, a warning names
// the declared fields of theirs that it overwrote, and the next plan shows what else they did.
func TestOthersWriteBetweenPlanAndApply(t *testing.T) {
	for name, test := range interferences {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			s.run(
				resource.TestStep{Config: s.config(busy("1")), ConfigPlanChecks: checks(s.expectPrediction(busy("1")))},
				resource.TestStep{
					PreConfig: s.anew(),
					Config:    s.config(busy("5")),
					ConfigPlanChecks: resource.ConfigPlanChecks{
						PreApply: []plancheck.PlanCheck{
							expectOnly(fieldOwnership),
							expectOnly(managedState, "spec.minReadySeconds: 1 -> 5"),
							s.expectPrediction(busy("5")),
							s.expectNoWarning(),
							meanwhile(func() { test.write(s) }),
						},
						PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan(), expectAfter(fieldOwnership, test.theirs...)},
					},
					ConfigStateChecks: states(
						expectState(managedState, "spec.replicas: 3", "spec.minReadySeconds: 5", imageField+": nginx:1.25"),
						expectState(fieldOwnership, "spec.replicas: k8sconnect", imageField+": k8sconnect"),
					),
					Check: lives(expectOurs(s), s.expectOverwritten(test.overwritten...)),
				},
			)
		})
	}
}

// expectOurs asserts that every declared field of busyBody has our value.
func expectOurs(s *story) resource.TestCheckFunc {
	return s.expectJSONPath(web, map[string]string{
		"{.spec.replicas}": "3", "{.spec.minReadySeconds}": "5", imagePath: "nginx:1.25",
		"{.metadata.labels.team}": "ours", "{.metadata.annotations.note}": "ours",
	})
}

// expectAfter asserts entries of a computed map that the plan leaves, each as "path: value".
func expectAfter(attribute string, entries ...string) plancheck.PlanCheck {
	return check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		p, err := plannedOf(req)
		if err != nil {
			return err
		}
		for _, want := range entries {
			path, value, _ := strings.Cut(want, ": ")
			if got := entry(p.after, attribute, path); got != value {
				return fmt.Errorf("%s[%s] is %s, want %s", attribute, path, got, value)
			}
		}
		return nil
	})
}
