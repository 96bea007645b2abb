package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// life is a resource that is moved, then loses a field, then goes.
type life struct {
	// source is the type of the resource without its prefix, lines are its HCL.
	source, lines string
	// others is what another client applies, ours what the resource does.
	others, ours string
	// target names the object for checks, hcl for the configuration.
	target, hcl string
	// body is the patch, less the same without a field.
	body, less string
	// live, lessLive and goneLive are values of the object by kubectl's JSONPath, for as long as the configuration has body, less and no patch.
	live, lessLive, goneLive map[string]string
}

const (
	targetOfSettings = `{ api_version = "v1", kind = "ConfigMap", namespace = "NS", name = "settings" }`
	targetOfWeb      = `{ api_version = "apps/v1", kind = "Deployment", namespace = "NS", name = "web" }`
	ofSettings       = "api_version = \"v1\"\nkind = \"ConfigMap\"\nmetadata {\n  name = \"settings\"\n  namespace = \"NS\"\n}\n"
	ofWeb            = "api_version = \"apps/v1\"\nkind = \"Deployment\"\nmetadata {\n  name = \"web\"\n  namespace = \"NS\"\n}\n"
)

func lives() map[string]life {
	return map[string]life{
		"labels": {
			source: "labels", lines: ofSettings + `labels = { team = "a", tier = "b" }`,
			others: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: NS, labels: {kept: k}}\n",
			ours:   "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: NS, labels: {team: a, tier: b}}\n",
			target: story.SettingsTarget, hcl: targetOfSettings,
			body: "metadata: {labels: {team: a, tier: b}}", less: "metadata: {labels: {team: a}}",
			live:     map[string]string{"{.metadata.labels}": `{"kept":"k","team":"a","tier":"b"}`},
			lessLive: map[string]string{"{.metadata.labels}": `{"kept":"k","team":"a"}`},
			goneLive: map[string]string{"{.metadata.labels}": `{"kept":"k"}`},
		},
		"annotations": {
			source: "annotations", lines: ofWeb + "annotations = { a = \"x\" }\ntemplate_annotations = { b = \"z\" }",
			others: story.Deployment,
			ours:   "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS, annotations: {a: x}}\nspec: {template: {metadata: {annotations: {b: z}}}}\n",
			target: story.Web, hcl: targetOfWeb,
			body: "metadata: {annotations: {a: x}}\nspec: {template: {metadata: {annotations: {b: z}}}}", less: "metadata: {annotations: {a: x}}",
			live:     map[string]string{"{.metadata.annotations.a}": "x", "{.spec.template.metadata.annotations.b}": "z"},
			lessLive: map[string]string{"{.metadata.annotations.a}": "x", "{.spec.template.metadata.annotations.b}": ""},
			goneLive: map[string]string{"{.metadata.annotations.a}": "", "{.spec.template.metadata.annotations.b}": "", "{.spec.replicas}": "3"},
		},
		"data": {
			source: "config_map_v1_data", lines: "metadata {\n  name = \"settings\"\n  namespace = \"NS\"\n}\nforce = true\ndata = { a = \"1\", c = \"3\" }",
			others: story.ConfigMapIn("settings", `data: {b: "2"}`), ours: story.ConfigMapIn("settings", `data: {a: "1", c: "3"}`),
			target: story.SettingsTarget, hcl: targetOfSettings,
			body: `data: {a: "1", c: "3"}`, less: `data: {a: "1"}`,
			live:     map[string]string{"{.data}": `{"a":"1","b":"2","c":"3"}`},
			lessLive: map[string]string{"{.data}": `{"a":"1","b":"2"}`},
			goneLive: map[string]string{"{.data}": `{"b":"2"}`},
		},
		"env": {
			source: "env", lines: ofWeb + "container = \"app\"\nenv {\n  name = \"A\"\n  value = \"1\"\n}\nenv {\n  name = \"B\"\n  value_from {\n    secret_key_ref {\n      key = \"k\"\n      name = \"keys\"\n    }\n  }\n}",
			others: story.Shop,
			ours: "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS}\nspec: {template: {spec: {containers: [{name: app, env: [{name: A, value: \"1\"}, " +
				"{name: B, value: \"\", valueFrom: {secretKeyRef: {key: k, name: keys, optional: false}}}]}]}}}\n",
			target: story.Web, hcl: targetOfWeb,
			body:     "spec: {template: {spec: {containers: [{name: app, env: [{name: A, value: \"1\"}, {name: B, valueFrom: {secretKeyRef: {key: k, name: keys, optional: false}}}]}]}}}",
			less:     "spec: {template: {spec: {containers: [{name: app, env: [{name: A, value: \"1\"}]}]}}}",
			live:     map[string]string{"{.spec.template.spec.containers[*].name}": "app sidecar", "{.spec.template.spec.containers[0].env[*].name}": "MODE DEBUG A B"},
			lessLive: map[string]string{"{.spec.template.spec.containers[*].name}": "app sidecar", "{.spec.template.spec.containers[0].env[*].name}": "MODE DEBUG A"},
			goneLive: map[string]string{"{.spec.template.spec.containers[*].name}": "app sidecar", "{.spec.template.spec.containers[0].env[*].name}": "MODE DEBUG"},
		},
		"taints": {
			source: "node_taint", lines: "metadata {\n  name = \"NS\"\n}\ntaint {\n  key = \"a\"\n  value = \"b\"\n  effect = \"NoSchedule\"\n}\ntaint {\n  key = \"c\"\n  value = \"\"\n  effect = \"NoSchedule\"\n}",
			others: "apiVersion: v1\nkind: Node\nmetadata: {name: NS, labels: {kept: k}}\n",
			ours:   "apiVersion: v1\nkind: Node\nmetadata: {name: NS}\nspec: {taints: [{key: a, value: b, effect: NoSchedule}, {key: c, value: \"\", effect: NoSchedule}]}\n",
			target: "v1 Node NS", hcl: `{ api_version = "v1", kind = "Node", name = "NS" }`,
			body: "spec: {taints: [{key: a, value: b, effect: NoSchedule}, {key: c, effect: NoSchedule}]}", less: "spec: {taints: [{key: a, value: b, effect: NoSchedule}]}",
			live:     map[string]string{"{.spec.taints[*].key}": "a c"},
			lessLive: map[string]string{"{.spec.taints[*].key}": "a"},
			goneLive: map[string]string{"{.spec.taints}": "", "{.metadata.labels.kept}": "k"},
		},
	}
}

// A move changes no value: its first apply renames the manager. What leaves the configuration later leaves the object.
func TestMovedLife(t *testing.T) {
	t.Parallel()
	for name, l := range lives() {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			target := s.Expand(l.target)
			config := func(body string) string { return moved(l.source) + patch(s, l.hcl, body) }
			deleteNode(s)
			run(s,
				resource.TestStep{
					PreConfig: func() {
						s.As("bob").Apply(l.others)
						s.As(terraformManager).Apply(l.ours)
					},
					Config: source(s, l.source, l.lines),
					Check:  s.ExpectJSONPath(target, l.live),
				},
				resource.TestStep{
					PreConfig: s.NextStep(),
					Config:    config(l.body),
					ConfigPlanChecks: story.PlanChecks(
						plancheck.ExpectResourceAction(story.PatchAddress, plancheck.ResourceActionUpdate), expectRenamed(), s.ExpectNoWarning(),
					),
					Check: story.LiveChecks(s.ExpectJSONPath(target, l.live), expectEntry(s, target, isTerraform, 0), expectEntry(s, target, patchManager, 1)),
				},
				s.Noop(config(l.body)),
				resource.TestStep{
					Config: config(l.less),
					Check:  story.LiveChecks(s.ExpectJSONPath(target, l.lessLive), expectEntry(s, target, patchManager, 1)),
				},
				s.Noop(config(l.less)),
				resource.TestStep{
					Config: s.ProviderBlock(),
					Check: story.LiveChecks(
						s.ExpectJSONPath(target, l.goneLive), expectEntry(s, target, patchManager, 0), expectEntry(s, target, isTerraform, 0),
					),
				},
			)
		})
	}
}
