package projection

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// shelf has every kind of container that a path can lead through.
const shelf = `
spec:
  replicas: 3
  nothing: null
  empty: {}
  args: [serve, --fast]
  colours: [red, 7, 1.5, true]
  ports:
  - {containerPort: 80, name: short}
  - {containerPort: 80, protocol: UDP, name: udp}
  - {containerPort: 443, protocol: TCP, name: full}
  - just a text
`

func TestWalk(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ fields, want string }{
		"a field":                     {`{"f:spec":{"f:replicas":{}}}`, "spec.replicas=3 leaf"},
		"a field that is not there":   {`{"f:spec":{"f:paused":{}}}`, "spec.paused absent leaf"},
		"a null is there":             {`{"f:spec":{"f:nothing":{}}}`, "spec.nothing=null leaf"},
		"an empty map":                {`{"f:spec":{"f:empty":{}}}`, "spec.empty={} leaf"},
		"below a scalar":              {`{"f:spec":{"f:replicas":{"f:x":{},"i:0":{},"k:{\"a\":1}":{}}}}`, "spec.replicas.x absent leaf\nspec.replicas[a=1] absent leaf\nspec.replicas[0] absent leaf"},
		"an atomic list":              {`{"f:spec":{"f:args":{}}}`, `spec.args=["serve","--fast"] leaf`},
		"an item at a position":       {`{"f:spec":{"f:args":{"i:1":{},"i:2":{}}}}`, "spec.args[1]=\"--fast\" leaf\nspec.args[2] absent leaf"},
		"members of a set":            {`{"f:spec":{"f:colours":{"v:\"red\"":{},"v:1.5":{},"v:7":{},"v:true":{}}}}`, "spec.colours[=1.5]=1.5 leaf\nspec.colours[=7]=7 leaf\nspec.colours[=\"red\"]=\"red\" leaf\nspec.colours[=true]=true leaf"},
		"members of another type":     {`{"f:spec":{"f:colours":{"v:\"7\"":{},"v:\"blue\"":{}}}}`, "spec.colours[=\"7\"] absent leaf\nspec.colours[=\"blue\"] absent leaf"},
		"an item by all its keys":     {`{"f:spec":{"f:ports":{"k:{\"containerPort\":80,\"protocol\":\"UDP\"}":{"f:name":{}}}}}`, `spec.ports[containerPort=80,protocol="UDP"].name="udp" leaf`},
		"an item with a default key":  {`{"f:spec":{"f:ports":{"k:{\"containerPort\":80,\"protocol\":\"TCP\"}":{"f:name":{}}}}}`, `spec.ports[containerPort=80,protocol="TCP"].name="short" leaf`},
		"an item by another type":     {`{"f:spec":{"f:ports":{"k:{\"containerPort\":\"443\",\"protocol\":\"TCP\"}":{"f:name":{}}}}}`, `spec.ports[containerPort="443",protocol="TCP"].name absent leaf`},
		"an item that is not there":   {`{"f:spec":{"f:ports":{"k:{\"containerPort\":81,\"protocol\":\"TCP\"}":{".":{}}}}}`, `spec.ports[containerPort=81,protocol="TCP"] absent leaf`},
		"an item without known keys":  {`{"f:spec":{"f:ports":{"k:{\"other\":1}":{}}}}`, `spec.ports[other=1] absent leaf`},
		"a container and its members": {`{"f:spec":{".":{},"f:empty":{".":{},"f:x":{}}}}`, "spec=map\nspec.empty={}\nspec.empty.x absent leaf"},
		"an item after its keys differ by item": {
			`{"f:spec":{"f:ports":{"k:{\"containerPort\":443}":{"f:name":{}},"k:{\"name\":\"udp\"}":{"f:name":{}}}}}`,
			"spec.ports[containerPort=443].name=\"full\" leaf\nspec.ports[name=\"udp\"].name=\"udp\" leaf",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from := clustertest.Object(t, shelf)
			clustertest.Frozen(t, from)
			got := ""
			Walk(from, clustertest.Fields(t, tt.fields), func(field Field) {
				if got != "" {
					got += "\n"
				}
				got += describe(field)
				value, presence := Lookup(from, field.Path)
				if diff := cmp.Diff(field.Value, value); diff != "" || presence != field.Presence {
					t.Errorf("Walk and Lookup differ at %s: %s", paths.Format(field.Path), diff)
				}
			})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("fields (-want +got):\n%s", diff)
			}
		})
	}
}

func describe(field Field) string {
	text := paths.Format(field.Path)
	fields, isMap := field.Value.(map[string]any)
	switch {
	case field.Presence == Absent:
		text += " absent"
	case isMap && len(fields) > 0:
		text += "=map"
	default:
		text += "=" + Fingerprint(field.Value)
	}
	if field.Leaf {
		text += " leaf"
	}
	return text
}

// TestNegativePosition checks that a position which no list has is absent, and causes no panic.
func TestNegativePosition(t *testing.T) {
	t.Parallel()
	_, presence := Lookup(clustertest.Object(t, shelf), paths.Path{paths.Field("spec"), paths.Field("args"), paths.Index(-1)})
	if presence != Absent {
		t.Error(presence)
	}
}

// longList returns n ports, of which every second one leaves its protocol to the default, and the fields by which the
// server knows them and n more ports that the list does not have.
func longList(n int) (map[string]any, *paths.Set) {
	list := make([]any, 0, n)
	fields := paths.NewSet()
	for i := range n {
		item := map[string]any{"port": int64(i), "name": fmt.Sprintf("p%d", i)}
		if i%2 == 0 {
			item["protocol"] = "TCP"
		}
		list = append(list, item)
		for _, port := range []int64{int64(i), int64(n + i)} {
			fields.Insert(paths.Path{
				paths.Field("ports"), paths.Key(map[string]any{"port": port, "protocol": "TCP"}), paths.Field("name"),
			})
		}
	}
	return map[string]any{"ports": list}, fields
}

// longSet returns a set with n members, and the fields of these and of n more members that the set does not have.
func longSet(n int) (map[string]any, *paths.Set) {
	list := make([]any, 0, n)
	fields := paths.NewSet()
	for i := range n {
		list = append(list, fmt.Sprintf("member-%d", i))
		for _, member := range []int{i, n + i} {
			fields.Insert(paths.Path{paths.Field("set"), paths.Value(fmt.Sprintf("member-%d", member))})
		}
	}
	return map[string]any{"set": list}, fields
}

// TestLongListsCostNoMorePerItem counts allocations, which grow with the work: ten times the items may cost a little
// more than ten times as many, where a scan per item would cost a hundred times.
func TestLongListsCostNoMorePerItem(t *testing.T) {
	short, long := 100, 1000
	lists := map[string]func(int) (map[string]any, *paths.Set){"keyed items": longList, "set members": longSet}
	uses := map[string]func(map[string]any, *paths.Set) int{
		"Walk": func(from map[string]any, fields *paths.Set) int {
			found := 0
			Walk(from, fields, func(field Field) {
				if field.Presence == Present {
					found++
				}
			})
			return found
		},
		"SplitBody": func(from map[string]any, fields *paths.Set) int {
			ignore, _ := paths.ParseAll([]string{"ports[*].name", `set[="member-1"]`})
			split := SplitBody(from, ignore, fields, nil)
			return len(split.Matched) * fields.Size() / 2
		},
		"Extract": func(from map[string]any, fields *paths.Set) int {
			out := Extract(from, fields)
			ports, _ := out["ports"].([]any)
			members, _ := out["set"].([]any)
			return len(ports) + len(members)
		},
		"WithItemKeys": func(from map[string]any, fields *paths.Set) int {
			if IsAmbiguous(from, fields) {
				return 0
			}
			out := Extract(from, WithItemKeys(from, fields))
			ports, _ := out["ports"].([]any)
			members, _ := out["set"].([]any)
			return len(ports) + len(members)
		},
	}
	for list, build := range lists {
		for use, run := range uses {
			cost := func(n int) float64 {
				from, fields := build(n)
				if found := run(from, fields); found != n {
					t.Errorf("%s found %d of %d %s", use, found, n, list)
				}
				return testing.AllocsPerRun(1, func() { run(from, fields) })
			}
			if a, b := cost(short), cost(long); b > 15*a {
				t.Errorf("%s of %d %s allocates %.0f times, of %d %.0f times", use, short, list, a, long, b)
			}
		}
	}
}

func BenchmarkWalk(b *testing.B) {
	for _, n := range []int{500, 5000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			from, fields := longList(n)
			for b.Loop() {
				Walk(from, fields, func(Field) {})
			}
		})
	}
}

// If the set has items of one list by two sets of keys, Walk finds each item by its own keys.
func TestWalkItemsOfTwoForms(t *testing.T) {
	t.Parallel()
	list := clustertest.Object(t, "l: [{a: 1, b: 3}, {a: 1, b: 2}]")
	fields := clustertest.Fields(t, `{"f:l":{"k:{\"a\":1}":{},"k:{\"a\":1,\"b\":2}":{}}}`)
	var found []any
	Walk(list, fields, func(field Field) {
		item, _ := field.Value.(map[string]any)
		found = append(found, item["b"])
	})
	if diff := cmp.Diff([]any{int64(3), int64(2)}, found); diff != "" {
		t.Errorf("items (-want +got):\n%s", diff)
	}
}
