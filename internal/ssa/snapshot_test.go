package ssa

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestSnapshotRoundTrip(t *testing.T) {
	t.Parallel()
	prior := applied()
	want := prior.Snapshot
	want.Managers[0].Time = &metav1.Time{Time: time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC).Local()}
	want.Values = map[string]string{"a": "1"}
	want.DigestKey = []byte{0, 255}
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

func TestDecodeSnapshotOfNothing(t *testing.T) {
	t.Parallel()
	got, err := DecodeSnapshot(nil)
	if err != nil || got.Known() {
		t.Errorf("%v, %v", got, err)
	}
	if declared, err := got.declared(); err != nil || !declared.Empty() {
		t.Errorf("%v, %v", declared, err)
	}
	if _, err := DecodeSnapshot([]byte("{")); err == nil {
		t.Error("half a snapshot is read")
	}
}

func TestStateDigest(t *testing.T) {
	t.Parallel()
	state := map[string]string{"a": "1", "b": "2"}
	if stateDigest(state) != stateDigest(map[string]string{"b": "2", "a": "1"}) {
		t.Error("equal states have two digests")
	}
	for name, other := range map[string]map[string]string{
		"another value": {"a": "1", "b": "3"}, "a field less": {"a": "1"}, "a field more": {"a": "1", "b": "2", "c": ""}, "nothing": {},
	} {
		if stateDigest(state) == stateDigest(other) {
			t.Errorf("%s has the same digest", name)
		}
	}
}
