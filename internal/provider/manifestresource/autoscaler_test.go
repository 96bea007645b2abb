package manifestresource_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

const autoscaler = `
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
	s := newStory(t)
	const target = "apps/v1 Deployment web"
	ignoring := `ignore_fields = ["spec.replicas"]`
	s.run(
		resource.TestStep{
			Config: s.config(deployment),
			ConfigPlanChecks: checks(
				expectOwner("spec.replicas", absent, "k8sconnect"),
				expectValue("spec.replicas", absent, "3"),
				s.expectPrediction(deployment),
			),
			Check: s.expectLive(target, map[string]any{"spec.replicas": 3}),
		},
		resource.TestStep{
			PreConfig: func() {
				s.as("kubectl").create(autoscaler)
				s.awaitReplicas(5)
				s.provider.take()
			},
			Config:             s.config(deployment),
			PlanOnly:           true,
			ExpectNonEmptyPlan: true,
			ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{
				expectOnly("field_ownership", "spec.replicas: kube-controller-manager -> k8sconnect"),
				expectOnly("managed_state", "spec.replicas: 5 -> 3"),
				s.expectPrediction(deployment),
				s.expectWarning("the apply takes back a field that another owner changed:\n",
					`spec.replicas: "5" -> "3", owned by "kube-controller-manager" with subresource "scale" using apps/v1 `+
						"(the HorizontalPodAutoscaler or kubectl scale)", `ignore_fields = ["spec.replicas"]`),
			}},
		},
		resource.TestStep{
			PreConfig: func() { s.provider.take() },
			Config:    s.config(deployment, ignoring),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				expectOnly("field_ownership"),
				expectOnly("managed_state", "spec.replicas: 5 -> (absent)"),
				s.expectNoWarning(),
			),
			Check: s.expectLive(target, map[string]any{"spec.replicas": 5}),
		},
		resource.TestStep{
			Config: s.config(deployment+"  minReadySeconds: 1\n", ignoring),
			Check:  s.expectLive(target, map[string]any{"spec.replicas": 5, "spec.minReadySeconds": 1}),
		},
		resource.TestStep{
			Config: s.config(deployment+"  minReadySeconds: 2\n", ignoring),
			Check:  s.expectLive(target, map[string]any{"spec.replicas": 5, "spec.minReadySeconds": 2}),
		},
	)
}
