package acceptance_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const innerWidget = `
apiVersion: NS.example.com/v1
kind: Widget
metadata: {name: web, namespace: NS-inner}
spec: {colour: red}
`

const innerDeployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS-inner}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: app, image: "nginx:1.25"}]
`

// A namespace, a definition, an object of the defined kind and a Deployment are created in one apply and
// destroyed in one. What depends on an object that is still to come is unknown in the plan.
func TestTogether(t *testing.T) {
	t.Parallel()
	for name, order := range map[string]struct{ widget, deployment string }{
		"in the order that depends_on gives": {
			widget:     "depends_on = [k8sconnect_manifest.definition, k8sconnect_manifest.namespace]",
			deployment: "depends_on = [k8sconnect_manifest.namespace]",
		},
		"in any order": {},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			config := s.ProviderBlock() +
				s.Manifest("namespace", story.InnerNamespace) +
				s.Manifest("definition", story.WidgetDefinition) +
				s.Manifest("test", innerWidget, order.widget) +
				s.Manifest("deployment", innerDeployment, order.deployment)
			all := []string{
				"v1 Namespace NS-inner",
				"apiextensions.k8s.io/v1 CustomResourceDefinition widgets.NS.example.com",
				"NS.example.com/v1 Widget NS-inner/web",
				"apps/v1 Deployment NS-inner/web",
			}
			s.Run(
				resource.TestStep{
					Config: config,
					ConfigPlanChecks: story.PlanChecks(
						story.ExpectUnknown("k8sconnect_manifest.namespace"),
						story.ExpectUnknown("k8sconnect_manifest.definition"),
						story.ExpectUnknown(story.Address, story.Computed...),
						story.ExpectUnknown("k8sconnect_manifest.deployment", story.FieldOwnership, story.CoOwners, story.ManagedState),
					),
					Check: story.LiveChecks(
						s.ExpectLive(all[2], map[string]any{"spec.colour": "red", "spec.size": 3}),
						s.ExpectLive(all[3], map[string]any{"spec.replicas": 1}),
						resource.TestCheckResourceAttr(story.Address, "managed_state.spec.colour", "red"),
						resource.TestCheckResourceAttr(story.Address, "field_ownership.spec.colour", "k8sconnect"),
						resource.TestCheckResourceAttr(story.Address, "object_ref.namespace", s.Expand("NS-inner")),
					),
				},
				s.Noop(config),
				resource.TestStep{Config: config, Destroy: true},
				resource.TestStep{Config: s.ProviderBlock(), Check: s.ExpectGone(all...)},
			)
		})
	}
}

// The apply waits until the timeout for a dependency that never comes, and then names it.
func TestDependencyNeverComes(t *testing.T) {
	t.Parallel()
	for name, missing := range map[string]struct {
		body string
		says []string
	}{
		"a custom resource without its definition": {
			body: "apiVersion: never.example.com/v1\nkind: Widget\nmetadata: {name: web, namespace: NS}\n",
			says: []string{
				"Dependency Still Missing", "Widget NS/web (never.example.com/v1) could not be created",
				"does not serve the kind Widget in never.example.com/v1", "waited ≤6s", "timeouts.create",
			},
		},
		"an object without its namespace": {
			body: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: NS-never}\n",
			says: []string{
				"Dependency Still Missing", "ConfigMap NS-never/web (v1) could not be created",
				`namespaces "NS-never" not found`, "waited ≤6s", "timeouts.create",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			for i, text := range missing.says {
				missing.says[i] = s.Expand(text)
			}
			var began time.Time
			s.Run(
				resource.TestStep{
					PreConfig:   func() { began = time.Now() },
					Config:      s.Config(missing.body, `timeouts { create = "6s" }`),
					ExpectError: story.Saying(missing.says...),
				},
				resource.TestStep{
					Config: s.ProviderBlock(),
					Check: func(state *terraform.State) error {
						if waited := time.Since(began); waited > time.Minute {
							return fmt.Errorf("a timeout of 6s took %s", waited)
						}
						if len(state.RootModule().Resources) > 0 {
							return fmt.Errorf("what was not created is in the state: %v", state.RootModule().Resources)
						}
						return nil
					},
				},
			)
		})
	}
}

// A kind that a built-in group does not have will not come: the plan says so and names the nearest ones.
func TestKindMissingFromBuiltinGroup(t *testing.T) {
	t.Parallel()
	for name, missing := range map[string]struct{ apiVersion, kind, nearest string }{
		"a slip of the pen":          {"apps/v1", "Deploymnet", "apps/v1 Deployment"},
		"a version that was removed": {"batch/v1beta1", "CronJob", "batch/v1 CronJob"},
		"a group that was replaced":  {"extensions/v1beta1", "Ingress", "networking.k8s.io/v1 Ingress"},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.Run(resource.TestStep{
				Config: s.Config("apiVersion: " + missing.apiVersion + "\nkind: " + missing.kind +
					"\nmetadata: {name: web, namespace: NS}\n"),
				PlanOnly: true,
				ExpectError: story.Saying("Kind Not Served", missing.kind, s.Expand("NS/web"), "could not be planned",
					"The nearest kind that the cluster serves is "+missing.nearest),
			})
		})
	}
}
