package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Two patches of one object have different fields and different field managers, and one of them and the manifest do, too.
func TestPatchesOfOneObject(t *testing.T) {
	s := story.New(t)
	two := func(second string, arguments ...string) string {
		return s.PatchConfig(story.SettingsTarget, "data: {a: ours}", `field_manager = "first"`) +
			s.PatchBlock("second", story.SettingsTarget, second, arguments...)
	}
	s.As("bob").Apply(story.ConfigMapIn("settings", `data: {z: "1"}`))
	s.Run(
		resource.TestStep{
			Config: two("data: {b: ours}"),
			Check:  s.ExpectLiveJSON(story.SettingsTarget, `{"a":"ours","b":"ours","z":"1"}`, "data"),
		},
		s.Noop(two("data: {b: ours}")),
		resource.TestStep{
			Config:      two("data: {a: theirs, b: ours}", `field_manager = "second"`),
			ExpectError: story.Saying("Field Managed Twice", "another patch", "data.a", "Remove these fields from one of the two"),
		},
		resource.TestStep{
			Config:      two("data: {b: ours}", `field_manager = "first"`),
			ExpectError: story.Saying("Field Managed Twice", `field manager is "first"`, "set field_manager"),
		},
	)
}

func TestPatchBesideAManifest(t *testing.T) {
	s := story.New(t)
	both := func(arguments ...string) string {
		return s.ProviderBlock() + s.Manifest("base", story.ConfigMapIn("settings", `data: {a: "1", b: "2"}`), arguments...) +
			s.PatchBlock("test", story.SettingsTarget, "data: {b: ours, c: ours}", `field_manager = "patch"`, "depends_on = [k8sconnect_manifest.base]")
	}
	s.Run(
		resource.TestStep{Config: s.ProviderBlock() + s.Manifest("base", story.ConfigMapIn("settings", `data: {a: "1", b: "2"}`))},
		resource.TestStep{
			Config:      both(),
			ExpectError: story.Saying("Field Managed Twice", "data.b", `ignore_fields = ["data.b"]`),
		},
		resource.TestStep{
			Config: both(`ignore_fields = ["data.b"]`),
			Check:  s.ExpectLiveJSON(story.SettingsTarget, `{"a":"1","b":"ours","c":"ours"}`, "data"),
		},
		s.Noop(both(`ignore_fields = ["data.b"]`)),
	)
}

// The keys of a list item only name it: a manifest and two patches apply fields of one container. A field of it that
// two of them apply is refused.
func TestResourcesOfOneListItem(t *testing.T) {
	s := story.New(t)
	container := func(fields string) string {
		return `spec: {template: {spec: {containers: [{name: app, ` + fields + `}]}}}`
	}
	config := func(memory string) string {
		return s.ProviderBlock() + s.Manifest("base", story.Deployment) +
			s.PatchBlock("env", story.Web, container(`env: [{name: A, value: "1"}]`), "depends_on = [k8sconnect_manifest.base]") +
			s.PatchBlock("memory", story.Web, container(memory), `field_manager = "memory"`, "depends_on = [k8sconnect_manifest.base]")
	}
	memory := `resources: {limits: {memory: 1Gi}}`
	s.Run(
		resource.TestStep{Config: config(memory)},
		s.Noop(config(memory)),
		resource.TestStep{
			Config: config(`resources: {limits: {memory: 1Gi}}, image: "nginx:2"`),
			ExpectError: story.Saying("Field Managed Twice", "a resource that manages the whole object",
				`spec.template.spec.containers[name="app"].image`),
		},
	)
}

// Names of fields that begin alike are different fields.
func TestFieldsWhoseNamesBeginAlike(t *testing.T) {
	s := story.New(t)
	config := s.ProviderBlock() +
		s.Manifest("base", story.ConfigMapIn("settings", "data: {nginx: a, note: b}")) +
		s.PatchBlock("test", story.SettingsTarget, `{data: {nginx.conf: c, note.extra: d}, metadata: {labels: {app.kubernetes.io/name: x}}}`,
			"depends_on = [k8sconnect_manifest.base]") +
		s.PatchBlock("second", story.SettingsTarget, `{metadata: {labels: {app: mine}}}`, `field_manager = "second"`,
			"depends_on = [k8sconnect_manifest.base]")
	s.Run(resource.TestStep{Config: config}, s.Noop(config))
}

// A field that one resource applies and another removes is refused in the plan that has both, whichever was there
// first, and so is a field of a manifest that does not exist yet.
func TestFieldThatAnotherResourceRemoves(t *testing.T) {
	s := story.New(t)
	base := s.ProviderBlock() + s.Manifest("base", story.ConfigMapIn("settings", `data: {a: "1", b: "2"}`))
	patch := func(body string, arguments ...string) string {
		return s.PatchBlock("test", story.SettingsTarget, body, append(arguments, "depends_on = [k8sconnect_manifest.base]")...)
	}
	merge := func(body string) string {
		return s.TypedPatchBlock("merged", story.SettingsTarget, "merge", body, "depends_on = [k8sconnect_manifest.base]")
	}
	refused := story.Saying("Field Managed Twice", "applies these fields, and the other removes them", "data.a")
	s.Run(
		resource.TestStep{Config: base + patch("data: {a: theirs}"), ExpectError: story.Saying("Field Managed Twice", "data.a", "ignore_fields")},
		resource.TestStep{Config: base + patch("data: {c: c}", `remove_fields = ["data.a"]`), ExpectError: refused},
		resource.TestStep{Config: base + merge(`{"data": {"a": null}}`), ExpectError: refused},
		resource.TestStep{Config: base + patch("data: {c: c}")},
		resource.TestStep{Config: base + patch("data: {c: c}", `remove_fields = ["data.a"]`), ExpectError: refused},
		resource.TestStep{Config: base + patch("data: {c: c}") + merge(`{"data": {"a": null}}`), ExpectError: refused},
		resource.TestStep{Config: base + patch("data: {c: c}") + merge(`{"data": {"c": null}}`), ExpectError: story.Saying("Field Managed Twice", "another patch", "data.c")},
	)
}

// Directives remove fields, too, and a field may be called by a number.
func TestFieldThatAnotherResourceRemovesInOtherWords(t *testing.T) {
	t.Parallel()
	selecting := strings.Replace(story.Deployment, "    spec:\n", "    spec:\n      nodeSelector: {a: b}\n", 1)
	for name, c := range map[string]struct{ target, manifest, kind, body, field string }{
		"a map that is deleted": {
			story.Web, selecting, "strategic", `{"spec": {"template": {"spec": {"nodeSelector": {"$patch": "delete"}}}}}`, "spec.template.spec.nodeSelector",
		},
		"a map that is replaced": {
			story.Web, selecting, "strategic", `{"spec": {"template": {"spec": {"nodeSelector": {"$patch": "replace", "c": "d"}}}}}`, "spec.template.spec.nodeSelector",
		},
		"a number": {
			story.SettingsTarget, story.ConfigMapIn("settings", `data: {"8080": web, b: "2"}`), "json",
			`[{"op": "remove", "path": "/data/8080"}]`, "data.8080",
		},
		"a number of a label": {
			story.SettingsTarget, story.ConfigMapIn("settings", `data: {b: "2"}`, `labels: {"8080": web}`), "json",
			`[{"op": "remove", "path": "/metadata/labels/8080"}]`, "metadata.labels.8080",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			base := s.ProviderBlock() + s.Manifest("base", c.manifest)
			s.Run(
				resource.TestStep{Config: base},
				resource.TestStep{
					Config:      base + s.TypedPatchBlock("test", c.target, c.kind, c.body, "depends_on = [k8sconnect_manifest.base]"),
					ExpectError: story.Saying("Field Managed Twice", c.field),
				},
			)
		})
	}
}

// A patch that sets a map or list as a whole removes what another resource applies in it.
func TestFieldThatAnotherResourceReplaces(t *testing.T) {
	t.Parallel()
	container := strings.Replace(story.Deployment, `image: "nginx:1.25"`, `image: "nginx:1.25", env: [{name: A, value: a}]`, 1)
	const service = "{apiVersion: v1, kind: Service, metadata: {name: web, namespace: NS}, spec: {selector: {app: x}, ports: [{name: x, port: 80}]}}"
	const env = `spec.template.spec.containers[name="app"].env[name="A"]`
	for name, c := range map[string]struct{ target, manifest, kind, body, field string }{
		"a map": {
			story.SettingsTarget, story.ConfigMapIn("settings", `data: {x: "1"}`), "json",
			`[{"op": "replace", "path": "/data", "value": {"z": "z"}}]`, "data.x",
		},
		"labels": {
			story.SettingsTarget, story.ConfigMapIn("settings", "data: {}", `labels: {l: l}`), "json",
			`[{"op": "add", "path": "/metadata/labels", "value": {"z": "z"}}]`, "metadata.labels.l",
		},
		"a list in an item": {
			story.Web, container, "json",
			`[{"op": "replace", "path": "/spec/template/spec/containers/0/env", "value": [{"name": "C", "value": "c"}]}]`, env,
		},
		"a list by a directive": {
			story.Web, container, "strategic",
			`{"spec": {"template": {"spec": {"containers": [{"name": "app", "env": [{"$patch": "replace"}, {"name": "C", "value": "c"}]}]}}}}`, env,
		},
		"a list": {serviceTarget, service, "merge", `{"spec": {"ports": [{"name": "q", "port": 90}]}}`, "spec.ports[port=80"},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			base := s.ProviderBlock() + s.Manifest("base", c.manifest)
			both := base + s.TypedPatchBlock("test", c.target, c.kind, c.body, "depends_on = [k8sconnect_manifest.base]")
			refused := story.Saying("Field Managed Twice", "applies these fields, and the other removes them", c.field)
			s.Run(
				// An item of a list is known after the first apply.
				resource.TestStep{Config: both, PlanOnly: c.field != env, ExpectError: refused},
				resource.TestStep{PreConfig: s.NextStep(), Config: base},
				resource.TestStep{PreConfig: s.NextStep(), Config: both, ExpectError: refused},
			)
		})
	}
}

// A patch that removes a part of a map with one owner owns the map from then on: the first plan that has another patch
// of the map refuses both, as every later one does.
func TestPatchesOfOneAtomicMap(t *testing.T) {
	s := story.New(t)
	serviceWithSelector(s)
	removing := s.TypedPatchConfig(serviceTarget, "json", `[{"op": "remove", "path": "/spec/selector/origin"}]`, `field_manager = "first"`)
	setting := s.TypedPatchBlock("second", serviceTarget, "merge", `{"spec": {"selector": {"tier": "y"}}}`, `field_manager = "second"`)
	s.Run(resource.TestStep{
		Config: removing + setting, PlanOnly: true, ExpectError: story.Saying("Field Managed Twice", "spec.selector"),
	})
}

func serviceWithSelector(s *story.Story) {
	s.As("bob").Apply("{apiVersion: v1, kind: Service, metadata: {name: web, namespace: NS}, spec: {selector: {app: x, origin: bob}, ports: [{port: 80}]}}")
}

// What the manager of a patch owns from before, and the patch does not set, is free for another patch.
func TestPatchBesideWhatTheManagerOwns(t *testing.T) {
	s := story.New(t)
	serviceWithSelector(s)
	s.As("first").Patch(serviceTarget, `{"spec": {"selector": {"origin": null}}}`)
	config := s.TypedPatchConfig(serviceTarget, "merge", `{"metadata": {"annotations": {"note": "ours"}}}`, `field_manager = "first"`) +
		s.TypedPatchBlock("second", serviceTarget, "strategic", `{"spec": {"selector": {"app": "x"}}}`, `field_manager = "second"`)
	s.Run(
		resource.TestStep{
			Config: config,
			Check: func(*terraform.State) error {
				s.As("first").Patch(serviceTarget, `{"spec": {"selector": {"new": "z"}}}`)
				return nil
			},
		},
		s.Noop(config),
	)
}

// Without managedFields, a strategic merge patch names the items of a list by the key that merges them.
func TestStrategicPatchOfAListThatNobodyOwns(t *testing.T) {
	s := story.New(t)
	w := s.HostedWorkspace()
	w.Configure(
		s.Manifest("test", story.Deployment),
		s.TypedPatchBlock("second", story.Web, "strategic",
			`{"spec": {"template": {"spec": {"containers": [{"name": "app", "env": [{"name": "A", "value": "1"}]}]}}}}`,
			`field_manager = "second"`, afterManifest),
	)
	w.Do("apply", "-auto-approve")
	s.As("operator").Patch(story.Web, `{"metadata": {"managedFields": [{}]}}`)
	w.Do("plan")
}

// The first plan of an adoption refuses a patch that removes or changes the same field.
func TestPatchBesideAnAdoption(t *testing.T) {
	for name, second := range map[string]func(*story.Story) string{
		"remove_fields": func(s *story.Story) string {
			return s.PatchBlock("test", story.SettingsTarget, "data: {c: ours}", `remove_fields = ["data.x"]`)
		},
		"a merge patch": func(s *story.Story) string {
			return s.TypedPatchBlock("test", story.SettingsTarget, "merge", `{"data": {"x": null}}`)
		},
		"a JSON patch": func(s *story.Story) string {
			return s.TypedPatchBlock("test", story.SettingsTarget, "json", `[{"op": "replace", "path": "/data/x", "value": "2"}]`)
		},
		"yaml_body": func(s *story.Story) string { return s.PatchBlock("test", story.SettingsTarget, `data: {x: "2"}`) },
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.As("flux").Apply(story.ConfigMapIn("settings", `data: {x: "0"}`))
			s.Run(resource.TestStep{
				Config:      s.ProviderBlock() + s.Manifest("base", story.ConfigMapIn("settings", `data: {x: "1"}`), "adopt_existing = true") + second(s),
				ExpectError: story.Saying("Field Managed Twice", "data.x"),
			})
		})
	}
}

// A second state whose patch has the field manager of a patch of another one is told so in its first plan. A tainted patch
// and one with another address are those of this state.
func TestPatchesOfTwoStatesWithOneFieldManager(t *testing.T) {
	t.Parallel()
	const told = "Field Manager Used Twice"
	for kind, config := range patchForms() {
		t.Run(kind, func(t *testing.T) {
			s := story.New(t)
			s.As("flux").Create(story.ConfigMapIn("settings", `data: {kept: "1"}`))
			block := strings.TrimPrefix(config(s, map[string]any{"mine": "1"}), s.ProviderBlock())
			one, two := s.HostedWorkspace(), s.HostedWorkspace()
			one.Configure(block)
			if said := one.Do("apply", "-auto-approve"); strings.Contains(said, told) {
				t.Errorf("the first state is told:\n%s", said)
			}
			two.Configure(block)
			if said := two.Do("plan"); !strings.Contains(said, told) || !strings.Contains(said, "this state does not know of it") {
				t.Errorf("the second state is not told:\n%s", said)
			}
			one.Do("taint", story.PatchAddress)
			if said := one.Do("plan"); strings.Contains(said, told) {
				t.Errorf("a tainted patch is told:\n%s", said)
			}
			one.Do("untaint", story.PatchAddress)
			one.Configure(strings.Replace(block, `"test"`, `"moved"`, 1))
			if said := one.Do("plan"); strings.Contains(said, told) {
				t.Errorf("a patch with another address is told:\n%s", said)
			}
			if said := one.Do("plan", "-refresh=false"); strings.Contains(said, told) {
				t.Errorf("a patch with another address is told without a refresh:\n%s", said)
			}
			more := strings.TrimPrefix(config(s, map[string]any{"more": "2"}), s.ProviderBlock())
			one.Configure(strings.Replace(block, ours, `field_manager = "other"`, 1), strings.Replace(more, `"test"`, `"more"`, 1))
			if said := one.Do("plan"); strings.Contains(said, told) {
				t.Errorf("a patch that takes the field manager of another one is told:\n%s", said)
			}
		})
	}
}
