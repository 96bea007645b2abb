package examples_test

import (
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/pages"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// example is a copy of an example, in which the CLI runs the provider of this source tree, as a user without a registry
// does. Its objects are in the namespace default.
type example struct {
	*story.Workspace
	name string
	// created are the objects that the example expected.
	created []*unstructured.Unstructured
}

// newExample copies an example, which is destroyed when the test ends. The CLI has further variables.
func newExample(t *testing.T, name string, variables []string) *example {
	t.Helper()
	e := &example{Workspace: story.In(t, "default").Workspace(), name: name}
	e.Env = append(e.Env, variables...)
	story.Must(t, os.CopyFS(e.Dir, os.DirFS(filepath.Join(pages.Root, "examples", name))))
	for _, file := range pages.Files(t, e.Dir, ".tf") {
		e.Require(pages.Read(t, file))
	}
	require(t, e.Dir)
	t.Cleanup(func() {
		e.Do("destroy", "-auto-approve")
		e.deleteBefore()
	})
	return e
}

// atHome returns the environment of a user whose kubeconfig has the contexts that the examples name, all of them the
// control plane.
func atHome(t *testing.T) []string {
	t.Helper()
	home := t.TempDir()
	config, err := clientcmd.Load(story.ControlPlane().Kubeconfig())
	story.Must(t, err)
	for _, name := range []string{"staging", "production"} {
		config.Contexts[name] = config.Contexts[config.CurrentContext]
	}
	story.Must(t, clientcmd.WriteToFile(*config, filepath.Join(home, ".kube", "config")))
	return []string{
		"HOME=" + home, "KUBE_CONFIG_PATH=" + story.ControlPlane().KubeconfigPath(), "KUBE_CTX=", "KUBE_HOST=", "KUBE_TOKEN=", "TF_DATA_DIR=", "TF_WORKSPACE=",
	}
}
