package acceptance_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// entryBlock returns a resource that sets single entries of lists by a merge patch. keys is the HCL of list_keys.
func entryBlock(s *story.Story, name, target, body, keys string, arguments ...string) string {
	apiVersion, kind, object := s.Split(target)
	namespace := fmt.Sprintf("namespace = %q", s.Namespace)
	if kind == "Node" {
		namespace = ""
	}
	return fmt.Sprintf("resource \"k8sconnect_patch\" %q {\n  target = {\n    api_version = %q\n    kind = %q\n    name = %q\n    %s\n  }\n"+
		"  patch = {\n    type = \"merge\"\n    body = %q\n    list_keys = { %s }\n  }\n  field_manager = %q\n  %s\n}\n",
		name, apiVersion, kind, object, namespace, s.Expand(body), keys, name, strings.Join(arguments, "\n  "))
}

const taintKeys = `"spec.taints" = ["key", "effect"]`

// taint returns the body of a patch with a taint.
func taint(key, value string) string {
	return fmt.Sprintf(`{"spec": {"taints": [{"key": %q, "value": %q, "effect": "NoSchedule"}]}}`, key, value)
}

// taints asserts which taints a node has, in order.
func taints(s *story.Story, node string, want ...string) resource.TestCheckFunc {
	return s.ExpectJSONPath(node, map[string]string{
		`{range .spec.taints[*]}{.key}={.value}:{.effect} {end}`: strings.Join(append(want, ""), " "),
	})
}

// newNode creates a node of the story with taints, which are JSON, written by a controller.
func newNode(s *story.Story, taints string) (node string) {
	s.As("controller").Create("{apiVersion: v1, kind: Node, metadata: {name: NS, labels: {a: b}}}")
	node = s.Expand("v1 Node NS")
	s.As("controller").Patch(node, `{"spec": {"taints": `+taints+`}}`)
	s.T.Cleanup(func() { _ = s.Typed.CoreV1().Nodes().Delete(context.Background(), s.Namespace, metav1.DeleteOptions{}) })
	return node
}

// A patch of one entry meets no conflict with itself under a new field manager, and keeps the entries of other
// managers.
func TestPatchOfAnEntryUnderANewName(t *testing.T) {
	s := story.New(t)
	node := newNode(s, `[{"key": "theirs", "effect": "NoExecute"}]`)
	config := func(value, manager string) string {
		block := entryBlock(s, "test", node, taint("dedicated", value), taintKeys, story.OrFail)
		return s.ProviderBlock() + strings.Replace(block, `field_manager = "test"`, `field_manager = "`+manager+`"`, 1)
	}
	s.Run(
		resource.TestStep{Config: config("gpu", "one")},
		resource.TestStep{
			Config: config("cpu", "two"), ConfigPlanChecks: story.PlanChecks(s.ExpectNoWarning()),
			Check: story.LiveChecks(taints(s, node, "theirs=:NoExecute", "dedicated=cpu:NoSchedule"), expectNoEntry(s, node, "one")),
		},
		s.Noop(config("cpu", "two")),
	)
}

// For the API server, the taints of a node are one field. A patch sets one of them, and keeps those of others as they are
// at the moment of the apply.
func TestOneTaintOfANode(t *testing.T) {
	s := story.New(t)
	node := newNode(s, `[{"key": "theirs", "effect": "NoExecute"}, {"key": "dedicated", "effect": "NoExecute"}]`)
	config := func(key, value string, arguments ...string) string {
		return s.ProviderBlock() + entryBlock(s, "test", node, taint(key, value), taintKeys, arguments...)
	}
	const field = `spec.taints[effect="NoSchedule",key="dedicated"]`
	add := func(key string) func() {
		return func() {
			s.As("controller").JSONPatch(node, `[{"op": "add", "path": "/spec/taints/0", "value": {"key": "`+key+`", "effect": "NoExecute"}}]`)
		}
	}
	s.Run(
		resource.TestStep{
			Config:           config("dedicated", "gpu"),
			ConfigPlanChecks: story.PlanChecks(s.ExpectNoWarning()),
			ConfigStateChecks: story.StateChecks(
				story.ExpectState(story.ManagedState, field+`: {"effect":"NoSchedule","key":"dedicated","value":"gpu"}`),
				story.ExpectState(story.FieldOwnership, field+": test"),
			),
			Check: taints(s, node, "theirs=:NoExecute", "dedicated=:NoExecute", "dedicated=gpu:NoSchedule"),
		},
		s.Noop(config("dedicated", "gpu")),
		resource.TestStep{ // Taints of others come and go.
			PreConfig: s.NextStep(add("new"), func() { s.As("controller").JSONPatch(node, `[{"op": "remove", "path": "/spec/taints/1"}]`) }),
			Config:    config("dedicated", "gpu"), ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan(), s.ExpectNoWarning()),
			Check: taints(s, node, "new=:NoExecute", "dedicated=:NoExecute", "dedicated=gpu:NoSchedule"),
		},
		resource.TestStep{ // Between plan and apply, too.
			Config:           config("dedicated", "cpu"),
			ConfigPlanChecks: story.PlanChecks(s.ExpectNoWarning(), story.Meanwhile(add("meanwhile"))),
			Check:            taints(s, node, "meanwhile=:NoExecute", "new=:NoExecute", "dedicated=:NoExecute", "dedicated=cpu:NoSchedule"),
		},
		s.Noop(config("dedicated", "cpu")),
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("controller").JSONPatch(node, `[{"op": "replace", "path": "/spec/taints/3/value", "value": "theirs"}]`)
			}),
			Config:      config("dedicated", "cpu", `on_conflict = "fail"`),
			ExpectError: story.Saying("Field Ownership Conflict", field+`.value: "theirs" -> "cpu", owned by "controller"`),
		},
		resource.TestStep{
			Config:           config("dedicated", "cpu"),
			ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays("takes back a field", field+`.value: "theirs" -> "cpu", owned by "controller"`)),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("controller").JSONPatch(node, `[{"op": "remove", "path": "/spec/taints/3"}]`) }),
			Config:    config("dedicated", "cpu"),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.PatchAddress, plancheck.ResourceActionUpdate), s.ExpectNoWarning(),
			),
			Check: taints(s, node, "meanwhile=:NoExecute", "new=:NoExecute", "dedicated=:NoExecute", "dedicated=cpu:NoSchedule"),
		},
		resource.TestStep{ // Another key is another taint.
			PreConfig: s.NextStep(),
			Config:    config("other", "cpu"),
			Check:     taints(s, node, "meanwhile=:NoExecute", "new=:NoExecute", "dedicated=:NoExecute", "other=cpu:NoSchedule"),
		},
		s.Noop(config("other", "cpu")),
		resource.TestStep{
			Config:           s.ProviderBlock(),
			ConfigPlanChecks: story.PlanChecks(s.ExpectWarning("Patch Removed", `spec.taints[effect="NoSchedule",key="other"]`)),
			Check: story.LiveChecks(
				taints(s, node, "meanwhile=:NoExecute", "new=:NoExecute", "dedicated=:NoExecute"), expectNoEntry(s, node, "test"),
			),
		},
	)
}

// Each of two patches has its own taint. They are applied and taken back at the same time.
func TestTwoTaintsOfANode(t *testing.T) {
	s := story.New(t)
	node := newNode(s, `[{"key": "theirs", "effect": "NoExecute"}]`)
	config := s.ProviderBlock() + entryBlock(s, "one", node, taint("one", "1"), taintKeys) + entryBlock(s, "two", node, taint("two", "2"), taintKeys)
	has := func(key string) resource.TestCheckFunc {
		return s.ExpectJSONPath(node, map[string]string{`{.spec.taints[?(@.key=="` + key + `")].key}`: key})
	}
	s.Run(
		resource.TestStep{Config: config, Check: story.LiveChecks(has("theirs"), has("one"), has("two"))},
		s.Noop(config),
		resource.TestStep{
			Config: s.ProviderBlock() + entryBlock(s, "one", node, taint("one", "changed"), taintKeys),
			Check:  story.LiveChecks(has("theirs"), has("one"), expectNoEntry(s, node, "two")),
		},
		resource.TestStep{Config: s.ProviderBlock(), Check: taints(s, node, "theirs=:NoExecute")},
	)
}

// A patch sets entries of lists of any kind, whose keys its user knows. A destroy leaves the list as other managers
// have it.
func TestEntriesOfLists(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		object, target string
		body, keys     string
		path           []string
		want           string
		// others is a JSON patch of other managers after the apply, and left the list after the destroy.
		others, left string
		arguments    string
		// says is what the plan says: a list that other managers apply is taken from them.
		says []string
	}{
		"a toleration, beside one without keys": {
			object: strings.Replace(story.Deployment, "    spec:\n", "    spec:\n      tolerations: [{operator: Exists, effect: NoSchedule}]\n", 1),
			target: story.Web, path: []string{"spec", "template", "spec", "tolerations"}, says: []string{"spec.template.spec.tolerations: "},
			body: `{"spec": {"template": {"spec": {"tolerations": [{"key": "gpu", "operator": "Exists", "effect": "NoSchedule"}]}}}}`,
			keys: `"spec.template.spec.tolerations" = ["key", "effect"]`,
			want: `[{"effect":"NoSchedule","operator":"Exists"},{"effect":"NoSchedule","key":"gpu","operator":"Exists"}]`,
			left: `[{"effect":"NoSchedule","operator":"Exists"}]`,
		},
		"the entry is gone, and one with fewer keys is like it": {
			object: strings.Replace(story.Deployment, "    spec:\n", "    spec:\n      tolerations: [{operator: Exists, effect: NoSchedule}]\n", 1),
			target: story.Web, path: []string{"spec", "template", "spec", "tolerations"}, says: []string{"spec.template.spec.tolerations: "},
			body:   `{"spec": {"template": {"spec": {"tolerations": [{"key": "gpu", "operator": "Exists", "effect": "NoSchedule"}]}}}}`,
			keys:   `"spec.template.spec.tolerations" = ["key", "effect"]`,
			want:   `[{"effect":"NoSchedule","operator":"Exists"},{"effect":"NoSchedule","key":"gpu","operator":"Exists"}]`,
			others: `[{"op": "remove", "path": "/spec/template/spec/tolerations/1"}]`,
			left:   `[{"effect":"NoSchedule","operator":"Exists"}]`,
		},
		"a subject of a RoleBinding": {
			object: "{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: b, namespace: NS}, " +
				"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}, subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: eve}]}",
			target: "rbac.authorization.k8s.io/v1 RoleBinding b", path: []string{"subjects"}, says: []string{"subjects: "},
			body:   `{"subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "ours"}]}`,
			keys:   `"subjects" = ["kind", "name"]`,
			want:   `[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"eve"},{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"ours"}]`,
			others: `[{"op": "remove", "path": "/subjects/0"}]`, left: `null`,
		},
		"an entry of a list that was missing": {
			object: "{apiVersion: v1, kind: ServiceAccount, metadata: {name: a, namespace: NS}}",
			target: "v1 ServiceAccount a", path: []string{"secrets"},
			body: `{"secrets": [{"name": "ours"}]}`, keys: `"secrets" = ["name"]`,
			want: `[{"name":"ours"}]`, left: "null",
		},
		"values of others are given back": {
			object: "{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: i, namespace: NS}, spec: {rules: [" +
				"{host: a.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: a, port: {number: 80}}}}]}}, {host: b.example.com}]}}",
			target: "networking.k8s.io/v1 Ingress i", path: []string{"spec", "rules"}, says: []string{`spec.rules[host="a.example.com"].http.paths: `},
			body: `{"spec": {"rules": [{"host": "c.example.com"}, {"host": "a.example.com", "http": {"paths": [{"path": "/ours", "pathType": "Prefix", "backend": {"service": {"name": "ours", "port": {"number": 80}}}}]}}]}}`,
			keys: `"spec.rules" = ["host"], "spec.rules[*].http.paths" = ["path"]`,
			want: `[{"host":"a.example.com","http":{"paths":[{"backend":{"service":{"name":"a","port":{"number":80}}},"path":"/","pathType":"Prefix"},` +
				`{"backend":{"service":{"name":"ours","port":{"number":80}}},"path":"/ours","pathType":"Prefix"}]}},{"host":"b.example.com"},{"host":"c.example.com"}]`,
			left: `[{"host":"a.example.com","http":{"paths":[{"backend":{"service":{"name":"a","port":{"number":80}}},"path":"/","pathType":"Prefix"}]}},` +
				`{"host":"b.example.com"}]`,
			arguments: `on_destroy = "restore"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.As("helm").Apply(test.object)
			config := s.ProviderBlock() + entryBlock(s, "test", test.target, test.body, test.keys, test.arguments)
			told := s.ExpectNoWarning()
			if len(test.says) > 0 {
				told = s.ExpectOnlyWarning(append(test.says, `owned by "helm"`)...)
			}
			meanwhile := func(*terraform.State) error {
				if test.others != "" {
					s.As("eve").JSONPatch(test.target, test.others)
				}
				return nil
			}
			steps := []resource.TestStep{
				{
					Config: config, ConfigPlanChecks: story.PlanChecks(told),
					Check: s.ExpectLiveJSON(test.target, test.want, test.path...),
				},
				s.Noop(config),
			}
			if test.others != "" {
				steps = append(steps, resource.TestStep{
					Config: config, Check: meanwhile, ExpectNonEmptyPlan: strings.Contains(test.others, "tolerations"),
				})
			}
			steps = append(steps, resource.TestStep{
				Config: s.ProviderBlock(),
				Check:  story.LiveChecks(s.ExpectLiveJSON(test.target, test.left, test.path...), expectNoEntry(s, test.target, "test")),
			})
			s.Run(steps...)
		})
	}
}

// A change of list_keys takes the patch back first. What the keys do not identify is an error of the plan.
func TestOtherListKeys(t *testing.T) {
	s := story.New(t)
	node := newNode(s, `[{"key": "theirs", "effect": "NoExecute"}]`)
	config := func(keys string) string {
		return s.ProviderBlock() + entryBlock(s, "test", node, taint("dedicated", "gpu"), keys)
	}
	s.Run(
		resource.TestStep{
			Config:      config(`"spec.taints" = ["id"]`),
			ExpectError: story.Saying("Invalid Patch", "/spec/taints/0 of the body does not have all keys of its list: id", "identify the entry"),
		},
		resource.TestStep{
			Config:      config(`"spec.tolerations" = ["key"]`),
			ExpectError: story.Saying("Invalid Patch", "list_keys names spec.tolerations, and the body sets no entry there"),
		},
		resource.TestStep{Config: config(`"spec.taints" = ["key"]`)},
		resource.TestStep{
			Config:           config(taintKeys),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectResourceAction(story.PatchAddress, plancheck.ResourceActionDestroyBeforeCreate)),
			Check:            taints(s, node, "theirs=:NoExecute", "dedicated=gpu:NoSchedule"),
		},
	)
}

// A destroy restores nothing in entries of other managers, even in one that lacks a key of the patch. An entry that
// leaves the patch and keeps its value is no longer the patch's.
func TestEntriesOfOthersAreNotRestored(t *testing.T) {
	s := story.New(t)
	const keys = `"spec.template.spec.tolerations" = ["key", "effect"]`
	tolerations := func(seconds string) string {
		return strings.Replace(story.Deployment, "      containers", "      tolerations: [{operator: Exists, effect: NoExecute, tolerationSeconds: "+seconds+"}]\n      containers", 1)
	}
	body := `{"spec": {"template": {"spec": {"tolerations": [{"key": "gpu", "operator": "Exists", "effect": "NoExecute"}]}}}}`
	s.As("bob").Create(tolerations("5"))
	s.Run(
		resource.TestStep{Config: s.ProviderBlock() + entryBlock(s, "test", story.Web, body, keys, `on_destroy = "restore"`)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("bob").JSONPatch(story.Web, `[{"op": "replace", "path": "/spec/template/spec/tolerations/0/tolerationSeconds", "value": 60}]`)
			}),
			Config: s.ProviderBlock(),
			Check: s.ExpectLiveJSON(story.Web, `[{"effect":"NoExecute","operator":"Exists","tolerationSeconds":60}]`,
				"spec", "template", "spec", "tolerations"),
		},
	)
}

// Entries of a list whose items the API server identifies itself are no conflict with those of others.
func TestListKeysOfAListWithKeys(t *testing.T) {
	t.Parallel()
	const body = `{"spec": {"ports": [{"name": "metrics", "port": 9090}]}}`
	for name, keys := range map[string]string{
		"the keys of the server": `"spec.ports" = ["port", "protocol"]`,
		"other keys":             `"spec.ports" = ["name"]`,
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.As("helm").Apply("apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: NS}\nspec: {selector: {app: web}, ports: [{name: http, port: 80}]}\n")
			patch := strings.Replace(body, `9090}`, `9090, "protocol": "TCP"}`, 1)
			config := s.ProviderBlock() + entryBlock(s, "test", "v1 Service web", patch, keys, `on_conflict = "fail"`)
			s.Run(
				resource.TestStep{
					Config: config,
					Check:  s.ExpectJSONPath("v1 Service web", map[string]string{"{.spec.ports[*].port}": "80 9090"}),
				},
				s.Noop(config),
			)
		})
	}
}
