package acceptance_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/customresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Another manager changes the key of a list item in which we pin a value: its item is in the way of ours, and is removed
// although pin_fields covers a value in it. It is not pinned when it comes back.
func TestPinnedItemInTheWay(t *testing.T) {
	t.Parallel()
	const pool = "apiVersion: NS.example.com/v1\nkind: Pool\nmetadata: {name: web, namespace: NS}\nspec: {l: [{k: a}]}\n"
	rekeyed := func(list, key string, value any) func(map[string]any) {
		return func(object map[string]any) {
			item, _ := object["spec"].(map[string]any)[list].([]any)[0].(map[string]any)
			item[key] = value
			if list == "l" {
				item["v"] = "theirs"
			}
		}
	}
	const port = `spec.ports[port=8081,protocol="TCP"]`
	for name, test := range map[string]struct {
		body, target, pins string
		change             func(map[string]any)
		says               string
		list, key, live    string
	}{
		"the target of a port": {
			service, serviceTarget, "spec.ports[*].targetPort", rekeyed("ports", "port", int64(8081)), port + `.name: "http", removed with the list item ` + port,
			"ports", "port", "[80]",
		},
		"the node port of a port": {
			service, serviceTarget, "spec.ports[*].nodePort", rekeyed("ports", "port", int64(8081)), port + `.nodePort: `,
			"ports", "port", "[80]",
		},
		"the only item of a list": {
			pool, "NS.example.com/v1 Pool web", "spec.l[*].v", rekeyed("l", "k", "b"), `spec.l[k="b"].v: "theirs", removed with the list item spec.l[k="b"]`,
			"l", "k", "[a]",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			if test.body == pool {
				s.InstallKind(keyedPools)
			}
			pinned := `pin_fields = ["` + test.pins + `"]`
			s.Run(
				resource.TestStep{Config: s.Config(test.body, pinned)},
				resource.TestStep{
					PreConfig:   s.NextStep(func() { s.As("editor").Put(test.target, test.change) }),
					Config:      s.Config(test.body, pinned, story.OrFail),
					ExpectError: story.Saying("nothing is applied, because on_conflict is"),
				},
				resource.TestStep{
					PreConfig:        s.NextStep(),
					Config:           s.Config(test.body, pinned),
					ConfigPlanChecks: story.PlanChecks(s.ExpectWarning(test.says)),
					Check:            expectKeys(s, test.target, test.list, test.key, test.live),
				},
				s.Noop(s.Config(test.body, pinned)),
			)
		})
	}
}

// An item that other managers have given up is not kept by a value in it that we pin: not under another field manager,
// and not because they own the list itself.
func TestPinnedItemThatOthersLeave(t *testing.T) {
	t.Parallel()
	const target = "NS.example.com/v1 Pool web"
	pool := func(label string) string {
		return "apiVersion: NS.example.com/v1\nkind: Pool\nmetadata: {name: web, namespace: NS, labels: {a: " + label + "}}\n"
	}
	const applied = "apiVersion: NS.example.com/v1\nkind: Pool\nmetadata: {name: web, namespace: NS}\nspec: "
	for name, test := range map[string]struct{ leave, manager string }{
		"another name of our manager": {applied + "{}\n", `field_manager = "platform"`},
		"others own the list":         {applied + "{l: []}\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.InstallKind(keyedPools)
			const pins = `pin_fields = ["spec.l[*].v"]`
			s.Run(
				resource.TestStep{Config: s.Config(pool("x"), pins)},
				resource.TestStep{
					PreConfig: s.NextStep(func() { s.As("flux").Apply(applied + "{l: [{k: a, v: theirs}]}\n") }),
					Config:    s.Config(pool("x"), pins),
					Check:     s.ExpectOwners(target, `spec.l[k="a"].v`, "flux", "k8sconnect"),
				},
				resource.TestStep{
					PreConfig: s.NextStep(func() { s.As("flux").Apply(test.leave) }),
					Config:    s.Config(pool("z"), pins, test.manager),
					Check:     expectKeys(s, target, "l", "k", "[]"),
				},
				s.Noop(s.Config(pool("z"), pins, test.manager)),
			)
		})
	}
}

// expectKeys asserts the keys of the items of a list below spec.
func expectKeys(s *story.Story, target, list, key, want string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		items, _, err := unstructured.NestedSlice(s.Live(target).Object, "spec", list)
		var keys []any
		for _, item := range items {
			fields, _ := item.(map[string]any)
			keys = append(keys, fields[key])
		}
		if got := fmt.Sprint(keys); got != want {
			return fmt.Errorf("the items of %s are %s, want %s", list, got, want)
		}
		return err
	}
}

var keyedPools = customresource.Definition("NS.example.com", "Pool", `
spec:
  type: object
  properties:
    l:
      type: array
      maxItems: 1
      x-kubernetes-list-type: map
      x-kubernetes-list-map-keys: [k]
      items: {type: object, required: [k], properties: {k: {type: string}, v: {type: string}}}
`)
