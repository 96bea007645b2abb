package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// With on_conflict = "fail" a plan lists all that it would take, and nothing is applied.
func TestConflictsFailThePlan(t *testing.T) {
	s := story.New(t)
	more := strings.Replace(story.Deployment, "replicas: 3", "replicas: 3\n  minReadySeconds: 4", 1)
	s.Run(
		resource.TestStep{Config: s.Config(more, story.OrFail)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("kubectl-edit").Patch(story.Web, `{"spec":{"minReadySeconds":9}}`)
				s.As("kubectl").Scale(story.Web, 5)
			}),
			Config: s.Config(strings.Replace(more, "nginx:1.25", "nginx:1.27", 1), story.OrFail),
			ExpectError: story.Saying(
				"Field Ownership Conflict", `nothing is applied, because on_conflict is "fail"`, "takes back 2 fields",
				`spec.minReadySeconds: "9" -> "4", owned by "kubectl-edit" using apps/v1 (kubectl edit`,
				`spec.replicas: "5" -> "3", owned by "kubectl" with subresource "scale" using apps/v1 (kubectl scale`,
				`ignore_fields = ["spec.minReadySeconds", "spec.replicas"]`, `set on_conflict = "force"`,
			),
		},
		resource.TestStep{
			Config: s.Config(strings.Replace(more, "nginx:1.25", "nginx:1.27", 1), story.OrFail, `ignore_fields = ["spec.minReadySeconds", "spec.replicas"]`),
			Check: story.LiveChecks(
				s.ExpectLive(story.Web, map[string]any{"spec.minReadySeconds": 9, "spec.replicas": 5}),
				s.ExpectJSONPath(story.Web, map[string]string{story.ImagePath: "nginx:1.27"}),
			),
		},
		resource.TestStep{
			Config:           s.Config(more, `on_conflict = "force"`),
			ConfigPlanChecks: story.PlanChecks(s.ExpectWarning(`takes 2 fields from other owners`)),
			Check:            s.ExpectLive(story.Web, map[string]any{"spec.minReadySeconds": 4, "spec.replicas": 3}),
		},
	)
}

// Equal values are no conflict, nor is a change that is no other manager's.
func TestAgreementDoesNotFail(t *testing.T) {
	s := story.New(t)
	s.Run(
		resource.TestStep{Config: s.Config(story.Deployment, story.OrFail)},
		resource.TestStep{
			PreConfig:        s.NextStep(func() { s.As("helm").Apply(story.Deployment) }),
			Config:           s.Config(strings.Replace(story.Deployment, "replicas: 3", "replicas: 3\n  minReadySeconds: 4", 1), story.OrFail),
			ConfigPlanChecks: story.PlanChecks(story.ExpectOnly(story.ManagedState, "spec.minReadySeconds: (absent) -> 4")),
			Check:            s.ExpectLive(story.Web, map[string]any{"spec.minReadySeconds": 4}),
		},
		resource.TestStep{
			Config:      s.Config(story.WithReplicas(4), story.OrFail),
			ExpectError: story.Saying(`spec.replicas: "3" -> "4", owned by "helm"`, "The field is shared now; this change takes it from them."),
		},
		resource.TestStep{
			Config: s.Config(story.Deployment, story.OrFail),
			Check:  s.ExpectOwners(story.Web, "spec.replicas", "helm", "k8sconnect"),
		},
	)
}

// What other managers write between plan and apply fails the apply, and what they wrote stays.
func TestConflictSinceThePlanFailsTheApply(t *testing.T) {
	s := story.New(t)
	changed := strings.Replace(story.Deployment, "nginx:1.25", "nginx:1.27", 1)
	s.Run(
		resource.TestStep{Config: s.Config(story.Deployment, story.OrFail)},
		resource.TestStep{
			Config:           s.Config(changed, story.OrFail),
			ConfigPlanChecks: story.PlanChecks(story.Meanwhile(func() { s.As("kubectl").Scale(story.Web, 5) })),
			ExpectError:      story.Saying("Field Ownership Conflict", `"kubectl" with subresource "scale"`, "appeared after the plan", `ignore_fields = ["spec.replicas"]`),
		},
		resource.TestStep{
			Config:           s.Config(changed, story.OrFail, `ignore_fields = ["spec.replicas"]`),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate)),
			Check: story.LiveChecks(
				s.ExpectLive(story.Web, map[string]any{"spec.replicas": 5}),
				s.ExpectJSONPath(story.Web, map[string]string{story.ImagePath: "nginx:1.27"}),
			),
		},
	)
}
