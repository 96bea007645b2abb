package manifestresource_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// What is known after the apply only makes the computed attributes unknown: no error, and no request to
// any server while planning.
func TestUnknownAtPlan(t *testing.T) {
	maps := []string{fieldOwnership, coOwners, managedState}
	for name, unknown := range map[string]struct {
		config func(s *story) string
		want   []string
	}{
		"the manifest": {
			want: computed,
			config: func(s *story) string {
				return s.providerBlock() + later("body", s.expand(configMap)) +
					"resource \"k8sconnect_manifest\" \"test\" {\n  yaml_body = terraform_data.body.output\n}\n"
			},
		},
		"the namespace in the manifest": {
			want: computed,
			config: func(s *story) string {
				body := strings.Replace(configMap, "namespace: NS", "namespace: ${terraform_data.namespace.output}", 1)
				return s.config(body) + later("namespace", s.namespace)
			},
		},
		"a value in the manifest": {
			want: computed,
			config: func(s *story) string {
				return s.config(strings.Replace(configMap, "red", "${terraform_data.colour.output}", 1)) + later("colour", "red")
			},
		},
		"the provider's connection": {
			want: computed,
			config: func(s *story) string {
				return "provider \"k8sconnect\" {\n  cluster = { kubeconfig = terraform_data.kubeconfig.output }\n}\n" +
					later("kubeconfig", string(controlPlane().Kubeconfig())) + s.manifest("test", configMap)
			},
		},
		"a part of the provider's connection": {
			want: computed,
			config: func(s *story) string {
				return fmt.Sprintf("provider \"k8sconnect\" {\n  cluster = {\n    config_path = %q\n"+
					"    context = terraform_data.context.output\n  }\n}\n", controlPlane().KubeconfigPath()) +
					later("context", "k8sconnect-test") + s.manifest("test", configMap)
			},
		},
		"the resource's connection": {
			want: computed,
			config: func(s *story) string {
				return later("kubeconfig", string(controlPlane().Kubeconfig())) +
					s.manifest("test", configMap, "cluster = { kubeconfig = terraform_data.kubeconfig.output }")
			},
		},
		"the provider's field manager": {
			want: computed,
			config: func(s *story) string {
				return fmt.Sprintf("provider \"k8sconnect\" {\n  cluster = { config_path = %q }\n  field_manager = terraform_data.manager.output\n}\n",
					controlPlane().KubeconfigPath()) + later("manager", "team-a") + s.manifest("test", configMap)
			},
		},
		"a path to ignore": {
			want: computed,
			config: func(s *story) string {
				return s.config(configMap, "ignore_fields = [terraform_data.path.output]") + later("path", "metadata.labels.note")
			},
		},
		"all paths to ignore": {
			want: computed,
			config: func(s *story) string {
				return s.config(configMap, "ignore_fields = split(\",\", terraform_data.paths.output)") + later("paths", "metadata.labels.note")
			},
		},
		"managers": {
			want: computed,
			config: func(s *story) string {
				return s.config(configMap, "ignore_managers = [terraform_data.name.output]", "take_over_managers = [terraform_data.name.output]") +
					later("name", "helm")
			},
		},
		"what becomes of conflicts": {
			want: computed,
			config: func(s *story) string {
				return s.config(configMap, "on_conflict = terraform_data.policy.output") + later("policy", "fail")
			},
		},
		"the namespace, which another resource is to create": {
			want: maps,
			config: func(s *story) string {
				body := strings.Replace(configMap, "namespace: NS", "namespace: ${k8sconnect_manifest.inner.object_ref.name}", 1)
				return s.config(body) + s.manifest("inner", innerNamespace)
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			requests := s.meter()
			config := unknown.config(s)
			planChecks := []plancheck.PlanCheck{
				expectAction(plancheck.ResourceActionCreate),
				expectUnknown(address, unknown.want...),
			}
			if len(unknown.want) == len(computed) {
				planChecks = append(planChecks, requests.plans())
			}
			s.run(resource.TestStep{
				PreConfig:        requests.start,
				Config:           config,
				ConfigPlanChecks: checks(planChecks...),
				Check: lives(
					resource.TestCheckResourceAttr(address, "managed_state.data.colour", "red"),
					resource.TestCheckResourceAttrSet(address, "object_ref.uid"),
				),
			})
		})
	}
}

// Once the object exists, a connection that becomes unknown leaves the state as it is: where nothing else
// changes, nothing is planned, and nothing is asked.
func TestConnectionBecomesUnknown(t *testing.T) {
	s := newStory(t)
	requests := s.meter()
	kubeconfig := string(controlPlane().Kubeconfig())
	config := func(kubeconfig, body string) string {
		return "provider \"k8sconnect\" {\n  cluster = { kubeconfig = terraform_data.kubeconfig.output }\n}\n" +
			later("kubeconfig", kubeconfig) + s.manifest("test", body)
	}
	s.run(
		resource.TestStep{Config: config(kubeconfig, configMap)},
		resource.TestStep{
			PreConfig: requests.start,
			Config:    config(kubeconfig+"# renewed\n", configMap),
			ConfigPlanChecks: checks(
				expectAction(plancheck.ResourceActionNoop),
				plancheck.ExpectResourceAction("terraform_data.kubeconfig", plancheck.ResourceActionUpdate),
				requests.plans(),
			),
			Check: s.expectLive("v1 ConfigMap web", map[string]any{"data.colour": "red"}),
		},
		resource.TestStep{
			PreConfig: requests.start,
			Config:    config(kubeconfig+"# renewed again\n", strings.Replace(configMap, "red", "blue", 1)),
			ConfigPlanChecks: checks(
				expectAction(plancheck.ResourceActionUpdate),
				expectUnknown(address, fieldOwnership, coOwners, managedState),
				requests.plans(),
			),
			Check: lives(
				s.expectLive("v1 ConfigMap web", map[string]any{"data.colour": "blue"}),
				resource.TestCheckResourceAttr(address, "managed_state.data.colour", "blue"),
			),
		},
	)
}

// Arguments that become unknown later are planned as updates of which nothing computed is known.
func TestArgumentBecomesUnknown(t *testing.T) {
	s := newStory(t)
	object := s.sight("v1 ConfigMap web")
	config := func(colour string) string {
		return s.config(strings.Replace(configMap, "red", "${terraform_data.colour.output}", 1)) + later("colour", colour)
	}
	s.run(
		resource.TestStep{Config: config("red"), Check: object.see},
		resource.TestStep{
			Config: config("blue"),
			ConfigPlanChecks: checks(
				expectAction(plancheck.ResourceActionUpdate),
				expectUnknown(address, computed...),
			),
			Check: lives(
				object.expectKept,
				s.expectLive("v1 ConfigMap web", map[string]any{"data.colour": "blue"}),
				resource.TestCheckResourceAttr(address, "managed_state.data.colour", "blue"),
			),
		},
	)
}

// An argument that says nothing of what the object is leaves its identity known, on which others depend.
func TestIdentityStaysKnown(t *testing.T) {
	s := newStory(t)
	config := func(manager string) string {
		return s.config(configMap, "ignore_managers = [terraform_data.manager.output]") + later("manager", manager)
	}
	s.run(
		resource.TestStep{Config: config("one")},
		resource.TestStep{
			Config: config("two"),
			ConfigPlanChecks: checks(
				expectAction(plancheck.ResourceActionUpdate),
				expectUnknown(address, fieldOwnership, coOwners, managedState),
			),
		},
	)
}
