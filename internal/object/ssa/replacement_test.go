package ssa

import (
	"fmt"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// An object that its state protects from deletion is not replaced.
func TestReplacementOfProtectedObject(t *testing.T) {
	t.Parallel()
	object := manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "default", Name: "web"}
	see := func(s *run.Run) error { s.Objects.EndRead("u"); return nil }
	keep := func(s *run.Run) error { return s.PlanWithState(object, "u") }
	protect := func(s *run.Run) error { s.Objects.Protect("u"); return nil }
	check := func(s *run.Run) error {
		return Replacement{Run: s}.check(object, clustertest.Live("u", "1", nil))
	}
	checkReplaced := func(s *run.Run) error {
		return Replacement{Replaced: record.Snapshot{UID: "u"}, Run: s}.check(object, clustertest.Live("u", "1", nil))
	}
	for name, tc := range map[string]struct {
		steps []func(*run.Run) error
		want  error
	}{
		"an object that is protected is not replaced": {[]func(*run.Run) error{see, protect, check}, &run.ProtectedError{}},
		"nor one whose replacement was planned":       {[]func(*run.Run) error{keep, protect, checkReplaced}, &run.ProtectedError{}},
		"one that is not protected is":                {[]func(*run.Run) error{keep, checkReplaced}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			current := &run.Run{}
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
