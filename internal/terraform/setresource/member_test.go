package setresource

import (
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// setOf returns a set of ConfigMaps, by their keys.
func setOf(names map[string]string) *set {
	entries, kinds := map[string]attr.Value{}, map[string]attr.Type{}
	for key, name := range names {
		kinds[key] = types.StringType
		entries[key] = types.StringValue("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + ", namespace: shop}\n")
	}
	return &set{Manifests: types.DynamicValue(types.ObjectValueMust(kinds, entries)), FieldManager: types.StringValue("us")}
}

func storedAs(names map[string]string) map[string]stored {
	objects := map[string]stored{}
	for key, name := range names {
		objects[key] = stored{Object: "apiVersion=v1,kind=ConfigMap,namespace=shop,name=" + name, UID: "uid of " + name}
	}
	return objects
}

// An object belongs to its key, and if that is gone, to the new key with its manifest. The plan remembers where it was.
func TestCompare(t *testing.T) {
	t.Parallel()
	was, now := map[string]string{"a": "one", "b": "two", "c": "three"}, map[string]string{"a": "one", "x": "two", "y": "new"}
	staying, leaving := compare(setOf(now), setOf(was), storedAs(was))
	told := map[string]string{}
	for _, m := range staying {
		told[m.key] = m.stored.UID + " from " + m.stored.From
	}
	want := map[string]string{"a": "uid of one from ", "x": "uid of two from b", "y": " from "}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("staying (-want +got):\n%s", diff)
	}
	if len(leaving) != 1 || leaving[0].key != "c" || leaving[0].stored.Does != deletes {
		t.Errorf("leaving are %+v", leaving)
	}

	// The apply gets the same members from what the plan has stored.
	staying, leaving = planned(setOf(now), setOf(was), storedOf(slices.Concat(staying, leaving)))
	for _, m := range staying {
		if m.key == "x" && (m.state == nil || m.state.UID() != "uid of two" || m.plan == nil) {
			t.Errorf("the moved object has the state %+v", m.state)
		}
		if m.key == "y" && m.state != nil {
			t.Errorf("the new object has the state %+v", m.state)
		}
	}
	if len(staying) != 3 || len(leaving) != 1 || leaving[0].state.UID() != "uid of three" {
		t.Errorf("staying %d, leaving %+v", len(staying), leaving)
	}
}

// Definitions come before namespaces, these before others, and what intercepts requests comes last.
func TestInOrder(t *testing.T) {
	t.Parallel()
	members := []*member{
		{key: "hook", stage: stageOf(manifest.Identity{APIVersion: "admissionregistration.k8s.io/v1", Kind: "ValidatingWebhookConfiguration"})},
		{key: "pod", stage: stageOf(manifest.Identity{APIVersion: "v1", Kind: "Pod"})},
		{key: "namespace", stage: stageOf(manifest.Identity{APIVersion: "v1", Kind: "Namespace"})},
		{key: "kind", stage: stageOf(manifest.Identity{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition"})},
	}
	var mu sync.Mutex
	var order []string
	note := func(m *member) {
		mu.Lock()
		defer mu.Unlock()
		order = append(order, m.key)
	}
	inOrder(members, note)
	inReverse(members, note)
	want := []string{"kind", "namespace", "pod", "hook", "hook", "pod", "namespace", "kind"}
	if diff := cmp.Diff(want, order); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
