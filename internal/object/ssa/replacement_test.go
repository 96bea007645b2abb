package ssa

import (
	"fmt"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/registry"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// An object that its state protects from deletion is not replaced.
func TestReplacementOfProtectedObject(t *testing.T) {
	t.Parallel()
	object := manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "default", Name: "web"}
	see := func(s *registry.Run) error { s.Read("u"); return nil }
	keep := func(s *registry.Run) error { return s.Keep(object, "u") }
	protect := func(s *registry.Run) error { s.Protect("u"); return nil }
	check := func(s *registry.Run) error {
		return Replacement{Run: s}.check(object, clustertest.Live("u", "1", nil), "k8sconnect")
	}
	checkReplaced := func(s *registry.Run) error {
		return Replacement{Replaced: record.Snapshot{UID: "u"}, Run: s}.check(object, clustertest.Live("u", "1", nil), "k8sconnect")
	}
	for name, tc := range map[string]struct {
		steps []func(*registry.Run) error
		want  error
	}{
		"an object that is protected is not replaced": {[]func(*registry.Run) error{see, protect, check}, &ProtectedError{}},
		"nor one whose replacement was planned":       {[]func(*registry.Run) error{keep, protect, checkReplaced}, &ProtectedError{}},
		"one that is not protected is":                {[]func(*registry.Run) error{keep, checkReplaced}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := &registry.Run{}
			var err error
			for _, step := range tc.steps {
				err = step(run)
			}
			if got, want := fmt.Sprintf("%T", err), fmt.Sprintf("%T", tc.want); got != want {
				t.Errorf("the last step returned %s, want %s", got, want)
			}
		})
	}
}
