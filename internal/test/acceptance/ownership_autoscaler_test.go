package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const webAutoscaler = `
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: NS}
spec:
  minReplicas: 5
  maxReplicas: 9
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
`

// A real HorizontalPodAutoscaler takes spec.replicas; the plan says so and what it would revert; ignoring
// the field resolves it, and the live value stays over two more applies.
func TestAutoscalerTakesReplicas(t *testing.T) {
	s := story.NewCompared(t)
	const target = "apps/v1 Deployment web"
	ignoring := `ignore_fields = ["spec.replicas"]`
	s.Run(
		resource.TestStep{
			Config: s.Config(story.Deployment),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOwner("spec.replicas", story.Absent, "k8sconnect"),
				story.ExpectValue("spec.replicas", story.Absent, "3"),
				s.ExpectPrediction(story.Deployment),
			),
			Check: s.ExpectLive(target, map[string]any{"spec.replicas": 3}),
		},
		resource.TestStep{
			PreConfig: func() {
				s.As("kubectl").Create(webAutoscaler)
				s.AwaitReplicas(story.Web, 5)
				s.Provider.Take()
			},
			Config:             s.Config(story.Deployment),
			PlanOnly:           true,
			ExpectNonEmptyPlan: true,
			ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{
				story.ExpectOnly("field_ownership", "spec.replicas: kube-controller-manager -> k8sconnect"),
				story.ExpectOnly("managed_state", "spec.replicas: 5 -> 3"),
				s.ExpectPrediction(story.Deployment),
				s.ExpectWarning("the apply takes back a field that another owner changed:\n",
					`spec.replicas: "5" -> "3", owned by "kube-controller-manager" with subresource "scale" using apps/v1 `+
						"(the HorizontalPodAutoscaler)", `ignore_fields = ["spec.replicas"]`),
			}},
		},
		resource.TestStep{
			PreConfig: func() { s.Provider.Take() },
			Config:    s.Config(story.Deployment, ignoring),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				story.ExpectOnly("field_ownership"),
				story.ExpectOnly("managed_state", "spec.replicas: 5 -> (absent)"),
				s.ExpectOnlyWarning("Field Ownership Change: ", "the apply leaves a field to its owner, with the value it has:",
					`spec.replicas: "5", owned by "kube-controller-manager" with subresource "scale"`),
			),
			Check: s.ExpectLive(target, map[string]any{"spec.replicas": 5}),
		},
		resource.TestStep{
			Config: s.Config(story.Deployment+"  minReadySeconds: 1\n", ignoring),
			Check:  s.ExpectLive(target, map[string]any{"spec.replicas": 5, "spec.minReadySeconds": 1}),
		},
		resource.TestStep{
			Config: s.Config(story.Deployment+"  minReadySeconds: 2\n", ignoring),
			Check:  s.ExpectLive(target, map[string]any{"spec.replicas": 5, "spec.minReadySeconds": 2}),
		},
	)
}

// Who adopts a Deployment with the replicas that an autoscaler has set shares a field that the autoscaler will change.
// The plan prints the line that leaves it to its owner, and with that line no client takes it from it.
func TestReplicasSharedWithAnAutoscaler(t *testing.T) {
	s := story.NewCompared(t)
	s.As("helm").Apply(story.Deployment) // Without an owner of replicas, the API server records none for a scale.
	s.As("hpa").Scale(story.Web, 4)
	const adopts, ignoring = "adopt_existing = true", `ignore_fields = ["spec.replicas"]`
	s.Run(
		resource.TestStep{
			Config: s.Config(story.WithReplicas(4), adopts), PlanOnly: true, ExpectNonEmptyPlan: true,
			ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{s.ExpectWarning(
				"shares", `spec.replicas: "4", owned by "hpa"`,
				"The owner of spec.replicas sets it through a subresource, as an autoscaler does, and will change it.", ignoring,
			)}},
		},
		resource.TestStep{
			PreConfig: s.NextStep(), Config: s.Config(story.WithReplicas(4), adopts, ignoring),
			Check: s.ExpectOwners(story.Web, "spec.replicas", "hpa"),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("hpa").Scale(story.Web, 6) }),
			Config:    s.Config(story.WithReplicas(4), adopts, ignoring), ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan(), s.ExpectNoWarning()),
			Check: s.ExpectLive(story.Web, map[string]any{"spec.replicas": 6}),
		},
	)
}
