package validation

import (
	"path/filepath"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/openapi"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/openapi/command"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Export writes the schemas of the control plane into a folder, as a user does.
func Export(s *story.Story) openapi.Folder {
	s.T.Helper()
	folder := filepath.Join(s.T.TempDir(), "schemas")
	file := s.File("kubeconfig-schemas", s.Kubeconfig(story.ControlPlane().RESTConfig()), 0o600)
	var said strings.Builder
	// Other stories define kinds meanwhile, and the server gives up requests for schemas that change.
	s.Await("the schemas of the server are exported", func() bool {
		said.Reset()
		code := command.Run(s.T.Context(), []string{"--kubeconfig", file, "--out", folder}, &said, &said)
		if code != 0 {
			s.T.Log(said.String())
		}
		return code == 0
	})
	return openapi.Folder(folder)
}

// Unfit returns what does not fit in an object; nil, false without a schema of its kind.
func Unfit(in openapi.Folder, object map[string]any) ([]openapi.Problem, bool, error) {
	m, err := manifest.Of(runtime.DeepCopyJSON(object))
	if err != nil {
		return nil, false, err
	}
	kind, err := in.Kind(schema.FromAPIVersionAndKind(m.APIVersion, m.Kind))
	if err != nil || kind == nil {
		return nil, false, err
	}
	return kind.Check(m.Object, openapi.Whole), true, nil
}
