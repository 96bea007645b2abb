package record_test

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// An empty map exists, but nothing in it does. In a map that another manager holds alone, only its entries exist.
func TestExistedAfterTheFirstApply(t *testing.T) {
	t.Parallel()
	live := clustertest.Live("u", "1", []metav1.ManagedFieldsEntry{clustertest.Updating("eve",
		`{"f:data":{},"f:spec":{"f:resources":{},"f:selector":{},"f:args":{}}}`)})
	live.Object["data"] = map[string]any{"x": "1"}
	live.Object["spec"] = map[string]any{
		"resources": map[string]any{}, "selector": map[string]any{"app": "web"}, "args": []any{"-v"},
		"volume": map[string]any{"emptyDir": map[string]any{}, "hostPath": map[string]any{"path": "/"}},
	}
	prior, err := record.PriorOf(live, record.Observation{ID: clustertest.ConfigMap, FieldManager: "k8sconnect", IsPart: true})
	if err != nil {
		t.Fatal(err)
	}
	text, err := prior.Snapshot.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if prior.Snapshot, err = record.DecodeSnapshot(text); err != nil {
		t.Fatal(err)
	}
	prior.Snapshot.AppliedState = "applied"
	existed := prior.Existed("k8sconnect")
	for text, want := range map[string]bool{
		"data.x": true, "data.y": false,
		"spec.resources": true, "spec.resources.limits.cpu": false,
		"spec.selector": true, "spec.selector.app": true, "spec.selector.tier": false,
		"spec.args": true, "spec.free.x": false,
		"spec.volume": true, "spec.volume.emptyDir": true, "spec.volume.hostPath.path": true,
	} {
		path := paths.Path{}
		for _, name := range strings.Split(text, ".") {
			path = append(path, paths.Field(name))
		}
		if got := existed(path); got != want {
			t.Errorf("%s: existed is %v, want %v", text, got, want)
		}
	}
}

// remove_fields and pin_fields see into a map that a manager holds alone if the map cannot be atomic.
func TestUnwantedInAMapWithoutParts(t *testing.T) {
	t.Parallel()
	live := clustertest.Live("u", "1", []metav1.ManagedFieldsEntry{clustertest.Updating("eve",
		`{"f:data":{},"f:metadata":{"f:labels":{}},"f:spec":{"f:selector":{},"f:resources":{".":{},"f:limits":{}}}}`)})
	live.SetLabels(map[string]string{"team": "x"})
	live.Object["data"] = map[string]any{"x": "1"}
	live.Object["spec"] = map[string]any{
		"selector": map[string]any{"app": "web"}, "resources": map[string]any{"limits": map[string]any{"cpu": "1"}},
	}
	for text, want := range map[string]string{
		"data.x": "data.x", "data[*]": "data.x", "data": "data", "metadata.labels.team": "metadata.labels.team",
		"spec.selector": "spec.selector", "spec.selector.app": "", "data.y": "", "spec.resources.limits.cpu": "spec.resources.limits.cpu",
	} {
		pattern, err := paths.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		claims := clustertest.Claims(t, live.GetManagedFields())
		pinned := record.Pinnable(live.Object, paths.Patterns{pattern}, claims, rendering.Renderer{})
		if isEmpty := pinned.Empty(); isEmpty != (want == "") {
			t.Errorf("%s: can be pinned: %v, want %q", text, pinned, want)
		}
		found := record.Unwanted(live.Object, paths.Patterns{pattern}, claims)
		if got := strings.Join(record.Outermost(found, paths.NewFormatter(found)), " "); got != want {
			t.Errorf("%s: found %q, want %q", text, got, want)
		}
	}
}
