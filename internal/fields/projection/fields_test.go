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
