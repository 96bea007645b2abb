package acceptance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/customresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// listDefinition defines the kind Gauge, whose list of entries is merged by their names.
var listDefinition = customresource.Definition("NS.example.com", "Gauge", `
spec:
  type: object
  properties:
    free: {type: object, x-kubernetes-preserve-unknown-fields: true}
    entries:
      type: array
      x-kubernetes-list-type: map
      x-kubernetes-list-map-keys: [name]
      items:
        type: object
        required: [name]
        properties:
          name: {type: string}
          size: {type: string}
          note: {type: string}
`)

// A list item that a patch added stays if another client has a field in it, when it leaves the body and when the patch
// is destroyed: what is theirs in it is not ours to remove.
func TestItemOfAPatchWithFieldsOfOthers(t *testing.T) {
	const gauge, head = "NS.example.com/v1 Gauge web", "apiVersion: NS.example.com/v1\nkind: Gauge\nmetadata: {name: web, namespace: NS}\n"
	s := story.New(t)
	s.InstallKind(strings.ReplaceAll(listDefinition, "NS", s.Namespace))
	s.As("bob").Apply(head)
	config := func(entries string) string { return s.PatchConfig(gauge, "spec: {entries: ["+entries+"]}", ours) }
	const first, second, third = "{name: a, size: small}", "{name: b, size: large}", "{name: c, size: tiny}"
	s.Run(
		resource.TestStep{
			Config: config(first + ", " + second + ", " + third),
			Check: func(*terraform.State) error {
				s.As("eve").Apply(head + "spec: {entries: [{name: a, note: hers}]}")
				s.As("kubectl-edit").Patch(gauge, `{"spec":{"entries":[{"name":"a","size":"small","note":"hers"},{"name":"b","size":"large","note":"new"},{"name":"c","size":"tiny"}]}}`)
				return nil
			},
		},
		resource.TestStep{ // b leaves the body.
			Config: config(first + ", " + third),
			Check: s.ExpectLiveJSON(gauge,
				`[{"name":"a","note":"hers","size":"small"},{"name":"b","note":"new"},{"name":"c","size":"tiny"}]`, "spec", "entries"),
		},
		s.Noop(config(first+", "+third)),
		resource.TestStep{
			Config: s.ProviderBlock(),
			Check: story.LiveChecks(
				s.ExpectLiveJSON(gauge, `[{"name":"a","note":"hers"},{"name":"b","note":"new"}]`, "spec", "entries"), expectNoEntry(s, gauge, "patch"),
			),
		},
	)
}

// A map that a patch added empty stays with what other managers have put into it, and the plan of the destroy says so.
func TestMapOfAPatchWithFieldsOfOthers(t *testing.T) {
	const gauge = "NS.example.com/v1 Gauge web"
	s := story.New(t)
	s.InstallKind(strings.ReplaceAll(listDefinition, "NS", s.Namespace))
	s.As("bob").Apply("apiVersion: NS.example.com/v1\nkind: Gauge\nmetadata: {name: web, namespace: NS}\nspec: {entries: []}\n")
	s.Run(
		resource.TestStep{Config: s.PatchConfig(gauge, "spec: {free: {}}", ours)},
		resource.TestStep{
			PreConfig:        s.NextStep(func() { s.As("kubectl-edit").Patch(gauge, `{"spec":{"free":{"x":1}}}`) }),
			Config:           s.PatchConfig(gauge, "spec: {free: {}}", ours),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan()),
		},
		resource.TestStep{
			Config:           s.ProviderBlock(),
			ConfigPlanChecks: story.PlanChecks(s.ExpectWarning("Patch Removed", "It keeps the values of these fields:\n\n  spec.free")),
			Check:            story.LiveChecks(s.ExpectLiveJSON(gauge, `{"x":1}`, "spec", "free"), expectNoEntry(s, gauge, "patch")),
		},
	)
}

// A destroy does not fail because the server needs what the patch added: it stays, and a warning says so.
func TestDestroyOfAPatchThatOthersNeed(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]func(s *story.Story) string{
		"apply": func(s *story.Story) string {
			return s.PatchConfig(story.Web, "spec: {template: {spec: {containers: [{name: side, image: 'envoy:1'}]}}}", ours)
		},
		"strategic": func(s *story.Story) string {
			return s.TypedPatchConfig(story.Web, "strategic", `{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"envoy:1"}]}}}}`, ours)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.As("bob").Apply(story.Deployment)
			s.Run(
				resource.TestStep{
					Config: config(s),
					Check: func(*terraform.State) error {
						s.As("eve").Apply("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS}\n" +
							"spec: {template: {spec: {containers: [{name: side, workingDir: /hers}]}}}")
						return nil
					},
				},
				resource.TestStep{
					Config: s.ProviderBlock(),
					Check: story.LiveChecks(
						func(*terraform.State) error {
							containers, _, err := unstructured.NestedSlice(s.Live(story.Web).Object, "spec", "template", "spec", "containers")
							if text := fmt.Sprint(containers); !strings.Contains(text, "image:envoy:1") || !strings.Contains(text, "workingDir:/hers") {
								return fmt.Errorf("the containers are %s", text)
							}
							return err
						},
						expectNoEntry(s, story.Web, "patch"),
						func(*terraform.State) error { return s.Warned("Fields Not Removed", `containers[name="side"].image`) },
					),
				},
			)
		})
	}
}

// Two patches that name the items of a list in different orders do not fight about the order. The plan tells that an apply changes it.
func TestPatchesThatListItemsInDifferentOrders(t *testing.T) {
	s := story.New(t)
	s.As("bob").Apply(story.Sidecar)
	w := s.HostedWorkspace()
	patch := func(name, first, second, value string) string {
		item := "{name: %s, env: [{name: " + strings.ToUpper(name) + ", value: \"" + value + "\"}]}"
		return "resource \"k8sconnect_patch\" \"" + name + "\" {\n  target = { api_version = \"apps/v1\", kind = \"Deployment\", name = \"web\", namespace = \"" + s.Namespace + "\" }\n" +
			"  field_manager = \"" + name + "\"\n  yaml_body = \"spec: {template: {spec: {containers: [" + strings.ReplaceAll(fmt.Sprintf(item, first)+", "+fmt.Sprintf(item, second), `"`, `\"`) + "]}}}\"\n}\n"
	}
	configure := func(value string) {
		w.ConfigureProvider(`{ config_path = "kubeconfig" }`, patch("one", "app", "log", "1")+patch("two", "log", "app", value))
	}
	configure("1")
	w.Do("apply", "-auto-approve", "-parallelism=1")
	w.Do("plan", "-detailed-exitcode")
	configure("2")
	w.Do("apply", "-auto-approve")
	w.Do("plan", "-detailed-exitcode")
}

// A manifest and a patch that name the items of a list in different orders do not fight about the order, whatever changes
// and whether the patch comes with its items or gets them later. What the patch alone owns has the place that it gives it.
func TestPatchThatListsItemsInAnotherOrder(t *testing.T) {
	t.Parallel()
	const log, app = `{"name": "log", "env": [{"name": "X", "value": "VALUE"}]}`, `{"name": "app", "env": [{"name": "X", "value": "VALUE"}]}`
	const own, labels = `{"name": "own", "image": "own:1"}`, `{"metadata": {"labels": {"patched": "yes"}}}`
	items := func(items ...string) string {
		return `{"spec": {"template": {"spec": {"containers": [` + strings.Join(items, ", ") + `]}}}}`
	}
	for name, c := range map[string]struct{ kind, first, then, order string }{
		"strategic":              {"strategic", items(log, app), items(log, app), "app log"},
		"apply":                  {"", items(log, app), items(log, app), "app log"},
		"items come later":       {"", labels, items(log, app), "app log"},
		"a second item":          {"", items(log), items(log, app), "app log"},
		"its own between others": {"", items(log, own, app), items(log, own, app), "app own log"},
		"its own moves":          {"", items(own, log, app), items(log, app, own), "app log own"},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			w := s.HostedWorkspace()
			configure := func(image, body, value string) {
				body = strings.ReplaceAll(body, "VALUE", value)
				patch := s.PatchBlock("second", story.Web, body, `field_manager = "second"`, afterManifest)
				if c.kind != "" {
					patch = s.TypedPatchBlock("second", story.Web, c.kind, body, `field_manager = "second"`, afterManifest)
				}
				w.Configure(s.Manifest("test", strings.Replace(story.Sidecar, "fluent:1", image, 1)), patch)
			}
			for _, change := range []struct{ image, body, value string }{
				{"fluent:1", c.first, "1"}, {"fluent:1", c.then, "2"}, {"fluent:2", c.then, "2"}, {"fluent:2", c.then, "3"},
			} {
				configure(change.image, change.body, change.value)
				w.Do("apply", "-auto-approve")
				w.Do("plan", "-detailed-exitcode")
			}
			configure("fluent:2", c.then, "4")
			w.Do("plan", "-out=p")
			w.ExpectCost("the apply of the patch", []string{
				"get deployments NS/web 200", "patch deployments NS/web 200", "patch deployments NS/web dry-run 200",
			}, "apply", "p")
			containers, _, err := unstructured.NestedSlice(s.Live(story.Web).Object, "spec", "template", "spec", "containers")
			var names []string
			for _, container := range containers {
				names = append(names, fmt.Sprint(container.(map[string]any)["name"]))
			}
			if order := strings.Join(names, " "); err != nil || order != c.order {
				t.Errorf("the containers are %q, want %q (%v)", order, c.order, err)
			}
		})
	}
}
