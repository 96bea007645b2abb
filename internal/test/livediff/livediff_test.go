package livediff

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"sigs.k8s.io/yaml"
)

const before = `
metadata:
  resourceVersion: "1"
  labels: {team: orders}
  managedFields:
  - {manager: k8sconnect, fieldsV1: {f:spec: {f:replicas: {}, f:containers: {'k:{"name":"side"}': {.: {}, f:name: {}, f:image: {}}}}}}
  - {manager: kubectl, fieldsV1: {f:metadata: {f:labels: {.: {}, f:team: {}}}, f:spec: {f:colours: {'v:"red"': {}}}}}
spec:
  replicas: 3
  paused: true
  colours: [red, blue]
  steps: [a, b]
  containers:
  - {name: app, image: "nginx:1"}
  - {name: side, image: "envoy:1", policy: Always}
status: {replicas: 3}
`

func object(t *testing.T, text string) map[string]any {
	t.Helper()
	var fields map[string]any
	if err := yaml.Unmarshal([]byte(text), &fields); err != nil {
		t.Fatal(err)
	}
	return fields
}

func TestLosses(t *testing.T) {
	t.Parallel()
	after := object(t, before)
	after["status"] = nil
	metadata, _ := after["metadata"].(map[string]any)
	metadata["resourceVersion"], metadata["labels"] = "2", map[string]any{}
	spec, _ := after["spec"].(map[string]any)
	spec["replicas"], spec["colours"], spec["steps"] = 4, []any{"blue", "green"}, []any{"a"}
	containers, _ := spec["containers"].([]any)
	spec["containers"] = containers[:1]

	entry := func(key, value string) any { return map[string]any{"key": key, "value": value} }
	old := object(t, before)
	earlier, _ := old["spec"].(map[string]any)
	unkeyed := map[string]any{"value": "x"}
	earlier["taints"] = []any{entry("a", "1"), unkeyed, entry("b", "1")}
	spec["taints"] = []any{entry("new", "1"), unkeyed, entry("a", "2")}
	losses, err := Losses(old, after, "k8sconnect", map[string][]string{"spec.taints": {"key"}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, loss := range losses {
		got = append(got, loss.String())
	}
	want := []string{
		`metadata.labels.team: "orders" of kubectl gone`,
		`spec.colours[="red"]: "red" of kubectl gone`,
		`spec.containers[name="side"].image: "envoy:1" of k8sconnect gone`,
		`spec.containers[name="side"].name: "side" of k8sconnect gone`,
		`spec.containers[name="side"].policy: "Always" of nobody gone`,
		`spec.replicas: 3 of k8sconnect changed`,
		`spec.steps: ["a","b"] of nobody changed`,
		`spec.taints[key="a"].value: "1" of nobody changed`,
		`spec.taints[key="b"].key: "b" of nobody gone`,
		`spec.taints[key="b"].value: "1" of nobody gone`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("losses (-want +got):\n%s", diff)
	}
}

func TestLeaves(t *testing.T) {
	t.Parallel()
	fields := object(t, before)
	claims, err := ReadClaims(fields)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	delete(fields, "metadata")
	Leaves(fields, claims, func(path Path, value any) { got[path.String()] = Text(value) })
	want := map[string]string{
		"spec.replicas": "3", "spec.paused": "true", "spec.steps": `["a","b"]`, "status.replicas": "3",
		`spec.colours[="red"]`: "red", `spec.colours[="blue"]`: "blue",
		`spec.containers[name="app"].name`: "app", `spec.containers[name="app"].image`: "nginx:1",
		`spec.containers[name="side"].name`: "side", `spec.containers[name="side"].image`: "envoy:1", `spec.containers[name="side"].policy`: "Always",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("leaves (-want +got):\n%s", diff)
	}
}

func TestUnshown(t *testing.T) {
	t.Parallel()
	item := Path{"f:spec", "f:containers", `k:{"name":"side"}`}
	image := Loss{Path: append(item[:3:3], "f:image"), Was: "envoy:1", Gone: 2, Owners: []string{"k8sconnect"}}
	policy := Loss{Path: append(item[:3:3], "f:policy"), Was: "Always", Gone: 2}
	name := Loss{Path: append(item[:3:3], "f:name"), Was: "side", Gone: 2, Owners: []string{"kubectl"}}
	theirs := Loss{Path: append(item[:3:3], "f:policy"), Was: "Always", Gone: 2, Owners: []string{"kubectl"}}
	replicas := Loss{Path: Path{"f:spec", "f:replicas"}, Was: 3, Owners: []string{"kubectl"}}
	const imageField = `spec.containers[name="side"].image`
	tests := map[string]struct {
		shown  Shown
		losses []Loss
		want   []Loss
	}{
		"nothing shows it": {Shown{}, []Loss{replicas}, []Loss{replicas}},
		"the state shows the value before, and the plan another one": {
			Shown{State: map[string]string{"spec.replicas": "3"}, Planned: map[string]string{"spec.replicas": "4"}}, []Loss{replicas}, nil},
		"the state shows another value than the one before": {
			Shown{State: map[string]string{"spec.replicas": "2"}, Planned: map[string]string{"spec.replicas": "4"}}, []Loss{replicas}, []Loss{replicas}},
		"the plan keeps the value": {
			Shown{State: map[string]string{"spec.replicas": "3"}, Planned: map[string]string{"spec.replicas": "3"}}, []Loss{replicas}, []Loss{replicas}},
		"a warning has the field with the value": {Shown{Warnings: []string{"  spec.replicas: \"3\" -> \"4\"\n"}}, []Loss{replicas}, nil},
		"a warning has the field with another value": {
			Shown{Warnings: []string{"  spec.replicas: \"2\" -> \"4\"\n"}}, []Loss{replicas}, []Loss{replicas}},
		"a warning has the field with another type": {
			Shown{Warnings: []string{"  spec.replicas: 3 (a number) -> (sensitive) (a string)\n"}}, []Loss{replicas}, nil},
		"a warning has a longer field":   {Shown{Warnings: []string{"  spec.replicasMax: \"3\"\n"}}, []Loss{replicas}, []Loss{replicas}},
		"the apply says who wrote since": {Shown{Applied: []string{"  spec.replicas, written by kubectl"}}, []Loss{replicas}, nil},
		"a default goes with an item that is shown": {
			Shown{State: map[string]string{imageField: "envoy:1"}}, []Loss{image, policy}, nil},
		"a key goes with an item that is shown": {
			Shown{State: map[string]string{imageField: "envoy:1"}}, []Loss{image, name}, nil},
		"a value of others goes with an item that is shown": {
			Shown{State: map[string]string{imageField: "envoy:1"}}, []Loss{image, theirs}, []Loss{theirs}},
		"a default goes with an item that is not shown": {Shown{}, []Loss{image, policy}, []Loss{image, policy}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, tt.shown.Unshown(object(t, before), tt.losses), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("unshown (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		path Path
		want []string
	}{
		"fields":        {Path{"f:spec", "f:replicas"}, []string{"spec.replicas"}},
		"a dotted name": {Path{"f:data", "f:a.b"}, []string{"data.a.b", `data["a.b"]`}},
		"an item by two keys": {
			Path{"f:ports", `k:{"protocol":"TCP","port":80}`, "f:name"}, []string{`ports[port=80,protocol="TCP"].name`}},
		"a member of a set": {Path{"f:colours", `v:"red"`}, []string{`colours[="red"]`}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, tt.path.Texts()); diff != "" {
				t.Errorf("texts (-want +got):\n%s", diff)
			}
		})
	}
}

// Items with the same keys are one value, as they have one element in managedFields. The others keep theirs.
func TestLookupBesideRepeatedKeys(t *testing.T) {
	t.Parallel()
	fields := object(t, "ports: [{port: 81, protocol: TCP}, {port: 81, protocol: TCP}, {port: 81, protocol: UDP}]")
	for element, want := range map[string]string{
		`k:{"port":81,"protocol":"UDP"}`: `{"port":81,"protocol":"UDP"}`,
		`k:{"port":81,"protocol":"TCP"}`: `[{"port":81,"protocol":"TCP"},{"port":81,"protocol":"TCP"}]`,
	} {
		if got, _ := Lookup(fields, Path{"f:ports", element}); Text(got) != want {
			t.Errorf("%s is %s, want %s", element, Text(got), want)
		}
	}
}
