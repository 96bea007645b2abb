package acceptance_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
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

// interference is what another client writes between a plan and its apply.
type interference struct {
	write func(*story.Story)
	// overwritten are the declared fields that the apply takes back, sorted; the warning names them.
	overwritten []string
	// theirs are what they own after the apply, "path: manager".
	theirs []string
}

func theyScale(s *story.Story) { s.As("kubectl").Scale(story.Web, 7) }

func theyLabel(s *story.Story) {
	s.As("kubectl-label").Patch(story.Web, `{"metadata":{"labels":{"team":"theirs","tier":"theirs"}}}`)
}

func theyAnnotate(s *story.Story) {
	s.As("kubectl-annotate").Patch(story.Web, `{"metadata":{"annotations":{"theirs":"theirs"}}}`)
}

func theyForce(s *story.Story) { s.As("argocd").Apply(theirApply) }

func theyEdit(s *story.Story) {
	s.As("kubectl-edit").Patch(story.Web, `{"metadata":{"annotations":{"note":"theirs"}},"spec":{"minReadySeconds":9,"paused":true}}`)
}

var interferences = map[string]interference{
	"scale": {write: theyScale, overwritten: []string{"spec.replicas"}},
	"label, of which one is declared": {
		write: theyLabel, overwritten: []string{"metadata.labels.team"},
		theirs: []string{"metadata.labels.tier: kubectl-label"},
	},
	"annotate": {write: theyAnnotate, theirs: []string{"metadata.annotations.theirs: kubectl-annotate"}},
	"a forced apply by another manager": {
		write: theyForce, overwritten: []string{"metadata.labels.team", story.ImageField},
	},
	"kubectl edit of declared fields": {
		write: theyEdit, overwritten: []string{"metadata.annotations.note", "spec.minReadySeconds"},
		theirs: []string{"spec.paused: kubectl-edit"},
	},
	"all at once": {
		write: func(s *story.Story) {
			for _, write := range []func(*story.Story){theyScale, theyLabel, theyAnnotate, theyForce, theyEdit} {
				write(s)
			}
		},
		overwritten: []string{
			"metadata.annotations.note", "metadata.labels.team", "spec.minReadySeconds", "spec.replicas", story.ImageField,
		},
		theirs: []string{
			"metadata.labels.tier: kubectl-label", "metadata.annotations.theirs: kubectl-annotate", "spec.paused: kubectl-edit",
		},
	},
}

// The apply of a saved plan holds to it whatever other managers wrote in between: our values win, a warning names the
// declared fields of theirs that it overwrote, and the next plan shows what else they did.
func TestOthersWriteBetweenPlanAndApply(t *testing.T) {
	t.Parallel()
	for name, test := range interferences {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.Run(
				resource.TestStep{Config: s.Config(story.Busy("1")), ConfigPlanChecks: story.PlanChecks(s.ExpectPrediction(story.Busy("1")))},
				resource.TestStep{
					PreConfig: s.NextStep(),
					Config:    s.Config(story.Busy("5")),
					ConfigPlanChecks: resource.ConfigPlanChecks{
						PreApply: []plancheck.PlanCheck{
							story.ExpectOnly(story.FieldOwnership),
							story.ExpectOnly(story.ManagedState, "spec.minReadySeconds: 1 -> 5"),
							s.ExpectPrediction(story.Busy("5")),
							s.ExpectNoWarning(),
							story.Meanwhile(func() { test.write(s) }),
						},
						PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan(), expectAfter(story.FieldOwnership, test.theirs...)},
					},
					ConfigStateChecks: story.StateChecks(
						story.ExpectState(story.ManagedState, "spec.replicas: 3", "spec.minReadySeconds: 5", story.ImageField+": nginx:1.25"),
						story.ExpectState(story.FieldOwnership, "spec.replicas: k8sconnect", story.ImageField+": k8sconnect"),
					),
					Check: story.LiveChecks(expectOurs(s), s.ExpectOverwritten(test.overwritten...)),
				},
			)
		})
	}
}

// expectOurs asserts that every declared field of busyBody has our value.
func expectOurs(s *story.Story) resource.TestCheckFunc {
	return s.ExpectJSONPath(story.Web, map[string]string{
		"{.spec.replicas}": "3", "{.spec.minReadySeconds}": "5", story.ImagePath: "nginx:1.25",
		"{.metadata.labels.team}": "ours", "{.metadata.annotations.note}": "ours",
	})
}

// expectAfter asserts entries of a computed map that the plan leaves, each as "path: value".
func expectAfter(attribute string, entries ...string) plancheck.PlanCheck {
	return story.Check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		p, err := story.PlannedOf(req)
		if err != nil {
			return err
		}
		for _, want := range entries {
			path, value, _ := strings.Cut(want, ": ")
			if got := story.Entry(p.After, attribute, path); got != value {
				return fmt.Errorf("%s[%s] is %s, want %s", attribute, path, got, value)
			}
		}
		return nil
	})
}
