package run

import (
	"fmt"
	"testing"

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
