package projection

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

func textsOf(t testing.TB, changes []Difference) []string {
	t.Helper()
	var texts []string
	for _, change := range changes {
		before, after := jsonOf(t, change.Before), jsonOf(t, change.After)
		text := "Changed " + paths.Format(change.Path) + " " + before + " " + after
		switch {
		case change.Presence == Absent:
			text = "Removed " + paths.Format(change.Path) + " " + before
		case change.Before == nil:
			text = "Added " + paths.Format(change.Path) + " " + after
		}
		texts = append(texts, text)
	}
	return texts
}

func jsonOf(t testing.TB, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestChanges(t *testing.T) {
	t.Parallel()
	const (
		byName   = `{"f:spec":{"f:list":{"k:{\"name\":\"a\"}":{"f:image":{}}}}}`
		byPort   = `{"f:spec":{"f:list":{"k:{\"port\":80,\"protocol\":\"TCP\"}":{}}}}`
		bySet    = `{"f:spec":{"f:list":{"v:\"a\"":{}}}}`
		byNested = `{"f:spec":{"f:list":{"k:{\"name\":\"a\"}":{"f:env":{"k:{\"name\":\"X\"}":{}}}}}}`
	)
	tests := map[string]struct {
		before, after string
		known         string
		want          []string
	}{
		"nothing": {before: "spec: {a: 1, b: [{c: {}}]}", after: "spec: {a: 1, b: [{c: {}}]}"},
		"a field of each kind": {
			before: "spec: {a: 1, b: x, c: 2}", after: "spec: {a: 2, c: 2, d: true}",
			want: []string{"Changed spec.a 1 2", `Removed spec.b "x"`, "Added spec.d true"}},
		"a map is added": {
			before: "metadata: {}", after: "metadata: {annotations: {a.b/c: x, d: 'y'}, labels: {}}",
			want: []string{`Added metadata.annotations.a.b/c "x"`, `Added metadata.annotations.d "y"`, "Added metadata.labels {}"}},
		"a map is removed": {
			before: "spec: {a: {b: {c: 1}, d: {}}}", after: "spec: {}", want: []string{"Removed spec.a.b.c 1", "Removed spec.a.d {}"}},
		"a map is emptied": {before: "spec: {a: {b: 1}}", after: "spec: {a: {}}", want: []string{"Removed spec.a.b 1"}},
		"a map becomes a text": {
			before: "spec: {a: {b: 1}}", after: "spec: {a: x}", want: []string{`Changed spec.a {"b":1} "x"`}},
		"a list becomes a map": {
			before: "spec: {a: [1]}", after: "spec: {a: {b: 1}}", want: []string{`Changed spec.a [1] {"b":1}`}},
		"an empty map becomes an empty list": {
			before: "spec: {a: {}}", after: "spec: {a: []}", want: []string{"Changed spec.a {} []"}},
		"a list is one field": {
			before: "spec: {list: [{name: a, image: x}]}", after: "spec: {list: [{name: a, image: z}]}",
			want: []string{`Changed spec.list [{"image":"x","name":"a"}] [{"image":"z","name":"a"}]`}},
		"an item by its name": {
			before: "spec: {list: [{name: a, image: x}, {name: b, image: x}]}", after: "spec: {list: [{name: a, image: z}, {name: b, image: x}]}", known: byName,
			want: []string{`Changed spec.list[name="a"].image "x" "z"`}},
		"items come and go": {
			before: "spec: {list: [{name: a, image: x}, {name: b}]}", after: "spec: {list: [{name: c}, {name: a, image: x}]}", known: byName,
			want: []string{`Removed spec.list[name="b"].name "b"`, `Added spec.list[name="c"].name "c"`}},
		"items change their order": {
			before: "spec: {list: [{name: a}, {name: b}]}", after: "spec: {list: [{name: b}, {name: a}]}", known: byName,
			want: []string{`Changed spec.list [{"name":"a"},{"name":"b"}] [{"name":"b"},{"name":"a"}]`}},
		"an item without a name": {
			before: "spec: {list: [{name: a}]}", after: "spec: {list: [{name: a}, {image: x}]}", known: byName,
			want: []string{`Changed spec.list [{"name":"a"}] [{"name":"a"},{"image":"x"}]`}},
		"two items of a name": {
			before: "spec: {list: [{name: a}]}", after: "spec: {list: [{name: a}, {name: a}]}", known: byName,
			want: []string{`Changed spec.list [{"name":"a"}] [{"name":"a"},{"name":"a"}]`}},
		"items by two keys": {
			before: "spec: {list: [{port: 80, protocol: TCP}]}", after: "spec: {list: [{port: 80, protocol: TCP, name: x}]}", known: byPort,
			want: []string{`Added spec.list[port=80,protocol="TCP"].name "x"`}},
		"members of a set": {
			before: "spec: {list: [a, b]}", after: "spec: {list: [b, c]}", known: bySet,
			want: []string{`Removed spec.list[="a"] "a"`, `Added spec.list[="c"] "c"`}},
		"items of items": {
			before: "spec: {list: [{name: a, env: [{name: X, value: x}]}]}", after: "spec: {list: [{name: a, env: [{name: X, value: z}]}]}", known: byNested,
			want: []string{`Changed spec.list[name="a"].env[name="X"].value "x" "z"`}},
		"a list of items is removed": {
			before: "spec: {list: [{name: a}]}", after: "spec: {}", known: byName, want: []string{`Removed spec.list[name="a"].name "a"`}},
		"a list of items is emptied": {
			before: "spec: {list: [{name: a}]}", after: "spec: {list: []}", known: byName, want: []string{`Removed spec.list[name="a"].name "a"`}},
		"an empty list is removed": {before: "spec: {list: []}", after: "spec: {}", known: byName, want: []string{"Removed spec.list []"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			known, err := paths.ParseSet([]byte(tt.known))
			if err != nil {
				t.Fatal(err)
			}
			before, after := clustertest.Object(t, tt.before), clustertest.Object(t, tt.after)
			if diff := cmp.Diff(tt.want, textsOf(t, Changes(before, after, known))); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
			if tt.known == "" {
				if diff := cmp.Diff(tt.want, textsOf(t, Changes(before, after, nil))); diff != "" {
					t.Errorf("changes without known items (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// Differences are the changes of values that are there, and an order of items is not one of them.
func TestDifferences(t *testing.T) {
	t.Parallel()
	known, err := paths.ParseSet([]byte(`{"f:list":{"k:{\"name\":\"a\"}":{}}}`))
	if err != nil {
		t.Fatal(err)
	}
	before := clustertest.Object(t, "{a: 1, b: x, c: {}, d: [], list: [{name: a, image: x}, {name: b}, {name: c}]}")
	after := clustertest.Object(t, "{a: 2, e: 3, list: [{name: d}, {name: c}, {name: a, image: z}]}")
	want := []string{"Changed a 1 2", `Removed b "x"`, `Changed list[name="a"].image "x" "z"`, `Removed list[name="b"].name "b"`}
	if diff := cmp.Diff(want, textsOf(t, Differences(before, after, known))); diff != "" {
		t.Errorf("differences (-want +got):\n%s", diff)
	}
}
