package exports

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

func texts(t *testing.T, pairs ...string) types.Map {
	t.Helper()
	values := map[string]attr.Value{}
	for i := 0; i < len(pairs); i += 2 {
		values[pairs[i]] = types.StringValue(pairs[i+1])
		if pairs[i+1] == "?" {
			values[pairs[i]] = types.StringUnknown()
		}
		if pairs[i+1] == "null" {
			values[pairs[i]] = types.StringNull()
		}
	}
	return types.MapValueMust(types.StringType, values)
}

func object(size any, list ...any) map[string]any {
	return map[string]any{"spec": map[string]any{"size": size, "list": list}}
}

func TestValues(t *testing.T) {
	t.Parallel()
	exports := texts(t, "size", "spec.size", "all", "spec.list", "b", `spec.list[name="b"].x`, "first", "spec.list[0].name", "none", "status.x")
	live := object(int64(3), map[string]any{"name": "a"}, map[string]any{"name": "b", "x": true})
	want := texts(t, "size", "3", "all", `[{"name":"a"},{"name":"b","x":true}]`, "b", "true", "first", "a", "none", "null")
	if got := Values(exports, live); !got.Equal(want) {
		t.Errorf("values are %s, want %s", got, want)
	}
	if got := Values(types.MapNull(types.StringType), live); !got.IsNull() {
		t.Errorf("without exports, values are %s", got)
	}
}

// A plan leaves unknown what is new, what the body changes, and what the apply waits for.
func TestPlanned(t *testing.T) {
	t.Parallel()
	prior := Prior{
		Exports: texts(t, "size", "spec.size", "ip", "status.ip", "old", "spec.list", "first", "spec.list[0].x"),
		Values:  texts(t, "size", "3", "ip", "10.0.0.1", "old", "[]", "first", "null"), Body: object(int64(3)),
	}
	all := texts(t, "size", "spec.size", "ip", "status.ip", "old", "spec.list")
	first := texts(t, "size", "spec.size", "first", "spec.list[0].x")
	for name, test := range map[string]struct {
		exports types.Map
		body    map[string]any
		changed []string
		want    types.Map
	}{
		"nothing changes":     {all, object(int64(3)), nil, texts(t, "size", "3", "ip", "10.0.0.1", "old", "[]")},
		"the body changes":    {all, object(int64(4)), nil, texts(t, "size", "?", "ip", "10.0.0.1", "old", "[]")},
		"the apply waits":     {all, object(int64(3)), []string{"status.ip"}, texts(t, "size", "3", "ip", "?", "old", "[]")},
		"a part is changed":   {all, object(int64(3)), []string{`spec.list[name="a"].x`}, texts(t, "size", "3", "ip", "10.0.0.1", "old", "?")},
		"an item is changed":  {first, object(int64(3)), []string{`spec.list[name="a"].x`}, texts(t, "size", "3", "first", "?")},
		"a name is new":       {texts(t, "new", "spec.size"), object(int64(3)), nil, texts(t, "new", "?")},
		"a path is another":   {texts(t, "size", "spec.list"), object(int64(3)), nil, texts(t, "size", "?")},
		"exports are unknown": {types.MapUnknown(types.StringType), object(int64(3)), nil, types.MapUnknown(types.StringType)},
	} {
		prior.Changed = test.changed
		if got := Planned(test.exports, prior, test.body); !got.Equal(test.want) {
			t.Errorf("%s: values are %s, want %s", name, got, test.want)
		}
	}
}

func TestCompleted(t *testing.T) {
	t.Parallel()
	got := Completed(texts(t, "a", "?", "b", "kept"), texts(t, "a", "seen", "b", "other"))
	if want := texts(t, "a", "seen", "b", "kept"); !got.Equal(want) {
		t.Errorf("values are %s, want %s", got, want)
	}
}

func TestSecret(t *testing.T) {
	t.Parallel()
	exports := texts(t, "type", "type", "whole", "data", "one", "data.token", "note", "metadata.annotations")
	if got := Secret(exports, true, nil); len(got) != 3 || got[0] != "note" || got[1] != "one" || got[2] != "whole" {
		t.Errorf("secret are %q", got)
	}
	sensitive, err := paths.ParseAll([]string{"data.token"})
	if err != nil {
		t.Fatal(err)
	}
	if got := Secret(exports, false, sensitive); len(got) != 3 || got[0] != "note" || got[1] != "one" || got[2] != "whole" {
		t.Errorf("secret are %q", got)
	}
}

// A secret is one in each spelling of its path.
func TestSecretInAnotherSpelling(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		sensitive, export string
		isSecret          bool
		want              int
	}{
		"a quoted key":                 {"data.app.key", `data["app.key"]`, false, 1},
		"a dotted key":                 {`metadata.annotations["example.com/token"]`, "metadata.annotations.example.com/token", false, 1},
		"a map with a dotted key":      {`data["app.key"]`, "data", false, 1},
		"another dotted key":           {"data.app.key", `data["app.keys"]`, false, 0},
		"a key that is a part":         {`data["app.key"]`, "data.app", false, 0},
		"an unquoted item":             {`spec.users[name="db"].password`, "spec.users[name=db].password", false, 1},
		"a position":                   {`spec.users[name="db"].password`, "spec.users[0].password", false, 1},
		"an item by another key":       {`spec.users[name="db"].password`, "spec.users[id=1].password", false, 1},
		"another item":                 {`spec.users[name="db"].password`, "spec.users[name=web].password", false, 0},
		"another field of the item":    {`spec.users[name="db"].password`, "spec.users[0].name", false, 0},
		"a number":                     {"spec.users[id=1].password", "spec.users[id=1.0].password", false, 1},
		"a wildcard for a dotted name": {"[*][*].token", `data["a.b"].token`, false, 1},
		"a wildcard for words":         {"data[*].token", "data.a.b.token", false, 1},
		"a wildcard elsewhere":         {"data[*].token", `data["a.b"].name`, false, 0},
		"a copy in quotes":             {"data", `metadata.annotations["kubectl.kubernetes.io/last-applied-configuration"]`, true, 1},
		"a copy with dots":             {"data", "metadata.annotations.kapp.k14s.io/original", true, 1},
		"a copy of another kind":       {"data", `metadata.annotations["kubectl.kubernetes.io/last-applied-configuration"]`, false, 1},
		"all copies of another kind":   {"data", "metadata.annotations", false, 1},
		"another annotation":           {"data", "metadata.annotations.note", false, 0},
	} {
		if got := Secret(texts(t, "x", test.export), test.isSecret, paths.PatternsOf([]string{test.sensitive})); len(got) != test.want {
			t.Errorf("%s: secret are %q", name, got)
		}
	}
}
