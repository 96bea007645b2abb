package record

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

func TestLists(t *testing.T) {
	t.Parallel()
	patterns := clustertest.Patterns(t, "spec.colours")
	claims := clustertest.Claims(t, []metav1.ManagedFieldsEntry{clustertest.Updating("painter", `{"f:spec":{"f:colours":{"v:\"red\"":{}}}}`)})
	seen := func(before Lists, colours string) Lists {
		return before.Next(clustertest.Object(t, "{spec: {colours: "+colours+"}}"), patterns, claims, rendering.Renderer{})
	}
	lists := seen(seen(nil, "[red, blue]"), "[green, blue, red]")
	want := []List{{Path: "f:spec/f:colours", Entries: []string{`v:"green"`, `v:"blue"`, `v:"red"`}, Length: 3}}
	if diff := cmp.Diff(want, lists["spec.colours"]); diff != "" {
		t.Errorf("lists (-want +got):\n%s", diff)
	}
	if lists = seen(lists, "null"); len(lists["spec.colours"]) != 1 || lists["spec.colours"][0].Length != 0 {
		t.Errorf("a list that is null: %v", lists)
	}
	if lists = (Lists{}).Next(clustertest.Object(t, "{}"), nil, claims, rendering.Renderer{}); lists != nil {
		t.Errorf("without patterns: %v", lists)
	}
}

// A list of which only the list itself has an owner is atomic, unless an entry of it had one at the last read: then the
// owner has set it to no entries, and ours was released.
func TestListsOfReleasedEntries(t *testing.T) {
	t.Parallel()
	claims := clustertest.Claims(t, []metav1.ManagedFieldsEntry{clustertest.Updating("painter", `{"f:spec":{"f:colours":{}}}`)})
	live, patterns := clustertest.Object(t, "{spec: {colours: [red]}}"), clustertest.Patterns(t, "spec.colours")
	for name, before := range map[string][]List{
		"it had an owner": {{Path: "f:spec/f:colours", Entries: []string{`v:"red"`}, Length: 1}},
		"it had none":     {{Path: "f:spec/f:colours", Entries: []string{"i:0"}, Length: 1}},
		"no entries":      {{Path: "f:spec/f:colours"}},
	} {
		var want []List
		if name == "it had an owner" {
			want = before
		}
		seen := Lists{"spec.colours": before}
		for range 2 {
			seen = seen.Next(live, patterns, claims, rendering.Renderer{})
		}
		if diff := cmp.Diff(want, seen["spec.colours"], cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: lists (-want +got):\n%s", name, diff)
		}
	}
}

// Members that are secret are counted, and not stored.
func TestListsHideSecrets(t *testing.T) {
	t.Parallel()
	claims := clustertest.Claims(t, []metav1.ManagedFieldsEntry{clustertest.Updating("painter", `{"f:spec":{"f:colours":{"v:\"red\"":{},"v:\"blue\"":{}}}}`)})
	renderer := rendering.Renderer{Sensitive: clustertest.Patterns(t, "spec.colours")}
	patterns := clustertest.Patterns(t, "spec.colours")
	want := []List{{Path: "f:spec/f:colours", Length: 2}}
	live := clustertest.Object(t, "{spec: {colours: [red, blue]}}")
	if diff := cmp.Diff(want, Lists{}.Next(live, patterns, claims, renderer)["spec.colours"]); diff != "" {
		t.Errorf("lists (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, ListsClaimed(claims, patterns[0], renderer)); diff != "" {
		t.Errorf("claimed (-want +got):\n%s", diff)
	}
}

func TestListsClaimed(t *testing.T) {
	t.Parallel()
	claims := clustertest.Claims(t, []metav1.ManagedFieldsEntry{
		clustertest.Updating("late", `{"f:spec":{"f:colours":{"v:\"blue\"":{}},"f:args":{}}}`),
		clustertest.Updating("early", `{"f:spec":{"f:colours":{"v:\"green\"":{},"v:\"red\"":{}},"f:size":{}}}`),
	})
	for text, want := range map[string][]List{
		"spec.colours": {{Path: "f:spec/f:colours", Entries: []string{`v:"blue"`, `v:"green"`, `v:"red"`}, Length: 3}},
		"spec.args":    nil,
		"spec":         nil,
		"spec.missing": nil,
	} {
		if diff := cmp.Diff(want, ListsClaimed(claims, clustertest.Patterns(t, text)[0], rendering.Renderer{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}
