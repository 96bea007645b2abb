package manifestresource_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

const scaler = `
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: NS}
spec: {maxReplicas: 9, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
`

// A manifest that names another object replaces the old one.
func TestIdentityChangeReplaces(t *testing.T) {
	for name, change := range map[string]struct {
		body     string
		edit     []string
		old, new string
	}{
		"another name": {
			body: configMap, edit: []string{"name: web", "name: shop"},
			old: "v1 ConfigMap web", new: "v1 ConfigMap shop",
		},
		"another namespace": {
			body: configMap, edit: []string{"namespace: NS", "namespace: NS-inner"},
			old: "v1 ConfigMap web", new: "v1 ConfigMap NS-inner/web",
		},
		"another kind": {
			body: configMap, edit: []string{"ConfigMap", "Secret", "\ndata:", "\nstringData:"},
			old: "v1 ConfigMap web", new: "v1 Secret web",
		},
		"another version of the same kind": {
			body: scaler, edit: []string{"autoscaling/v1", "autoscaling/v2"},
			old: "autoscaling/v2 HorizontalPodAutoscaler web", new: "autoscaling/v2 HorizontalPodAutoscaler web",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			old := s.sight(change.old)
			inner := s.manifest("inner", innerNamespace)
			s.run(
				resource.TestStep{Config: s.config(change.body) + inner, Check: old.see},
				resource.TestStep{
					Config: s.config(strings.NewReplacer(change.edit...).Replace(change.body)) + inner,
					ConfigPlanChecks: checks(
						expectAction(plancheck.ResourceActionReplace),
						plancheck.ExpectUnknownValue(address, pathOfUID),
					),
					Check: lives(old.expectReplaced, s.expectLive(change.new, map[string]any{"metadata.labels": absent})),
				},
			)
		})
	}
}

// A field that the server does not let anybody change replaces the object, and a warning names it.
func TestImmutableFieldReplaces(t *testing.T) {
	for name, change := range map[string]struct {
		body   string
		edit   []string
		target string
		field  string
		live   map[string]any
	}{
		"a Deployment's selector": {
			body: deployment, edit: []string{"app: web", "app: shop"}, target: "apps/v1 Deployment web",
			field: "spec.selector", live: map[string]any{"spec.selector.matchLabels.app": "shop"},
		},
		"a Job's template": {
			body: job, edit: []string{"nginx:1.25", "nginx:1.26"}, target: "batch/v1 Job web",
			field: "spec.template", live: map[string]any{"metadata.name": "web"},
		},
		"a field that a rule of its definition protects": {
			body: widgetHere, edit: []string{"red", "blue"}, target: "NS.example.com/v1 Widget web",
			field: "spec.colour", live: map[string]any{"spec.colour": "blue"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			old := s.sight(change.target)
			definition := s.manifest("definition", widgetDefinition)
			s.run(
				resource.TestStep{Config: s.config(change.body) + definition, Check: old.see},
				resource.TestStep{
					PreConfig: s.anew(),
					Config:    s.config(strings.NewReplacer(change.edit...).Replace(change.body)) + definition,
					ConfigPlanChecks: checks(
						expectAction(plancheck.ResourceActionReplace),
						s.expectOnlyWarning("Immutable Field", "web", change.field, "deletes the object and creates it again"),
					),
					Check: lives(old.expectReplaced, s.expectLive(change.target, change.live)),
				},
			)
		})
	}
}

// What concerns the provider alone is recorded without a request that writes.
func TestSettingsChangeWritesNothing(t *testing.T) {
	s := newStory(t)
	old := s.sight("v1 ConfigMap web")
	requests := s.meter()
	first, second := s.kubeconfig(s.addUser(s.namespace+"-a")), s.kubeconfig(s.addUser(s.namespace+"-b"))
	cluster := func(kubeconfig []byte) string { return fmt.Sprintf("cluster = { kubeconfig = %q }", kubeconfig) }
	timeouts := `timeouts {
    create = "3m"
    read   = "4m"
    update = "5m"
    delete = "6m"
  }`
	const read = "get configmaps NS/web 200"
	s.run(
		resource.TestStep{Config: s.config(configMap, cluster(first)), Check: old.see},
		resource.TestStep{
			PreConfig: requests.start,
			Config:    s.config(configMap, cluster(first), timeouts),
			ConfigPlanChecks: checks(expectAction(plancheck.ResourceActionUpdate), expectUnknown(address),
				expectOnly(fieldOwnership), requests.plans(read)),
			Check: lives(requests.applies(read), resource.TestCheckResourceAttr(address, "timeouts.delete", "6m")),
		},
		resource.TestStep{
			PreConfig: requests.start,
			Config:    s.config(configMap, cluster(second), timeouts),
			ConfigPlanChecks: checks(expectAction(plancheck.ResourceActionUpdate), expectUnknown(address),
				expectOnly(fieldOwnership), requests.plans(read, read)),
			Check: lives(requests.applies(read, read, read), old.expectKept),
		},
		resource.TestStep{
			PreConfig:        requests.start,
			Config:           s.config(configMap, timeouts),
			ConfigPlanChecks: checks(expectAction(plancheck.ResourceActionUpdate), requests.plans(read, read)),
			Check:            lives(requests.applies(read, read, read), old.expectKept),
		},
	)
}
