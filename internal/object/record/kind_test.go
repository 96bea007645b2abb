package record

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
)

// TestWholeValues holds that a long map is distinguished from a long text, although the fingerprints of both are digests.
func TestWholeValues(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long", 100)
	live := map[string]any{"map": map[string]any{"x": long}, "text": long, "list": []any{long}, "short": map[string]any{}, "one": int64(1)}
	fields, whole := paths.NewSet(), []string{}
	for name := range live {
		fields.Insert(paths.Path{paths.Field(name)})
	}
	prints := rendering.Renderer{}.Fingerprints(live, fields)
	snapshot := Snapshot{Foreign: Foreign{Values: prints, Kinds: kindsOf(live, fields, prints)}}
	if diff := cmp.Diff(map[string]string{"f:map": mapKind}, snapshot.Kinds); diff != "" {
		t.Errorf("kinds (-want +got):\n%s", diff)
	}
	paths.Walk(fields, func(path paths.Path, _ bool) {
		if snapshot.IsWhole(paths.NewSet())(path) {
			whole = append(whole, paths.Format(path))
		}
	})
	if diff := cmp.Diff([]string{"list", "one", "text"}, whole); diff != "" {
		t.Errorf("without parts (-want +got):\n%s", diff)
	}
	held := paths.NewSet(paths.Path{paths.Field("text"), paths.Field("x")})
	if snapshot.IsWhole(held)(paths.Path{paths.Field("text")}) {
		t.Error("what others hold a part of is a map")
	}
}
