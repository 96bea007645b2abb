package run

import (
	"fmt"
	"testing"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// An object that its state protects from deletion is not replaced.
func TestReplacementOfProtectedObject(t *testing.T) {
	t.Parallel()
	object := manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "default", Name: "web"}
	see := func(s *Run) error { s.Objects.EndRead("u", Holder{}); return nil }
	keep := func(s *Run) error { return s.PlanWithState(object, "u") }
	protect := func(s *Run) error { s.Objects.Protect("u"); return nil }
	check := func(s *Run) error {
		return Replacement{Run: s}.Check(t.Context(), object, clustertest.Live("u", "1", nil))
	}
	checkReplaced := func(s *Run) error {
		return Replacement{Replaced: record.Snapshot{Sighting: record.Sighting{UID: "u"}}, Run: s}.Check(t.Context(), object, clustertest.Live("u", "1", nil))
	}
	for name, tc := range map[string]struct {
		steps []func(*Run) error
		want  error
	}{
		"an object that is protected is not replaced": {[]func(*Run) error{see, protect, check}, &ProtectedError{}},
		"nor one whose replacement was planned":       {[]func(*Run) error{keep, protect, checkReplaced}, &ProtectedError{}},
		"one that is not protected is":                {[]func(*Run) error{keep, checkReplaced}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			current := &Run{}
			var err error
			for _, step := range tc.steps {
				err = step(current)
			}
			if got, want := fmt.Sprintf("%T", err), fmt.Sprintf("%T", tc.want); got != want {
				t.Errorf("the last step returned %s, want %s", got, want)
			}
		})
	}
}

// A new resource waits until the run is quiet before an object counts as one of nobody: the read of the resource that
// has it may come later.
func TestReplacementBeforeTheRefresh(t *testing.T) {
	t.Parallel()
	object := manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "default", Name: "web"}
	for name, tc := range map[string]struct {
		reads bool
		want  error
	}{
		"another resource has it": {true, &AlreadyManagedError{}}, "nobody has it": {false, &AlreadyExistsError{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var r Run
			r.Rounds.Set(FirstRound)
			defer r.Waits.Begin(t.Context())()
			end := r.Waits.Begin(t.Context())
			go func() {
				time.Sleep(quietInPlan + quietInPlan/2)
				if tc.reads {
					r.Objects.BeginRead("u", Holder{Type: "manifests"})
				}
				end()
			}()
			err := Replacement{Run: &r, By: Holder{Type: "manifest"}}.Check(t.Context(), object, clustertest.Live("u", "1", nil))
			if got, want := fmt.Sprintf("%T", err), fmt.Sprintf("%T", tc.want); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}
