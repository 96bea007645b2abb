package manifestresource_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// With on_conflict = "fail" a plan lists all that it would take, and nothing is applied.
func TestConflictsFailThePlan(t *testing.T) {
	s := newStory(t)
	more := strings.Replace(deployment, "replicas: 3", "replicas: 3\n  minReadySeconds: 4", 1)
	s.run(
		resource.TestStep{Config: s.config(more, orFail)},
		resource.TestStep{
			PreConfig: s.anew(func() {
				s.as("kubectl-edit").patch(web, `{"spec":{"minReadySeconds":9}}`)
				s.as("kubectl").scale(web, 5)
			}),
			Config: s.config(strings.Replace(more, "nginx:1.25", "nginx:1.27", 1), orFail),
			ExpectError: saying(
				"Field Ownership Conflict", `nothing is applied, because on_conflict is "fail"`, "takes back 2 fields",
				`spec.minReadySeconds: "9" -> "4", owned by "kubectl-edit" using apps/v1 (kubectl edit`,
				`spec.replicas: "5" -> "3", owned by "kubectl" with subresource "scale" using apps/v1 (kubectl scale`,
				`ignore_fields = ["spec.minReadySeconds", "spec.replicas"]`, `set on_conflict = "force"`,
			),
		},
		resource.TestStep{
			Config: s.config(strings.Replace(more, "nginx:1.25", "nginx:1.27", 1), orFail, `ignore_fields = ["spec.minReadySeconds", "spec.replicas"]`),
			Check: lives(
				s.expectLive(web, map[string]any{"spec.minReadySeconds": 9, "spec.replicas": 5}),
				s.expectJSONPath(web, map[string]string{imagePath: "nginx:1.27"}),
			),
		},
		resource.TestStep{
			Config:           s.config(more, `on_conflict = "force"`),
			ConfigPlanChecks: checks(s.expectWarning(`takes 2 fields from other owners`)),
			Check:            s.expectLive(web, map[string]any{"spec.minReadySeconds": 4, "spec.replicas": 3}),
		},
	)
}

// Equal values are no conflict, nor is a change that is nobody else's.
func TestAgreementDoesNotFail(t *testing.T) {
	s := newStory(t)
	s.run(
		resource.TestStep{Config: s.config(deployment, orFail)},
		resource.TestStep{
			PreConfig:        s.anew(func() { s.as("helm").apply(deployment) }),
			Config:           s.config(strings.Replace(deployment, "replicas: 3", "replicas: 3\n  minReadySeconds: 4", 1), orFail),
			ConfigPlanChecks: checks(expectOnly(managedState, "spec.minReadySeconds: (absent) -> 4")),
			Check:            s.expectLive(web, map[string]any{"spec.minReadySeconds": 4}),
		},
		resource.TestStep{
			Config:      s.config(withReplicas(4), orFail),
			ExpectError: saying(`spec.replicas: "3" -> "4", owned by "helm"`, "Both own the value it has now; the change here ends their share."),
		},
		resource.TestStep{
			Config: s.config(deployment, orFail),
			Check:  s.expectOwners(web, "spec.replicas", "helm", "k8sconnect"),
		},
	)
}

// What others write between plan and apply fails the apply, and what they wrote stays.
func TestConflictSinceThePlanFailsTheApply(t *testing.T) {
	s := newStory(t)
	changed := strings.Replace(deployment, "nginx:1.25", "nginx:1.27", 1)
	s.run(
		resource.TestStep{Config: s.config(deployment, orFail)},
		resource.TestStep{
			Config:           s.config(changed, orFail),
			ConfigPlanChecks: checks(meanwhile(func() { s.as("kubectl").scale(web, 5) })),
			ExpectError:      saying("Field Ownership Conflict", `"kubectl" with subresource "scale"`, "newer than the plan", `ignore_fields = ["spec.replicas"]`),
		},
		resource.TestStep{
			Config:           s.config(changed, orFail, `ignore_fields = ["spec.replicas"]`),
			ConfigPlanChecks: checks(plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate)),
			Check: lives(
				s.expectLive(web, map[string]any{"spec.replicas": 5}),
				s.expectJSONPath(web, map[string]string{imagePath: "nginx:1.27"}),
			),
		},
	)
}
