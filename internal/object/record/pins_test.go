package record

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// A value that a read has found and no apply has pinned yet follows the live value. A pinned value stays, also in a list
// item that was missing for a while.
func TestPinsOfRead(t *testing.T) {
	t.Parallel()
	const item = `"k:{\"name\":\"a\"}":`
	pinned := clustertest.Fields(t, `{"f:spec":{"f:held":{},"f:found":{},"f:list":{`+item+`{"f:note":{}}}}}`)
	pins := Pins{}.With(clustertest.Object(t, "{spec: {held: 1, found: 1, list: [{name: a, note: 1}]}}"), pinned)
	pins.Items = clustertest.Fields(t, `{"f:spec":{"f:list":{`+item+`{}}}}`)
	live := &unstructured.Unstructured{Object: clustertest.Object(t,
		"{apiVersion: v1, kind: ConfigMap, metadata: {name: web, uid: u}, spec: {held: {part: 2}, found: 2, list: [{name: a, note: 2}]}}")}
	live.SetManagedFields([]metav1.ManagedFieldsEntry{clustertest.Updating("kubectl", `{"f:spec":{"f:list":{`+item+`{".":{},"f:name":{},"f:note":{}}}}}`)})
	observed, err := Describe(live, Observation{
		ID: clustertest.ConfigMap, FieldManager: "k8sconnect", Pin: clustertest.Patterns(t, "spec"), Carried: Snapshot{Pins: pins},
		Fields: KnownFields{Declared: clustertest.Fields(t, `{"f:spec":{"f:held":{}}}`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"spec.held": "1", "spec.found": "2", `spec.list[name="a"].note`: "1", `spec.list[name="a"].name`: "a"}
	if diff := cmp.Diff(want, observed.Snapshot.Pins.Text(rendering.Renderer{})); diff != "" {
		t.Errorf("pins (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"spec.held": "1"}, observed.Pinned); diff != "" {
		t.Errorf("attribute (-want +got):\n%s", diff)
	}
}

// Pins in a list item that other managers have removed are remembered, and not shown.
func TestPinsOfItemThatLeft(t *testing.T) {
	t.Parallel()
	const item = `{"f:spec":{"f:list":{"k:{\"name\":\"a\"}":`
	pins := Pins{}.With(clustertest.Object(t, "{spec: {list: [{name: a, note: 1}]}}"), clustertest.Fields(t, item+`{"f:note":{}}}}}`))
	pins.Items = clustertest.Fields(t, item+`{}}}}`)
	live := &unstructured.Unstructured{Object: clustertest.Object(t, "{apiVersion: v1, kind: ConfigMap, metadata: {name: web, uid: u}}")}
	observed, err := Describe(live, Observation{
		ID: clustertest.ConfigMap, FieldManager: "k8sconnect", Pin: clustertest.Patterns(t, "spec"), Carried: Snapshot{Pins: pins},
		Fields: KnownFields{Declared: clustertest.Fields(t, item+`{".":{},"f:name":{},"f:note":{}}}}}`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(observed.Pinned) > 0 || paths.OrEmpty(observed.Snapshot.Pins.Fields).Empty() {
		t.Errorf("pinned %v, remembered %v", observed.Pinned, observed.Snapshot.Pins.Fields)
	}
}

// A list item that no manager owns since managedFields was reset is there, and so are the pins in it. Private state
// remembers it.
func TestPinsOfItemOfNobody(t *testing.T) {
	t.Parallel()
	const item = `{"f:spec":{"f:list":{"k:{\"name\":\"a\"}":`
	items := clustertest.Fields(t, item+`{}}}}`)
	pins := Pins{}.With(clustertest.Object(t, "{spec: {list: [{name: a, note: 1}]}}"), clustertest.Fields(t, item+`{"f:note":{}}}}}`))
	pins.Items = items
	live := &unstructured.Unstructured{Object: clustertest.Object(t, "{apiVersion: v1, kind: ConfigMap, metadata: {name: web, uid: u}, spec: {list: [{name: a, note: 2}]}}")}
	observed, err := Describe(live, Observation{
		ID: clustertest.ConfigMap, FieldManager: "k8sconnect", Pin: clustertest.Patterns(t, "spec"), Carried: Snapshot{Pins: pins},
		Fields: KnownFields{Declared: clustertest.Fields(t, item+`{".":{},"f:name":{},"f:note":{}}}}}`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{`spec.list[name="a"].note`: "1"}, observed.Pinned); diff != "" {
		t.Errorf("attribute (-want +got):\n%s", diff)
	}
	encoded, err := observed.Snapshot.Encode()
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := DecodeSnapshot(encoded)
	if err != nil || !decoded.Pins.Unowned.Equals(items) {
		t.Errorf("unowned %v (%v), want %v", decoded.Pins.Unowned, err, items)
	}
}

// A read finds values to pin in list items that no manager owns. An item of the manifest is not one of them.
func TestPinsFoundInItemOfNobody(t *testing.T) {
	t.Parallel()
	const list, note = `{"f:spec":{"f:list":{`, `"k:{\"name\":\"`
	ours := list + note + `a\"}":{".":{},"f:name":{}}}}}`
	live := &unstructured.Unstructured{Object: clustertest.Object(t,
		"{apiVersion: v1, kind: ConfigMap, metadata: {name: web, uid: u}, spec: {list: [{name: a}, {name: b, note: 2}, {name: c, note: 3}]}}")}
	live.SetManagedFields(clustertest.Owning(ours))
	observed, err := Describe(live, Observation{
		ID: clustertest.ConfigMap, FieldManager: "k8sconnect", Pin: clustertest.Patterns(t, "spec.list[*].note"),
		Fields: KnownFields{Declared: clustertest.Fields(t, ours)}, Body: clustertest.Object(t, "{spec: {list: [{name: a}, {name: c}]}}"),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{`spec.list[name="b"].note`: "2", `spec.list[name="c"].note`: "3"}
	if diff := cmp.Diff(want, observed.Snapshot.Pins.Text(rendering.Renderer{})); diff != "" {
		t.Errorf("pins (-want +got):\n%s", diff)
	}
	if items := clustertest.Fields(t, list+note+`b\"}":{}}}}`); !observed.Snapshot.Pins.Unowned.Equals(items) {
		t.Errorf("unowned %v, want %v", observed.Snapshot.Pins.Unowned, items)
	}
}

// A map that the manifest gives as empty holds no pins in it.
func TestPinsInEmptyMap(t *testing.T) {
	t.Parallel()
	fields := clustertest.Fields(t, `{"f:metadata":{"f:labels":{}}}`)
	live := &unstructured.Unstructured{Object: clustertest.Object(t, "{apiVersion: v1, kind: ConfigMap, metadata: {name: web, uid: u, labels: {team: a}}}")}
	live.SetManagedFields([]metav1.ManagedFieldsEntry{clustertest.Updating("kubectl", `{"f:metadata":{"f:labels":{"f:team":{}}}}`)})
	observed, err := Describe(live, Observation{
		ID: clustertest.ConfigMap, FieldManager: "k8sconnect", Pin: clustertest.Patterns(t, "metadata.labels.team"),
		Fields: KnownFields{Declared: fields, Empty: fields},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(observed.Pinned) > 0 || paths.OrEmpty(observed.Snapshot.Pins.Fields).Empty() {
		t.Errorf("pinned %v, found %v", observed.Pinned, observed.Snapshot.Pins.Fields)
	}
}
