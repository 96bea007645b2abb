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

// The status of a custom resource that has no subresource for it is not managed either.
func TestStatusWithoutSubresource(t *testing.T) {
	s := story.NewCompared(t)
	s.InstallKind(customresource.Definition("NS.example.com", "Plain", "status: {type: object, properties: {phase: {type: string}}}"))
	body := "{apiVersion: NS.example.com/v1, kind: Plain, metadata: {name: one, namespace: NS}, status: {phase: Ready}}"
	s.Run(resource.TestStep{
		Config:           s.Config(body),
		ConfigPlanChecks: story.PlanChecks(s.ExpectWarning("Status Left Out")),
		Check:            s.ExpectLive("NS.example.com/v1 Plain one", map[string]any{"status": story.Absent}),
	})
}
