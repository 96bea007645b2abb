package cluster

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSendable(t *testing.T) {
	t.Parallel()
	body := func() map[string]any {
		return map[string]any{
			"metadata": map[string]any{
				"name":      "web",
				"namespace": "shop",
			}, "spec": map[string]any{"a": "1"}, "status": map[string]any{"b": "2"},
		}
	}
	for name, tt := range map[string]struct {
		kind    Kind
		dropped []string
	}{
		"a namespaced kind without a status of its own": {Kind{Scope: ScopeNamespaced}, nil},
		"a namespaced kind":                             {Kind{Scope: ScopeNamespaced, HasStatus: true}, []string{"status"}},
		"a cluster-scoped kind":                         {Kind{Scope: ScopeCluster, HasStatus: true}, []string{"metadata.namespace", "status"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			given, want := body(), body()
			for _, path := range tt.dropped {
				if path == "status" {
					delete(want, path)
				} else {
					want["metadata"] = map[string]any{"name": "web"}
				}
			}
			sent, dropped := tt.kind.Sendable(given, "")
			if diff := cmp.Diff(tt.dropped, dropped); diff != "" {
				t.Errorf("dropped (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(want, sent); diff != "" {
				t.Errorf("sent (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(body(), given); diff != "" {
				t.Errorf("the body was changed (-want +got):\n%s", diff)
			}
		})
	}
}

// A status as generators write it says nothing, and to leave it out is not worth a word.
func TestSendableWithBlankStatus(t *testing.T) {
	t.Parallel()
	for _, status := range []any{
		nil, map[string]any{}, map[string]any{"loadBalancer": map[string]any{}},
		map[string]any{"acceptedNames": map[string]any{"kind": "", "plural": ""}, "conditions": []any{}, "storedVersions": nil},
		map[string]any{"replicas": int64(0), "conditions": []any{map[string]any{"type": ""}}},
	} {
		sent, dropped := Kind{HasStatus: true}.Sendable(map[string]any{"kind": "A", "status": status}, "")
		if diff := cmp.Diff(map[string]any{"kind": "A"}, sent); diff != "" || len(dropped) > 0 {
			t.Errorf("%v: dropped %q, sent (-want +got):\n%s", status, dropped, diff)
		}
	}
}
