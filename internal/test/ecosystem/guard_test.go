package ecosystem_test

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/guard"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// protect installs a guard that refuses, until the end of the story.
func protect(s *story.Story, options guard.Options) {
	s.T.Helper()
	options.Name, options.Mode = "guard-"+s.Namespace, guard.Deny
	if options.FieldManagers == nil {
		options.FieldManagers = []string{"k8sconnect*"}
	}
	manifests, err := guard.Manifests(options)
	story.Must(s.T, err)
	for _, text := range manifests {
		s.As("k8sconnect").CreateUntilEnd(text)
	}
}

// awaitGuard waits until the guard refuses a merge patch of others to an object.
func awaitGuard(s *story.Story, target, patch string) {
	s.T.Helper()
	apiVersion, kind, name := s.Split(target)
	s.Await("the guard refuses "+patch, func() bool {
		_, err := s.Resource(apiVersion, kind, s.Namespace).Patch(s.T.Context(), name, types.MergePatchType, []byte(patch),
			metav1.PatchOptions{FieldManager: "probe", DryRun: []string{metav1.DryRunAll}})
		return err != nil
	})
}
