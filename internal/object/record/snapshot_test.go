package record

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/sample"
)

// someSnapshot returns a snapshot with claims, declared fields, values and a key.
func someSnapshot(t *testing.T) Snapshot {
	t.Helper()
	s := Snapshot{
		Object: clustertest.ConfigMap, Sighting: Sighting{UID: "u"}, Claims: clustertest.Claims(t, clustertest.Owning(`{"f:data":{"f:a":{}}}`)),
		Fields:  KnownFields{Declared: clustertest.Fields(t, `{"f:data":{"f:a":{}}}`), Empty: paths.NewSet(), Kept: paths.NewSet()},
		Digests: Digests{AppliedState: "a", LiveState: "a"},
	}
	s.Claims[0].Time = time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC).Local()
	s.Values = map[string]string{"a": "1"}
	s.DigestKey = []byte{0, 255}
	return s
}

func TestSnapshotRoundTrip(t *testing.T) {
	t.Parallel()
	want := someSnapshot(t)
	text, err := want.Encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := DecodeSnapshot(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("snapshot (-want +got):\n%s", diff)
	}
	if !got.Known() {
		t.Error("the snapshot is not known")
	}
}

// A snapshot that is a part of another JSON document keeps its claims and fields.
func TestSnapshotInADocument(t *testing.T) {
	t.Parallel()
	type document struct {
		Value   Snapshot            `json:"value"`
		Pointer *Snapshot           `json:"pointer"`
		ByName  map[string]Snapshot `json:"byName"`
	}
	snapshot := someSnapshot(t)
	snapshot.Fields.Empty = clustertest.Fields(t, `{"f:data":{"f:empty":{}}}`)
	snapshot.Fields.Kept = clustertest.Fields(t, `{"f:data":{"f:kept":{}}}`)
	want := document{Value: snapshot, Pointer: &snapshot, ByName: map[string]Snapshot{"a": snapshot}}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got document
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("document (-want +got):\n%s", diff)
	}
}

// Equal reports whether two snapshots are the same in private state. Package cmp calls it, too.
func (s Snapshot) Equal(other Snapshot) bool {
	one, err := s.Encode()
	if err != nil {
		return false
	}
	two, err := other.Encode()
	return err == nil && bytes.Equal(one, two)
}

// A reading of an object that no client touched finds the snapshot as private state has it.
func TestObserveAgain(t *testing.T) {
	t.Parallel()
	deployment, err := sample.Deployment(1)
	if err != nil {
		t.Fatal(err)
	}
	for name, live := range map[string]*unstructured.Unstructured{
		"fields of several managers": deployment, "fields of ours alone": clustertest.Live("1", "1", clustertest.Owning(`{"f:data":{"f:a":{},"f:b":{}}}`)),
	} {
		api := clustertest.Stub{OnGet: func() (*unstructured.Unstructured, error) { return live, nil }}
		prior := Prior{Object: manifest.Identity{APIVersion: live.GetAPIVersion(), Kind: live.GetKind(), Name: live.GetName()}}
		observed, err := Observe(t.Context(), api, sample.FieldManager, prior)
		if err != nil {
			t.Fatal(err)
		}
		text, err := observed.Snapshot.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if prior.Snapshot, err = DecodeSnapshot(text); err != nil {
			t.Fatal(err)
		}
		again, err := Observe(t.Context(), api, sample.FieldManager, prior)
		if err != nil || !again.Snapshot.Equal(prior.Snapshot) {
			t.Errorf("%s: %v (-before +after):\n%s", name, err, cmp.Diff(prior.Snapshot, again.Snapshot))
		}
		live.SetManagedFields(append(live.GetManagedFields(), clustertest.Updating("kubectl-label", `{"f:metadata":{"f:labels":{"f:new":{}}}}`)))
		if again, err = Observe(t.Context(), api, sample.FieldManager, prior); err != nil || again.Snapshot.Equal(prior.Snapshot) {
			t.Errorf("%s: %v, and another manager is no change", name, err)
		}
	}
}

func TestDecodeSnapshotOfNothing(t *testing.T) {
	t.Parallel()
	got, err := DecodeSnapshot(nil)
	if err != nil || got.Known() {
		t.Errorf("%v, %v", got, err)
	}
	if got.Fields.Declared != nil {
		t.Errorf("fields %v", got.Fields)
	}
	if _, err := DecodeSnapshot([]byte("{")); err == nil {
		t.Error("half a snapshot is read")
	}
}

func TestDecodeUnreadableSnapshot(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"managers":     `{"uid": "u", "managers": [{"manager": "k8sconnect", "operation": "Apply", "fieldsType": "FieldsV2", "fieldsV1": {"f:data": {}}}]}`,
		"declared":     `{"uid": "u", "managers": [], "declared": ["f:data"]}`,
		"empty fields": `{"uid": "u", "managers": [], "emptyFields": {"data": {}}}`,
		"kept":         `{"uid": "u", "managers": [], "kept": {"f:data": 1}}`,
	} {
		if got, err := DecodeSnapshot([]byte(text)); err == nil {
			t.Errorf("%s: no error, and %v", name, got)
		}
	}
}

func TestStateDigest(t *testing.T) {
	t.Parallel()
	state := map[string]string{"a": "1", "b": "2"}
	if DigestOf(state) != DigestOf(map[string]string{"b": "2", "a": "1"}) {
		t.Error("equal states have two digests")
	}
	for name, other := range map[string]map[string]string{
		"another value": {"a": "1", "b": "3"}, "a field less": {"a": "1"}, "a field more": {"a": "1", "b": "2", "c": ""}, "nothing": {},
	} {
		if DigestOf(state) == DigestOf(other) {
			t.Errorf("%s has the same digest", name)
		}
	}
}
