package prediction

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

func TestFieldsUnknown(t *testing.T) {
	t.Parallel()
	fields := clustertest.Fields(t, `{"f:data":{"f:a":{},"f:b":{}}}`)
	for name, tt := range map[string]struct {
		at   paths.Path
		b    any
		want bool
	}{
		"no value is unknown":     {nil, "2", false},
		"a value is dropped":      {paths.Path{paths.Field("data"), paths.Field("a")}, "2", true},
		"a map is dropped":        {paths.Path{paths.Field("data"), paths.Field("a")}, map[string]any{"c": "d"}, true},
		"a zero is dropped":       {paths.Path{paths.Field("data"), paths.Field("a")}, int64(0), false},
		"false is dropped":        {paths.Path{paths.Field("data"), paths.Field("a")}, false, false},
		"an empty map is dropped": {paths.Path{paths.Field("data"), paths.Field("a")}, map[string]any{}, false},
		"null is dropped":         {paths.Path{paths.Field("data"), paths.Field("a")}, nil, false},
		"a value that decides":    {paths.Path{paths.Field("data")}, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var intent wanted.Wanted
			if tt.at != nil {
				intent.Undecided = []arguments.Undecided{{At: tt.at}}
			}
			body := map[string]any{"data": map[string]any{"a": "1", "b": tt.b}}
			intent.Manifest.Object = body
			if got := FieldsUnknown(intent, body, map[string]any{"data": map[string]any{"a": "1"}}, fields); got != tt.want {
				t.Errorf("%t, want %t", got, tt.want)
			}
		})
	}
}
