package projection

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// An empty map is a value if somebody owns it. It is a difference if it goes, but not if it gets content.
func TestDifferencesOfEmptyFields(t *testing.T) {
	t.Parallel()
	before := map[string]any{"a": map[string]any{
		"owned": map[string]any{}, "free": map[string]any{}, "filled": []any{}, "kept": map[string]any{}, "null": nil,
	}}
	after := map[string]any{"a": map[string]any{"filled": []any{"x"}, "kept": map[string]any{}}}
	known := clustertest.Fields(t, `{"f:a":{"f:owned":{},"f:filled":{},"f:kept":{},"f:null":{}}}`)
	var got []string
	for _, difference := range Differences(before, after, known) {
		got = append(got, paths.Format(difference.Path))
	}
	if diff := cmp.Diff([]string{"a.owned"}, got); diff != "" {
		t.Errorf("differences (-want +got):\n%s", diff)
	}
}
