package projection

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

func TestNameItems(t *testing.T) {
	t.Parallel()
	const byPort, byBoth = `"k:{\"port\":80}":{}`, `"k:{\"port\":80,\"protocol\":\"TCP\"}":{}`
	tests := map[string]struct {
		list, known string
		want        []string
	}{
		"nothing known": {`[{port: 80}, red]`, `{}`, []string{"[0]", "[1]"}},
		"keys, of siblings too": {
			`[{port: 90}, {port: 80, name: a}, {name: b}, {port: {}}, red]`, `{` + byPort + `}`,
			[]string{"[port=90]", "[port=80]", "[2]", "[3]", "[4]"},
		},
		"several keys": {
			`[{port: 80, protocol: TCP}, {port: 80, protocol: UDP}, {port: 90}]`, `{` + byBoth + `}`,
			[]string{`[port=80,protocol="TCP"]`, `[port=80,protocol="UDP"]`, "[2]"},
		},
		"a key that the server fills in": {`[{port: 80}]`, `{` + byBoth + `}`, []string{`[port=80,protocol="TCP"]`}},
		"the keys of before and of now": {
			`[{port: 80}, {port: 80, protocol: TCP}, {port: 81, protocol: TCP}]`, `{` + byPort + `,` + byBoth + `}`,
			[]string{"[port=80]", `[port=80,protocol="TCP"]`, "[port=81]"},
		},
		"members of a set":      {`[red, blue, 1]`, `{"v:\"red\"":{}}`, []string{`[="red"]`, `[="blue"]`, "[=1]"}},
		"members that are maps": {`[{a: 1}, {a: 2}]`, `{"v:{\"a\":1}":{}}`, []string{`[=={"a":1}]`, `[=={"a":2}]`}},
		"duplicates":            {`[red, red, {port: 80}, {port: 80}]`, `{"v:\"red\"":{},` + byPort + `}`, []string{`[="red"]`, "[1]", "[port=80]", `[=={"port":80}]`}},
		"positions":             {`[red, blue]`, `{"i:0":{}}`, []string{"[0]", "[1]"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			list := listOf(t, tt.list)
			clustertest.Frozen(t, list)
			var got []string
			for _, element := range NameItems(list, clustertest.Fields(t, tt.known)) {
				got = append(got, paths.Format(paths.Path{element}))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("names (-want +got):\n%s", diff)
			}
		})
	}
	if got := NameItems([]any{"red"}, nil); len(got) != 1 || got[0].Index == nil {
		t.Errorf("names without a set: %v", got)
	}
}

func TestPositions(t *testing.T) {
	t.Parallel()
	list := NewList(listOf(t, `[{port: 80}, {port: 80, protocol: TCP}, {port: 90}, red, 1, red]`))
	tests := map[string]struct {
		element paths.PathElement
		want    []int
	}{
		"all items with the keys":           {paths.Key(map[string]any{"port": 80}), []int{0, 1}},
		"the item that names all of them":   {paths.Key(map[string]any{"port": 80, "protocol": "TCP"}), []int{1}},
		"else one that leaves some out":     {paths.Key(map[string]any{"port": 90, "protocol": "TCP"}), []int{2}},
		"all members of a value":            {paths.Value("red"), []int{3, 5}},
		"a position":                        {paths.Index(4), []int{4}},
		"a position past the end":           {paths.Index(6), nil},
		"keys that no item has":             {paths.Key(map[string]any{"port": 70}), nil},
		"a value that is not there":         {paths.Value("1"), nil},
		"a field, which is not in any list": {paths.Field("port"), nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, NewList(list.items.list).Positions(tt.element)); diff != "" {
				t.Errorf("positions (-want +got):\n%s", diff)
			}
		})
	}
}

func listOf(t *testing.T, text string) []any {
	t.Helper()
	list, _ := clustertest.Object(t, "list: "+text)["list"].([]any)
	return list
}
