package projection

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

func TestUnowned(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		owned string
		want  []string
	}{
		"nothing is owned":  {`{}`, []string{"list", "map", "text"}},
		"parts are owned":   {`{"f:map":{"f:a":{}},"f:text":{}}`, []string{"list", "map.b"}},
		"a map as a whole":  {`{"f:map":{},"f:text":{},"f:list":{}}`, nil},
		"an item is owned":  {`{"f:map":{},"f:text":{},"f:list":{"k:{\"name\":\"x\"}":{".":{},"f:name":{}}}}`, []string{`list[name="x"].value`, `list[name="y"]`}},
		"something is gone": {`{"f:gone":{},"f:map":{"f:a":{},"f:b":{},"f:c":{}},"f:text":{},"f:list":{}}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			live := map[string]any{
				"text": "a", "map": map[string]any{"a": int64(1), "b": map[string]any{}},
				"list": []any{map[string]any{"name": "x", "value": "1"}, map[string]any{"name": "y", "value": "2"}},
			}
			found := Unowned(live, clustertest.Fields(t, tt.owned))
			var got []string
			formatter := paths.NewFormatter(found)
			paths.Walk(found, func(path paths.Path, _ bool) { got = append(got, formatter.Format(path)) })
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnownedItems(t *testing.T) {
	t.Parallel()
	const x, y, z = `"k:{\"name\":\"x\"}"`, `"k:{\"name\":\"y\"}"`, `"k:{\"name\":\"z\"}"`
	live := map[string]any{
		"text": "a", "set": []any{"one", "two"},
		"list": []any{map[string]any{"name": "x", "set": []any{"one"}}, map[string]any{"name": "y", "value": "2"}},
	}
	fields := clustertest.Fields(t, `{"f:text":{},"f:set":{"v:\"one\"":{},"v:\"two\"":{}},"f:list":{`+
		x+`:{"f:set":{"v:\"one\"":{}}},`+y+`:{"f:value":{}},`+z+`:{"f:value":{}}}}`)
	for name, tt := range map[string]struct {
		owned string
		want  []string
	}{
		"nothing is owned": {`{}`, []string{`list[name="x"]`, `list[name="x"].set[="one"]`, `list[name="y"]`, `set[="one"]`, `set[="two"]`}},
		"parts are owned":  {`{"f:set":{"v:\"two\"":{}},"f:list":{` + x + `:{"f:name":{}},` + y + `:{".":{}}}}`, []string{`list[name="x"].set[="one"]`, `set[="one"]`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := UnownedItems(live, fields, clustertest.Fields(t, tt.owned))
			var got []string
			formatter := paths.NewFormatter(found)
			paths.Walk(found, func(path paths.Path, _ bool) { got = append(got, formatter.Format(path)) })
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
