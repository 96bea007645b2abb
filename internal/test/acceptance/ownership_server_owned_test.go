package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/customresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// What generators leave blank is not worth a warning; a status that is filled in is, until nothing is to be done. What
// is left out is nobody's, and a text that differs in nothing else of metadata is no change.
func TestServerOwnedFields(t *testing.T) {
	s := story.NewCompared(t)
	generated := strings.Replace(story.Deployment, "namespace: NS", "namespace: NS, creationTimestamp: null", 1) + "status: {}\n"
	filled := strings.Replace(generated, "status: {}", "status: {replicas: 3}", 1)
	const target = "apps/v1 Deployment web"
	s.Run(
		resource.TestStep{
			Config:           s.Config(generated),
			ConfigPlanChecks: story.PlanChecks(s.ExpectNoWarning()),
		},
		resource.TestStep{
			PreConfig:        s.NextStep(),
			Config:           s.Config(generated),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan(), s.ExpectNoWarning()),
		},
		resource.TestStep{
			Config:           s.Config(strings.Replace(generated, "creationTimestamp: null", "uid: ''", 1)),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan(), s.ExpectNoWarning()),
		},
		resource.TestStep{
			Config: s.Config(strings.Replace(filled, "replicas: 3", "replicas: 2", 1)),
			ConfigPlanChecks: story.PlanChecks(story.ExpectValue("spec.replicas", "3", "2"),
				s.ExpectWarning("Status Left Out", "Deployment "+s.Namespace+"/web (apps/v1): status is not sent")),
			Check: s.ExpectLive(target, map[string]any{"spec.replicas": int64(2)}),
		},
	)
}

// The status of a custom resource that has no subresource for it is a field like any other.
func TestStatusWithoutSubresource(t *testing.T) {
	s := story.NewCompared(t)
	s.InstallKind(customresource.Definition("NS.example.com", "Plain", "status: {type: object, properties: {phase: {type: string}, note: {type: string}}}"))
	const plain = "NS.example.com/v1 Plain one"
	body := "{apiVersion: NS.example.com/v1, kind: Plain, metadata: {name: one, namespace: NS}, status: {phase: Ready, note: mine}}"
	bad := func() { s.As("kubectl").Patch(plain, `{"status":{"phase":"Bad"}}`) }
	s.Run(
		resource.TestStep{
			Config:           s.Config(body),
			ConfigPlanChecks: story.PlanChecks(s.ExpectNoWarning()),
			Check:            s.ExpectLive(plain, map[string]any{"status.phase": "Ready"}),
		},
		resource.TestStep{
			PreConfig:        bad,
			Config:           s.Config(body),
			ConfigPlanChecks: story.PlanChecks(s.ExpectWarning("Field Ownership Conflict", `status.phase: "Bad" -> "Ready", owned by "kubectl"`)),
			Check:            s.ExpectLive(plain, map[string]any{"status.phase": "Ready"}),
		},
		resource.TestStep{
			Config: s.Config(body, `ignore_fields = ["status.phase"]`),
			Check:  s.ExpectLive(plain, map[string]any{"status.phase": "Ready", "status.note": "mine"}),
		},
		resource.TestStep{
			PreConfig: bad,
			Config:    s.Config(body, `ignore_fields = ["status.phase"]`),
			Check:     s.ExpectLive(plain, map[string]any{"status.phase": "Bad", "status.note": "mine"}),
		},
		resource.TestStep{
			Config: s.Config(strings.Replace(body, ", note: mine", "", 1), `ignore_fields = ["status.phase"]`),
			Check:  s.ExpectLive(plain, map[string]any{"status.phase": "Bad", "status.note": story.Absent}),
		},
	)
}
