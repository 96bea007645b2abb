package manifestresource_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// A manifest as generators write it is planned with one warning, and without one once nothing is to be done.
// What is left out is nobody's, and a text that differs in nothing else of metadata is no change.
func TestServerOwnedFields(t *testing.T) {
	s := newStory(t)
	generated := strings.Replace(deployment, "namespace: NS", "namespace: NS, creationTimestamp: null", 1) + "status: {}\n"
	const target = "apps/v1 Deployment web"
	s.run(
		resource.TestStep{
			Config: s.config(generated),
			ConfigPlanChecks: checks(s.expectWarning("Fields of the API Server Left Out",
				"Deployment "+s.namespace+"/web (apps/v1): metadata.creationTimestamp, status are not sent")),
		},
		resource.TestStep{
			PreConfig:        s.anew(),
			Config:           s.config(generated),
			ConfigPlanChecks: checks(plancheck.ExpectEmptyPlan(), s.expectNoWarning()),
		},
		resource.TestStep{
			Config:           s.config(strings.Replace(generated, "creationTimestamp: null", "uid: ''", 1)),
			ConfigPlanChecks: checks(plancheck.ExpectEmptyPlan(), s.expectNoWarning()),
		},
		resource.TestStep{
			Config:           s.config(strings.Replace(generated, "replicas: 3", "replicas: 2", 1)),
			ConfigPlanChecks: checks(expectValue("spec.replicas", "3", "2"), s.expectWarning("Fields of the API Server Left Out")),
			Check:            s.expectLive(target, map[string]any{"spec.replicas": int64(2)}),
		},
	)
}

// The status of a custom resource that has no subresource for it is a field like any other.
func TestStatusWithoutSubresource(t *testing.T) {
	s := newStory(t)
	s.installKind(strings.ReplaceAll(strings.ReplaceAll(strings.Replace(gadgets, "          spec:\n",
		"          status: {type: object, properties: {phase: {type: string}}}\n          spec:\n", 1), "gadget", "plain"), "Gadget", "Plain"), "plains")
	body := "{apiVersion: NS.example.com/v1, kind: Plain, metadata: {name: one, namespace: NS}, status: {phase: Ready}}"
	s.run(resource.TestStep{
		Config:           s.config(body),
		ConfigPlanChecks: checks(s.expectNoWarning()),
		Check:            s.expectLive("NS.example.com/v1 Plain one", map[string]any{"status.phase": "Ready"}),
	})
}
