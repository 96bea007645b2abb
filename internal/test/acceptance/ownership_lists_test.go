package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const sidecarReordered = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: log, image: "fluent:1"}
      - name: app
        image: nginx:1.25
        args: [-a, -b]
        env: [{name: B, value: "2"}, {name: A, value: "1"}]
`

// Containers and variables in another order are the same fields with the same owners and values; the
// server takes the new order over.
func TestReorderedListItems(t *testing.T) {
	s := story.NewCompared(t)
	const container = `spec.template.spec.containers[name="app"]`
	s.Run(
		resource.TestStep{
			Config: s.Config(story.Sidecar),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectValue(container+`.env[name="B"].value`, story.Absent, "2"),
				story.ExpectValue(container+".args", story.Absent, `["-a","-b"]`),
				s.ExpectPrediction(story.Sidecar),
			),
			Check: story.LiveChecks(
				s.ExpectContainerOrder("app", "log"),
				s.ExpectContainer(story.Web, "app", "env", "[map[name:A value:1] map[name:B value:2]]"),
			),
		},
		resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.Config(sidecarReordered),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				story.ExpectOnly(story.FieldOwnership), story.ExpectOnly(story.CoOwners), story.ExpectOnly(story.ManagedState),
				s.ExpectPrediction(sidecarReordered),
				s.ExpectNoWarning(),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, container+`.env[name="B"].value: 2`)),
			Check: story.LiveChecks(
				s.ExpectContainerOrder("log", "app"),
				s.ExpectContainer(story.Web, "app", "env", "[map[name:B value:2] map[name:A value:1]]"),
			),
		},
	)
}

// Arguments are atomic: whoever changes one holds all, and the order is part of the value.
func TestAtomicArguments(t *testing.T) {
	s := story.NewCompared(t)
	const args = `spec.template.spec.containers[name="app"].args`
	edit := `{"spec":{"template":{"spec":{"containers":[` +
		`{"name":"app","image":"nginx:1.25","args":["-b","-a"],"env":[{"name":"A","value":"1"},{"name":"B","value":"2"}]},` +
		`{"name":"log","image":"fluent:1"}]}}}}`
	s.Run(
		resource.TestStep{Config: s.Config(story.Sidecar)},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("kubectl-edit").Patch(story.Web, edit) }),
			Config:    s.Config(story.Sidecar),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.FieldOwnership, args+": kubectl-edit -> k8sconnect"),
				story.ExpectOnly(story.ManagedState, args+`: ["-b","-a"] -> ["-a","-b"]`),
				s.ExpectPrediction(story.Sidecar),
				s.ExpectOnlyWarning(args+`: "[\"-b\",\"-a\"]" -> "[\"-a\",\"-b\"]", owned by "kubectl-edit" using apps/v1`),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.FieldOwnership, args+": k8sconnect")),
			Check:             s.ExpectContainer(story.Web, "app", "args", "[-a -b]"),
		},
	)
}

// finalized returns settings with these finalizers, in flow style.
func finalized(finalizers string) string {
	return "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: NS, finalizers: [" + finalizers + "]}}"
}

// Finalizers are a set: each member has its own owners, shared, kept and removed on its own.
func TestFinalizersOfTwoManagers(t *testing.T) {
	s := story.NewCompared(t)
	const ours, theirs = `metadata.finalizers[="example.com/ours"]`, `metadata.finalizers[="example.com/theirs"]`
	const quick = `timeouts { delete = "15s" }` // A story that fails halfway leaves finalizers behind.
	policy := s.As("policy")
	body, bare := finalized("example.com/ours"), "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: NS}}"
	s.Run(
		resource.TestStep{
			Config: s.Config(body, quick),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOwner(ours, story.Absent, "k8sconnect"),
				story.ExpectValue(ours, story.Absent, "example.com/ours"),
				s.ExpectPrediction(body),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, ours+": example.com/ours")),
			Check:             s.ExpectLiveJSON(story.SettingsTarget, `["example.com/ours"]`, "metadata", "finalizers"),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() { policy.Apply(finalized("example.com/theirs, example.com/ours")) }),
			Config:    s.Config(body, quick),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectEmptyPlan(), s.ExpectPrediction(body), s.ExpectNoWarning(),
			),
			ConfigStateChecks: story.StateChecks(
				story.ExpectState(story.FieldOwnership, theirs+": policy"),
				story.ExpectState(story.CoOwners, ours+": [k8sconnect policy]", theirs+": "+story.Absent),
				story.ExpectState(story.ManagedState, theirs+": "+story.Absent),
			),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() { policy.Apply(finalized("example.com/theirs")) }),
			Config:    s.Config(bare, quick),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.FieldOwnership, ours+": k8sconnect -> (absent)"),
				story.ExpectOnly(story.ManagedState, ours+": example.com/ours -> (absent)"),
				s.ExpectPrediction(bare),
				s.ExpectNoWarning(),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.FieldOwnership, ours+": "+story.Absent, theirs+": policy")),
			Check:             s.ExpectLiveJSON(story.SettingsTarget, `["example.com/theirs"]`, "metadata", "finalizers"),
		},
		resource.TestStep{
			PreConfig:         s.NextStep(func() { policy.Apply(finalized("")) }),
			Config:            s.Config(bare, quick),
			ConfigPlanChecks:  story.PlanChecks(plancheck.ExpectEmptyPlan(), s.ExpectNoWarning()),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.FieldOwnership, theirs+": "+story.Absent)),
			Check:             s.ExpectLiveJSON(story.SettingsTarget, `null`, "metadata", "finalizers"),
		},
	)
}

// Sets of a custom resource: others add members, members are shared and leave one by one, order is free.
func TestSetMembers(t *testing.T) {
	s := story.NewCompared(t)
	s.InstallGadgets()
	target := s.GadgetTarget()
	first := story.Gadget(`colours: [red, "a\"b"], ports: [80, 443]`)
	second := story.Gadget(`colours: ["a\"b", blue], ports: [443, 80]`)
	const quoted = `spec.colours[="a\"b"]`
	s.Run(
		resource.TestStep{
			Config: s.Config(first),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOwner(`spec.colours[="red"]`, story.Absent, "k8sconnect"),
				story.ExpectValue(`spec.ports[=443]`, story.Absent, "443"),
				story.ExpectValue(quoted, story.Absent, `a"b`),
				s.ExpectPrediction(first),
			),
			Check: s.ExpectLiveJSON(target, `["red","a\"b"]`, "spec", "colours"),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("policy").Apply(story.Gadget(`colours: [green, red]`)) }),
			Config:    s.Config(first),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectEmptyPlan(), s.ExpectPrediction(first), s.ExpectNoWarning(),
			),
			ConfigStateChecks: story.StateChecks(
				story.ExpectState(story.CoOwners, `spec.colours[="red"]: [k8sconnect policy]`),
				story.ExpectState(story.FieldOwnership, `spec.colours[="green"]: policy`, quoted+": k8sconnect"),
			),
		},
		resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.Config(second),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.ManagedState, `spec.colours[="red"]: red -> (absent)`, `spec.colours[="blue"]: (absent) -> blue`),
				story.ExpectOnly(story.CoOwners, `spec.colours[="red"]: [k8sconnect policy] -> (absent)`),
				s.ExpectPrediction(second),
				s.ExpectOnlyWarning("Field Ownership Change: ", "a field leaves yaml_body and stays on the object, because others own it:\n",
					`spec.colours[="red"]: "red", owned by "policy" (last write `),
			),
			ConfigStateChecks: story.StateChecks(
				story.ExpectState(story.FieldOwnership, `spec.colours[="red"]: policy`, `spec.colours[="blue"]: k8sconnect`),
			),
			Check: story.LiveChecks(
				s.ExpectLiveSet(target, []string{`a"b`, "blue", "green", "red"}, "spec", "colours"),
				s.ExpectLiveJSON(target, `[443,80]`, "spec", "ports"),
			),
		},
	)
}

// Atomic lists and maps have one owner as a whole, and lists by keys one for each field of an item, with
// a key that the server defaults.
func TestAtomicAndKeyedFields(t *testing.T) {
	s := story.NewCompared(t)
	s.InstallGadgets()
	target := s.GadgetTarget()
	body := story.Gadget(`steps: [one, two], limits: {cpu: "1", memory: "2"}, routes: [{host: a, weight: 1}, {host: a, port: 81, weight: 2}]`)
	const defaulted = `spec.routes[host="a",port=80].weight`
	s.Run(
		resource.TestStep{
			Config: s.Config(body),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectValue("spec.steps", story.Absent, `["one","two"]`),
				story.ExpectValue("spec.limits", story.Absent, `{"cpu":"1","memory":"2"}`),
				story.ExpectValue(defaulted, story.Absent, "1"),
				s.ExpectPrediction(body),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, defaulted+": 1", `spec.routes[host="a",port=81].weight: 2`)),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("policy").Apply(story.Gadget(`limits: {cpu: "4"}, routes: [{host: a, port: 80, weight: 9}, {host: b, weight: 3}]`))
				s.As("kubectl-edit").Patch(target, `{"spec":{"steps":["one","two","three"]}}`)
			}),
			Config: s.Config(body),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.FieldOwnership, "spec.steps: kubectl-edit -> k8sconnect", "spec.limits: policy -> k8sconnect",
					defaulted+": policy -> k8sconnect"),
				story.ExpectOnly(story.ManagedState, `spec.steps: ["one","two","three"] -> ["one","two"]`,
					`spec.limits: {"cpu":"4"} -> {"cpu":"1","memory":"2"}`, defaulted+": 9 -> 1"),
				s.ExpectPrediction(body),
				s.ExpectOnlyWarning("the apply takes back 3 fields that other owners changed:\n",
					`spec.limits: "{\"cpu\":\"4\"}" -> "{\"cpu\":\"1\",\"memory\":\"2\"}", owned by "policy" (last write `,
					defaulted+`: "9" -> "1", owned by "policy" (last write `,
					`spec.steps: "[\"one\",\"two\",\"three\"]" -> "[\"one\",\"two\"]", owned by "kubectl-edit" using `+
						s.Expand("NS.example.com/v1")+" (kubectl edit, last write ",
					`ignore_fields = ["spec.limits", "spec.routes[host=\"a\",port=80].weight", "spec.steps"]`),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.FieldOwnership, "spec.limits: k8sconnect",
				`spec.routes[host="b",port=80].weight: policy`)),
			Check: story.LiveChecks(
				s.ExpectLiveJSON(target, `["one","two"]`, "spec", "steps"),
				s.ExpectLiveJSON(target, `{"cpu":"1","memory":"2"}`, "spec", "limits"),
				s.ExpectLiveJSON(target, `[{"host":"a","port":80,"weight":1},{"host":"a","port":81,"weight":2},`+
					`{"host":"b","port":80,"weight":3}]`, "spec", "routes"),
			),
		},
	)
}

// Anybody who may patch an object can write into its managedFields what no object has: the claim is passed over.
func TestStrangeClaims(t *testing.T) {
	s := story.New(t)
	s.Run(
		resource.TestStep{Config: s.Config(story.ConfigMap)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("eve").JSONPatch("v1 ConfigMap web", `[{"op": "add", "path": "/metadata/managedFields/-", "value": {
					"manager": "note", "operation": "Update", "apiVersion": "v1", "time": "2026-01-01T00:00:00Z", "fieldsType": "FieldsV1",
					"fieldsV1": {"k:{\"a\":1}": {"f:x": {}}, "v:1": {}, "i:0": {}}}}]`)
			}),
			Config:           s.Config(story.ConfigMap),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan()),
		},
	)
}
