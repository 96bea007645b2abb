package manifestresource_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
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
	s := newStory(t)
	const container = `spec.template.spec.containers[name="app"]`
	s.run(
		resource.TestStep{
			Config: s.config(sidecar),
			ConfigPlanChecks: checks(
				expectValue(container+`.env[name="B"].value`, absent, "2"),
				expectValue(container+".args", absent, `["-a","-b"]`),
				s.expectPrediction(sidecar),
			),
			Check: lives(
				s.expectContainerOrder("app", "log"),
				s.expectContainer(web, "app", "env", "[map[name:A value:1] map[name:B value:2]]"),
			),
		},
		resource.TestStep{
			PreConfig: s.anew(),
			Config:    s.config(sidecarReordered),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				expectOnly(fieldOwnership), expectOnly(coOwners), expectOnly(managedState),
				s.expectPrediction(sidecarReordered),
				s.expectNoWarning(),
			),
			ConfigStateChecks: states(expectState(managedState, container+`.env[name="B"].value: 2`)),
			Check: lives(
				s.expectContainerOrder("log", "app"),
				s.expectContainer(web, "app", "env", "[map[name:B value:2] map[name:A value:1]]"),
			),
		},
	)
}

// Arguments are atomic: whoever changes one holds all, and the order is part of the value.
func TestAtomicArguments(t *testing.T) {
	s := newStory(t)
	const args = `spec.template.spec.containers[name="app"].args`
	edit := `{"spec":{"template":{"spec":{"containers":[` +
		`{"name":"app","image":"nginx:1.25","args":["-b","-a"],"env":[{"name":"A","value":"1"},{"name":"B","value":"2"}]},` +
		`{"name":"log","image":"fluent:1"}]}}}}`
	s.run(
		resource.TestStep{Config: s.config(sidecar)},
		resource.TestStep{
			PreConfig: s.anew(func() { s.as("kubectl-edit").patch(web, edit) }),
			Config:    s.config(sidecar),
			ConfigPlanChecks: checks(
				expectOnly(fieldOwnership, args+": kubectl-edit -> k8sconnect"),
				expectOnly(managedState, args+`: ["-b","-a"] -> ["-a","-b"]`),
				s.expectPrediction(sidecar),
				s.expectOnlyWarning(args+`: "[\"-b\",\"-a\"]" -> "[\"-a\",\"-b\"]", owned by "kubectl-edit" using apps/v1`),
			),
			ConfigStateChecks: states(expectState(fieldOwnership, args+": k8sconnect")),
			Check:             s.expectContainer(web, "app", "args", "[-a -b]"),
		},
	)
}

// finalized returns settings with these finalizers, in flow style.
func finalized(finalizers string) string {
	return "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: NS, finalizers: [" + finalizers + "]}}"
}

// Finalizers are a set: each member has its own owners, shared, kept and removed on its own.
func TestFinalizersOfTwoManagers(t *testing.T) {
	s := newStory(t)
	const ours, theirs = `metadata.finalizers[="example.com/ours"]`, `metadata.finalizers[="example.com/theirs"]`
	const quick = `timeouts { delete = "15s" }` // A story that fails halfway leaves finalizers behind.
	policy := s.as("policy")
	body, bare := finalized("example.com/ours"), "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: NS}}"
	s.run(
		resource.TestStep{
			Config: s.config(body, quick),
			ConfigPlanChecks: checks(
				expectOwner(ours, absent, "k8sconnect"),
				expectValue(ours, absent, "example.com/ours"),
				s.expectPrediction(body),
			),
			ConfigStateChecks: states(expectState(managedState, ours+": example.com/ours")),
			Check:             s.expectLiveJSON(settingsTarget, `["example.com/ours"]`, "metadata", "finalizers"),
		},
		resource.TestStep{
			PreConfig: s.anew(func() { policy.apply(finalized("example.com/theirs, example.com/ours")) }),
			Config:    s.config(body, quick),
			ConfigPlanChecks: checks(
				plancheck.ExpectEmptyPlan(), s.expectPrediction(body), s.expectNoWarning(),
			),
			ConfigStateChecks: states(
				expectState(fieldOwnership, theirs+": policy"),
				expectState(coOwners, ours+": [k8sconnect policy]", theirs+": "+absent),
				expectState(managedState, theirs+": "+absent),
			),
		},
		resource.TestStep{
			PreConfig: s.anew(func() { policy.apply(finalized("example.com/theirs")) }),
			Config:    s.config(bare, quick),
			ConfigPlanChecks: checks(
				expectOnly(fieldOwnership, ours+": k8sconnect -> (absent)"),
				expectOnly(managedState, ours+": example.com/ours -> (absent)"),
				s.expectPrediction(bare),
				s.expectNoWarning(),
			),
			ConfigStateChecks: states(expectState(fieldOwnership, ours+": "+absent, theirs+": policy")),
			Check:             s.expectLiveJSON(settingsTarget, `["example.com/theirs"]`, "metadata", "finalizers"),
		},
		resource.TestStep{
			PreConfig:         s.anew(func() { policy.apply(finalized("")) }),
			Config:            s.config(bare, quick),
			ConfigPlanChecks:  checks(plancheck.ExpectEmptyPlan(), s.expectNoWarning()),
			ConfigStateChecks: states(expectState(fieldOwnership, theirs+": "+absent)),
			Check:             s.expectLiveJSON(settingsTarget, `null`, "metadata", "finalizers"),
		},
	)
}

// Sets of a custom resource: others add members, members are shared and leave one by one, order is free.
func TestSetMembers(t *testing.T) {
	s := newStory(t)
	s.installGadgets()
	target := s.gadgetTarget()
	first := gadget(`colours: [red, "a\"b"], ports: [80, 443]`)
	second := gadget(`colours: ["a\"b", blue], ports: [443, 80]`)
	const quoted = `spec.colours[="a\"b"]`
	s.run(
		resource.TestStep{
			Config: s.config(first),
			ConfigPlanChecks: checks(
				expectOwner(`spec.colours[="red"]`, absent, "k8sconnect"),
				expectValue(`spec.ports[=443]`, absent, "443"),
				expectValue(quoted, absent, `a"b`),
				s.expectPrediction(first),
			),
			Check: s.expectLiveJSON(target, `["red","a\"b"]`, "spec", "colours"),
		},
		resource.TestStep{
			PreConfig: s.anew(func() { s.as("policy").apply(gadget(`colours: [green, red]`)) }),
			Config:    s.config(first),
			ConfigPlanChecks: checks(
				plancheck.ExpectEmptyPlan(), s.expectPrediction(first), s.expectNoWarning(),
			),
			ConfigStateChecks: states(
				expectState(coOwners, `spec.colours[="red"]: [k8sconnect policy]`),
				expectState(fieldOwnership, `spec.colours[="green"]: policy`, quoted+": k8sconnect"),
			),
		},
		resource.TestStep{
			PreConfig: s.anew(),
			Config:    s.config(second),
			ConfigPlanChecks: checks(
				expectOnly(managedState, `spec.colours[="red"]: red -> (absent)`, `spec.colours[="blue"]: (absent) -> blue`),
				expectOnly(coOwners, `spec.colours[="red"]: [k8sconnect policy] -> (absent)`),
				s.expectPrediction(second),
				s.expectOnlyWarning("Field Ownership Change: ", "a field leaves yaml_body and stays on the object, because others own it:\n",
					`spec.colours[="red"]: "red", owned by "policy" (last write `),
			),
			ConfigStateChecks: states(
				expectState(fieldOwnership, `spec.colours[="red"]: policy`, `spec.colours[="blue"]: k8sconnect`),
			),
			Check: lives(
				s.expectLiveSet(target, []string{`a"b`, "blue", "green", "red"}, "spec", "colours"),
				s.expectLiveJSON(target, `[443,80]`, "spec", "ports"),
			),
		},
	)
}

// Atomic lists and maps have one owner as a whole, and lists by keys one for each field of an item, with
// a key that the server defaults.
func TestAtomicAndKeyedFields(t *testing.T) {
	s := newStory(t)
	s.installGadgets()
	target := s.gadgetTarget()
	body := gadget(`steps: [one, two], limits: {cpu: "1", memory: "2"}, routes: [{host: a, weight: 1}, {host: a, port: 81, weight: 2}]`)
	const defaulted = `spec.routes[host="a",port=80].weight`
	s.run(
		resource.TestStep{
			Config: s.config(body),
			ConfigPlanChecks: checks(
				expectValue("spec.steps", absent, `["one","two"]`),
				expectValue("spec.limits", absent, `{"cpu":"1","memory":"2"}`),
				expectValue(defaulted, absent, "1"),
				s.expectPrediction(body),
			),
			ConfigStateChecks: states(expectState(managedState, defaulted+": 1", `spec.routes[host="a",port=81].weight: 2`)),
		},
		resource.TestStep{
			PreConfig: s.anew(func() {
				s.as("policy").apply(gadget(`limits: {cpu: "4"}, routes: [{host: a, port: 80, weight: 9}, {host: b, weight: 3}]`))
				s.as("kubectl-edit").patch(target, `{"spec":{"steps":["one","two","three"]}}`)
			}),
			Config: s.config(body),
			ConfigPlanChecks: checks(
				expectOnly(fieldOwnership, "spec.steps: kubectl-edit -> k8sconnect", "spec.limits: policy -> k8sconnect",
					defaulted+": policy -> k8sconnect"),
				expectOnly(managedState, `spec.steps: ["one","two","three"] -> ["one","two"]`,
					`spec.limits: {"cpu":"4"} -> {"cpu":"1","memory":"2"}`, defaulted+": 9 -> 1"),
				s.expectPrediction(body),
				s.expectOnlyWarning("the apply takes back 3 fields that other owners changed:\n",
					`spec.limits: "{\"cpu\":\"4\"}" -> "{\"cpu\":\"1\",\"memory\":\"2\"}", owned by "policy" (last write `,
					defaulted+`: "9" -> "1", owned by "policy" (last write `,
					`spec.steps: "[\"one\",\"two\",\"three\"]" -> "[\"one\",\"two\"]", owned by "kubectl-edit" using `+
						s.expand("NS.example.com/v1")+" (kubectl edit, last write ",
					`ignore_fields = ["spec.limits", "spec.routes[host=\"a\",port=80].weight", "spec.steps"]`),
			),
			ConfigStateChecks: states(expectState(fieldOwnership, "spec.limits: k8sconnect",
				`spec.routes[host="b",port=80].weight: policy`)),
			Check: lives(
				s.expectLiveJSON(target, `["one","two"]`, "spec", "steps"),
				s.expectLiveJSON(target, `{"cpu":"1","memory":"2"}`, "spec", "limits"),
				s.expectLiveJSON(target, `[{"host":"a","port":80,"weight":1},{"host":"a","port":81,"weight":2},`+
					`{"host":"b","port":80,"weight":3}]`, "spec", "routes"),
			),
		},
	)
}
