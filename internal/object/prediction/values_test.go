package prediction

import (
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

func TestValueBefore(t *testing.T) {
	t.Parallel()
	at := paths.Path{paths.Field("data"), paths.Field("a")}
	long := strings.Repeat("x", 300)
	print := func(value any) map[string]string {
		return map[string]string{paths.ID(at): projection.Fingerprint(value)}
	}
	tests := map[string]struct {
		prior record.Prior
		want  string
	}{
		"a declared field":            {record.Prior{Shown: record.Shown{ManagedState: map[string]string{"data.a": "1"}}, Snapshot: record.Snapshot{Foreign: record.Foreign{Values: print("2")}}}, "1"},
		"a field of others":           {record.Prior{Snapshot: record.Snapshot{Foreign: record.Foreign{Values: print("2")}}}, "2"},
		"a number over 2^53":          {record.Prior{Snapshot: record.Snapshot{Foreign: record.Foreign{Values: print(int64(9007199254740993))}}}, "9007199254740993"},
		"a list":                      {record.Prior{Snapshot: record.Snapshot{Foreign: record.Foreign{Values: print([]any{"a", int64(1)})}}}, `["a",1]`},
		"a value known by its digest": {record.Prior{Snapshot: record.Snapshot{Foreign: record.Foreign{Values: print(long)}}}, "(another value)"},
		"a field without a value":     {record.Prior{}, "(none)"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := valueBefore(tt.prior, projection.NewReader(tt.prior.Live), "data.a", rendering.Renderer{}, at); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
