package manifestresource_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster/workdir"
)

// workspace is a directory in which a Terraform CLI runs the built provider for a story.
type workspace struct {
	*story
	*workdir.Workdir
	user string
}

// workspace makes one for the story. The provider connects as a user of the story's own, by which the
// audit log tells its requests from others.
func (s *story) workspace() *workspace {
	s.t.Helper()
	binary, err := workdir.Shared()
	must(s.t, err)
	cli, err := testcluster.TerraformCLI(s.t.Context(), os.Stderr)
	must(s.t, err)
	work, err := workdir.New(s.t.TempDir(), binary, cli)
	must(s.t, err)
	must(s.t, os.WriteFile(filepath.Join(work.Dir, "kubeconfig"), s.kubeconfig(s.addUser(s.namespace)), 0o600))
	return &workspace{story: s, Workdir: work, user: s.namespace}
}

// configure sets the configuration: resources and nothing else.
func (w *workspace) configure(resources ...string) {
	w.t.Helper()
	must(w.t, w.Write("provider \"k8sconnect\" {\n  cluster = { config_path = \"kubeconfig\" }\n}\n"+strings.Join(resources, "\n")))
}

// do runs a command of the CLI and returns what it prints.
func (w *workspace) do(args ...string) string {
	w.t.Helper()
	out, err := w.try(args...)
	if err != nil {
		w.t.Fatalf("%s %s: %v\n%s", w.CLI.Product, strings.Join(args, " "), err, out)
	}
	return out
}

func (w *workspace) try(args ...string) (string, error) {
	out, code, err := w.Run(w.t.Context(), args...)
	if err == nil && code != 0 {
		err = fmt.Errorf("exit code %d", code)
	}
	return out, err
}
