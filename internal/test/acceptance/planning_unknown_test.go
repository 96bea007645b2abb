package acceptance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// What is known only after the apply makes the computed attributes unknown: no error, and no request to
// any server while planning.
func TestUnknownAtPlan(t *testing.T) {
	t.Parallel()
	maps := []string{story.FieldOwnership, story.CoOwners, story.ManagedState}
	for name, unknown := range map[string]struct {
		config func(s *story.Story) string
		want   []string
	}{
		"the manifest": {
			want: story.Computed,
			config: func(s *story.Story) string {
				return s.ProviderBlock() + story.Later("body", s.Expand(story.ConfigMap)) +
					"resource \"k8sconnect_manifest\" \"test\" {\n  yaml_body = terraform_data.body.output\n}\n"
			},
		},
		"the namespace in the manifest": {
			want: story.Computed,
			config: func(s *story.Story) string {
				body := strings.Replace(story.ConfigMap, "namespace: NS", "namespace: ${terraform_data.namespace.output}", 1)
				return s.Config(body) + story.Later("namespace", s.Namespace)
			},
		},
		"a value in the manifest": {
			want: story.Computed,
			config: func(s *story.Story) string {
				return s.Config(strings.Replace(story.ConfigMap, "red", "${terraform_data.colour.output}", 1)) + story.Later("colour", "red")
			},
		},
		"the provider's connection": {
			want: story.Computed,
			config: func(s *story.Story) string {
				return "provider \"k8sconnect\" {\n  cluster = { kubeconfig = terraform_data.kubeconfig.output }\n}\n" +
					story.Later("kubeconfig", string(story.ControlPlane().Kubeconfig())) + s.Manifest("test", story.ConfigMap)
			},
		},
		"a part of the provider's connection": {
			want: story.Computed,
			config: func(s *story.Story) string {
				return fmt.Sprintf("provider \"k8sconnect\" {\n  cluster = {\n    config_path = %q\n"+
					"    context = terraform_data.context.output\n  }\n}\n", story.ControlPlane().KubeconfigPath()) +
					story.Later("context", "k8sconnect-test") + s.Manifest("test", story.ConfigMap)
			},
		},
		"the resource's connection": {
			want: story.Computed,
			config: func(s *story.Story) string {
				return story.Later("kubeconfig", string(story.ControlPlane().Kubeconfig())) +
					s.Manifest("test", story.ConfigMap, "cluster = { kubeconfig = terraform_data.kubeconfig.output }")
			},
		},
		"the provider's field manager": {
			want: story.Computed,
			config: func(s *story.Story) string {
				return fmt.Sprintf("provider \"k8sconnect\" {\n  cluster = { config_path = %q }\n  field_manager = terraform_data.manager.output\n}\n",
					story.ControlPlane().KubeconfigPath()) + story.Later("manager", "team-a") + s.Manifest("test", story.ConfigMap)
			},
		},
		"a path to ignore": {
			want: story.Computed,
			config: func(s *story.Story) string {
				return s.Config(story.ConfigMap, "ignore_fields = [terraform_data.path.output]") + story.Later("path", "metadata.labels.note")
			},
		},
		"all paths to ignore": {
			want: story.Computed,
			config: func(s *story.Story) string {
				return s.Config(story.ConfigMap, "ignore_fields = split(\",\", terraform_data.paths.output)") + story.Later("paths", "metadata.labels.note")
			},
		},
		"managers": {
			want: story.Computed,
			config: func(s *story.Story) string {
				return s.Config(story.ConfigMap, "ignore_managers = [terraform_data.name.output]", "take_over_managers = [terraform_data.name.output]") +
					story.Later("name", "helm")
			},
		},
		"what becomes of conflicts": {
			want: story.Computed,
			config: func(s *story.Story) string {
				return s.Config(story.ConfigMap, "on_conflict = terraform_data.policy.output") + story.Later("policy", "fail")
			},
		},
		"the namespace, which another resource is to create": {
			want: maps,
			config: func(s *story.Story) string {
				body := strings.Replace(story.ConfigMap, "namespace: NS", "namespace: ${k8sconnect_manifest.inner.object_ref.name}", 1)
				return s.Config(body) + s.Manifest("inner", story.InnerNamespace)
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			requests := s.Meter()
			config := unknown.config(s)
			planChecks := []plancheck.PlanCheck{
				story.ExpectAction(plancheck.ResourceActionCreate),
				story.ExpectUnknown(story.Address, unknown.want...),
			}
			if len(unknown.want) == len(story.Computed) {
				planChecks = append(planChecks, requests.Plans())
			}
			s.Run(resource.TestStep{
				PreConfig:        requests.Start,
				Config:           config,
				ConfigPlanChecks: story.PlanChecks(planChecks...),
				Check: story.LiveChecks(
					resource.TestCheckResourceAttr(story.Address, "managed_state.data.colour", "red"),
					resource.TestCheckResourceAttrSet(story.Address, "object_ref.uid"),
				),
			})
		})
	}
}

// Once the object exists, a connection that becomes unknown leaves the state as it is: where nothing else
// changes, nothing is planned, and nothing is asked.
func TestConnectionBecomesUnknown(t *testing.T) {
	s := story.New(t)
	requests := s.Meter()
	kubeconfig := string(story.ControlPlane().Kubeconfig())
	config := func(kubeconfig, body string) string {
		return "provider \"k8sconnect\" {\n  cluster = { kubeconfig = terraform_data.kubeconfig.output }\n}\n" +
			story.Later("kubeconfig", kubeconfig) + s.Manifest("test", body)
	}
	s.Run(
		resource.TestStep{Config: config(kubeconfig, story.ConfigMap)},
		resource.TestStep{
			PreConfig: requests.Start,
			Config:    config(kubeconfig+"# renewed\n", story.ConfigMap),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectAction(plancheck.ResourceActionNoop),
				plancheck.ExpectResourceAction("terraform_data.kubeconfig", plancheck.ResourceActionUpdate),
				requests.Plans(),
			),
			Check: s.ExpectLive("v1 ConfigMap web", map[string]any{"data.colour": "red"}),
		},
		resource.TestStep{
			PreConfig: requests.Start,
			Config:    config(kubeconfig+"# renewed again\n", strings.Replace(story.ConfigMap, "red", "blue", 1)),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectAction(plancheck.ResourceActionUpdate),
				story.ExpectUnknown(story.Address, story.FieldOwnership, story.CoOwners, story.ManagedState),
				requests.Plans(),
			),
			Check: story.LiveChecks(
				s.ExpectLive("v1 ConfigMap web", map[string]any{"data.colour": "blue"}),
				resource.TestCheckResourceAttr(story.Address, "managed_state.data.colour", "blue"),
			),
		},
	)
}

// Arguments that become unknown later are planned as updates of which nothing computed is known.
func TestArgumentBecomesUnknown(t *testing.T) {
	s := story.New(t)
	object := s.Sight("v1 ConfigMap web")
	config := func(colour string) string {
		return s.Config(strings.Replace(story.ConfigMap, "red", "${terraform_data.colour.output}", 1)) + story.Later("colour", colour)
	}
	s.Run(
		resource.TestStep{Config: config("red"), Check: object.See},
		resource.TestStep{
			Config: config("blue"),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectAction(plancheck.ResourceActionUpdate),
				story.ExpectUnknown(story.Address, story.Computed...),
			),
			Check: story.LiveChecks(
				object.ExpectKept,
				s.ExpectLive("v1 ConfigMap web", map[string]any{"data.colour": "blue"}),
				resource.TestCheckResourceAttr(story.Address, "managed_state.data.colour", "blue"),
			),
		},
	)
}

// An argument that says nothing of what the object is leaves its identity known, on which others depend.
func TestIdentityStaysKnown(t *testing.T) {
	s := story.New(t)
	config := func(manager string) string {
		return s.Config(story.ConfigMap, "ignore_managers = [terraform_data.manager.output]") + story.Later("manager", manager)
	}
	s.Run(
		resource.TestStep{Config: config("one")},
		resource.TestStep{
			Config: config("two"),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectAction(plancheck.ResourceActionUpdate),
				story.ExpectUnknown(story.Address, story.FieldOwnership, story.CoOwners, story.ManagedState),
			),
		},
	)
}
