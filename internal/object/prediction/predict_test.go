package prediction

import (
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

func TestMerges(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		body, result any
		owned        string
		was          string
		want         bool
	}{
		"an empty map into a map":                {map[string]any{}, map[string]any{"k": "v"}, `{}`, `{"k":"v"}`, true},
		"an empty list into a list":              {[]any{}, []any{"v"}, `{}`, `["v"]`, true},
		"an empty map into a map since the read": {map[string]any{}, map[string]any{"k": "v"}, `{"f:f":{}}`, "", false},
		"an empty list into a filled one":        {[]any{}, []any{"v"}, `{"f:f":{}}`, `[]`, false},
		"an empty map that is all":               {map[string]any{}, map[string]any{}, `{}`, `{}`, false},
		"an empty map that loses all its parts":  {map[string]any{}, nil, `{"f:f":{"f:a":{}}}`, "", true},
		"an empty list that replaces":            {[]any{}, []any{}, `{"f:f":{}}`, `["v"]`, false},
		"an empty map that was dropped":          {map[string]any{}, nil, `{}`, `{"k":"v"}`, false},
		"a map with content":                     {map[string]any{"a": "b"}, map[string]any{"a": "b", "c": "d"}, `{}`, `{"a":"b"}`, false},
		"a list with content":                    {[]any{"a"}, []any{"a", "b"}, `{}`, `["a"]`, false},
		"a scalar that the server wrote":         {"1000m", "1", `{}`, `"1"`, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body, result := map[string]any{"f": tt.body}, map[string]any{}
			if tt.result != nil {
				result["f"] = tt.result
			}
			claims, err := ownership.Parse(clustertest.Owning(tt.owned))
			if err != nil {
				t.Fatal(err)
			}
			path := paths.Path{paths.Field("f")}
			in := Inputs{Result: result, Wanted: wanted.Wanted{Prior: record.Prior{Snapshot: record.Snapshot{Foreign: record.Foreign{Values: map[string]string{paths.ID(path): tt.was}}}}}}
			if got := merges(in, claims.Fields(), path, projection.NewReader(body)); got != tt.want {
				t.Errorf("%t, want %t", got, tt.want)
			}
		})
	}
}
