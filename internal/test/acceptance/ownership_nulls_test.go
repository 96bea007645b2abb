package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A null in a built-in kind, or in metadata, is no field: it conflicts with nobody.
func TestNullIsAbsent(t *testing.T) {
	t.Parallel()
	t.Run("annotations of a Deployment", func(t *testing.T) {
		s := story.NewCompared(t)
		body := "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: NS, annotations: null}, spec: {replicas: 0, " +
			"strategy: null, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: nginx, env: null}]}}}}"
		s.Run(
			resource.TestStep{Config: s.Config(body), Check: func(*terraform.State) error { s.AwaitRollouts(); return nil }},
			resource.TestStep{Config: s.Config(body), PlanOnly: true},
		)
	})
	t.Run("labels and annotations that others write", func(t *testing.T) {
		s := story.NewCompared(t)
		body := "{apiVersion: v1, kind: ConfigMap, metadata: {name: web, namespace: NS, labels: null, annotations: null}, data: {a: b}}"
		s.Run(
			resource.TestStep{Config: s.Config(body)},
			resource.TestStep{
				PreConfig: s.NextStep(func() {
					s.As("kubectl-label").Patch("v1 ConfigMap web", `{"metadata":{"labels":{"a":"b"},"annotations":{"a":"b"}}}`)
				}),
				Config: s.Config(body, `on_conflict = "fail"`), ConfigPlanChecks: story.PlanChecks(s.ExpectNoWarning()),
			},
		)
	})
	t.Run("annotations of a custom resource", func(t *testing.T) {
		s := story.NewCompared(t)
		s.InstallGadgets()
		body := "{apiVersion: NS.example.com/v1, kind: Gadget, metadata: {name: one, namespace: NS, annotations: null}, spec: {size: 1}}"
		s.Run(
			resource.TestStep{Config: s.Config(body)},
			resource.TestStep{
				PreConfig: s.NextStep(func() { s.As("kubectl-annotate").Patch(s.GadgetTarget(), `{"metadata":{"annotations":{"a":"b"}}}`) }),
				Config:    s.Config(body), PlanOnly: true,
			},
		)
	})
}
