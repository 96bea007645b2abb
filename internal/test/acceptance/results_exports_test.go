package acceptance_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const valuesAttribute = "values"

// expectNull asserts that a name of values has no value.
func expectNull(name string) statecheck.StateCheck {
	return story.StateCheck(func(attributes map[string]any) error {
		all, _ := attributes[valuesAttribute].(map[string]any)
		if value, has := all[name]; !has || value != nil {
			return fmt.Errorf("values has %v", all)
		}
		return nil
	})
}

// A plan knows the values that it does not change. A read shows what other managers made of them, without a request
// more.
func TestExports(t *testing.T) {
	s := story.New(t)
	m := s.Meter()
	const get, try, patch = "get configmaps NS/settings 200", "patch configmaps NS/settings dry-run 200", "patch configmaps NS/settings 200"
	const create = "patch configmaps NS/settings 201"
	const tried = "patch configmaps NS/settings dry-run 201"
	config := func(data, exports string) string {
		return s.Config(story.ConfigMapIn("settings", "data: "+data), "exports = { "+exports+" }")
	}
	const all = `a = "data.a", labels = "metadata.labels", none = "data.none", by = "metadata.annotations[\"example.com/by\"]"`
	s.Run(
		resource.TestStep{
			PreConfig:         m.Start,
			Config:            config(`{a: "1", b: "1"}`, all),
			ConfigStateChecks: story.StateChecks(story.ExpectState(valuesAttribute, "a: 1"), expectNull("labels"), expectNull("none"), expectNull("by")),
			Check:             m.Applies(tried, tried, create),
		},
		s.Noop(config(`{a: "1", b: "1"}`, all)),
		resource.TestStep{ // Others add what is exported: the next read shows it.
			PreConfig: s.NextStep(func() {
				s.As("eve").Patch(story.SettingsTarget, `{"metadata": {"labels": {"x": "y"}, "annotations": {"example.com/by": "eve"}}}`)
			}),
			Config:            config(`{a: "1", b: "1"}`, all),
			ConfigPlanChecks:  story.PlanChecks(plancheck.ExpectEmptyPlan()),
			ConfigStateChecks: story.StateChecks(story.ExpectState(valuesAttribute, "a: 1", `labels: {"x":"y"}`, "by: eve")),
		},
		resource.TestStep{ // Another field changes: every value is known.
			PreConfig:        func() { s.NextStep()(); m.Start() },
			Config:           config(`{a: "1", b: "2"}`, all),
			ConfigPlanChecks: story.PlanChecks(story.ExpectOnly(valuesAttribute)),
			Check:            m.Applies(get, try, try, patch),
		},
		resource.TestStep{
			Config:            config(`{a: "2", b: "2"}`, all),
			ConfigPlanChecks:  story.PlanChecks(story.ExpectOnly(valuesAttribute, "a: 1 -> (absent)")),
			ConfigStateChecks: story.StateChecks(story.ExpectState(valuesAttribute, "a: 2", "by: eve")),
		},
		resource.TestStep{ // A new name costs a GET.
			PreConfig:         func() { s.NextStep()(); m.Start() },
			Config:            config(`{a: "2", b: "2"}`, all+`, b = "data.b"`),
			ConfigPlanChecks:  story.PlanChecks(plancheck.ExpectUnknownValue(story.Address, tfjsonpath.New(valuesAttribute).AtMapKey("b"))),
			ConfigStateChecks: story.StateChecks(story.ExpectState(valuesAttribute, "a: 2", "b: 2")),
			Check:             m.Applies(get, get),
		},
		resource.TestStep{
			Config:            s.Config(story.ConfigMapIn("settings", `data: {a: "2", b: "2"}`)),
			ConfigStateChecks: story.StateChecks(story.ExpectState(valuesAttribute, "a: (absent)")),
		},
	)
}

// Secret values are handed on as sensitive ones.
func TestSensitiveExports(t *testing.T) {
	s := story.New(t)
	const body = "apiVersion: v1\nkind: Secret\nmetadata: {name: token, namespace: NS}\nstringData: {a: hunter2}\n"
	s.Run(
		resource.TestStep{
			Config:      s.Config(body, `exports = { token = "data.a" }`),
			ExpectError: story.Saying("Secret Value Exported", `exports["token"]: the field is secret`, "Move the name to sensitive_exports."),
		},
		resource.TestStep{
			Config:            s.Config(body, `exports = { type = "type" }`, `sensitive_exports = { token = "data.a" }`),
			ConfigStateChecks: story.StateChecks(story.ExpectState(valuesAttribute, "type: Opaque"), story.ExpectState("sensitive_values", "token: aHVudGVyMg==")),
		},
		s.Noop(s.Config(body, `exports = { type = "type" }`, `sensitive_exports = { token = "data.a" }`)),
		resource.TestStep{
			Config: s.Config(body, "yaml_body_wo = \"data: {b: aHVudGVyMw==}\"\n  yaml_body_wo_version = 1",
				`sensitive_exports = { token = "data.a", data = "data", b = "data.b" }`),
			ExpectError: story.Saying(`sensitive_exports["data"]: the field is write-only`, `sensitive_exports["b"]: the field is write-only`),
		},
		resource.TestStep{
			Config:      s.Config(story.ConfigMapIn("settings", `data: {a: "1"}`), `sensitive_fields = ["data"]`, `exports = { a = "data.a" }`),
			ExpectError: story.Saying("Secret Value Exported", `exports["a"]`),
		},
		resource.TestStep{
			Config: s.Config(story.ConfigMapIn("settings", `data: {a: "1"}`), writeOnly("data: {app.key: "+planted+"}", 1),
				`exports = { a = "data[\"app.key\"]" }`),
			ExpectError: story.Saying("Secret Value Exported", `exports["a"]`),
		},
	)
}

// A patch exports any field of its object.
func TestExportsOfAPatch(t *testing.T) {
	s := story.New(t)
	s.As("bob").Apply(story.Deployment)
	const exports = `exports = { image = "spec.template.spec.containers[name=\"app\"].image", replicas = "spec.replicas", first = "spec.template.spec.containers[0].name" }`
	for _, config := range []string{
		s.PatchConfig(story.Web, "spec: {replicas: 2}", exports), s.TypedPatchConfig(story.Web, "merge", `{"spec": {"replicas": 2}}`, exports),
	} {
		s.Run(
			resource.TestStep{
				Config: config,
				ConfigStateChecks: story.StateChecks(
					story.ExpectState(valuesAttribute, "image: nginx:1.25", "replicas: 2", "first: app"),
				),
			},
			s.Noop(config),
		)
	}
}

// Names of bad paths are refused before any request.
func TestBadExports(t *testing.T) {
	s := story.New(t)
	s.Run(
		resource.TestStep{
			Config:      s.Config(story.ConfigMap, `exports = { a = "data[" }`),
			ExpectError: story.Saying("Invalid Field Path", `exports["a"]`),
		},
		resource.TestStep{
			Config:      s.Config(story.ConfigMap, `exports = { a = "spec.containers[*].image" }`),
			ExpectError: story.Saying("Invalid Field Path", "may name several fields", "Write the path of one field"),
		},
	)
}

// A plan does not know the value of a field that other managers have changed, and which it takes back, or of one whose
// new value is not known yet.
func TestExportsOfChangedFields(t *testing.T) {
	s := story.New(t)
	unknown := func(name string) []plancheck.PlanCheck {
		return []plancheck.PlanCheck{plancheck.ExpectUnknownValue(story.Address, tfjsonpath.New(valuesAttribute).AtMapKey(name))}
	}
	drifts := s.Config(story.ConfigMapIn("settings", `data: {a: "1"}`), `exports = { a = "data.a" }`)
	s.Run(
		resource.TestStep{Config: drifts, ConfigStateChecks: story.StateChecks(story.ExpectState(valuesAttribute, "a: 1"))},
		resource.TestStep{
			PreConfig:         s.NextStep(func() { s.As("eve").Patch(story.SettingsTarget, `{"data": {"a": "2"}}`) }),
			Config:            drifts,
			ConfigPlanChecks:  story.PlanChecks(unknown("a")...),
			ConfigStateChecks: story.StateChecks(story.ExpectState(valuesAttribute, "a: 1")),
		},
		s.Noop(drifts),
	)
	of := func(number int, replicas string) string {
		return s.ProviderBlock() + s.Expand(fmt.Sprintf(`resource "terraform_data" "later" {
  input = %[1]d
}
resource "k8sconnect_manifest" "test" {
  manifest = {
    apiVersion = "apps/v1", kind = "Deployment", metadata = { name = "web", namespace = "NS" }
    spec = {
      %[2]s
      selector = { matchLabels = { app = "web" } }
      template = { metadata = { labels = { app = "web" } }, spec = { containers = [{ name = "app", image = "nginx:1.25" }] } }
    }
  }
  exports = { n = "spec.replicas" }
}
`, number, replicas))
	}
	const scalar, open = "replicas = tonumber(terraform_data.later.output)", "replicas = terraform_data.later.output"
	s.Run(
		resource.TestStep{Config: of(1, ""), ConfigStateChecks: story.StateChecks(story.ExpectState(valuesAttribute, "n: 1"))},
		resource.TestStep{
			Config: of(3, open), ConfigPlanChecks: story.PlanChecks(unknown("n")...),
			ConfigStateChecks: story.StateChecks(story.ExpectState(valuesAttribute, "n: 3")),
		},
		resource.TestStep{Config: of(1, scalar), ConfigStateChecks: story.StateChecks(story.ExpectState(valuesAttribute, "n: 1"))},
		resource.TestStep{
			Config: of(3, scalar), ConfigPlanChecks: story.PlanChecks(unknown("n")...),
			ConfigStateChecks: story.StateChecks(story.ExpectState(valuesAttribute, "n: 3")),
		},
		s.Noop(of(3, scalar)),
	)
}
