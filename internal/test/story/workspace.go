package story

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster/workdir"
)

// Workspace is a directory in which a Terraform CLI runs the built provider for a story.
type Workspace struct {
	*Story
	*workdir.Workdir
	user string
}

// Workspace makes one for the story. The provider connects as a user of the story's own, by which the
// audit log tells its requests from others.
func (s *Story) Workspace() *Workspace {
	s.T.Helper()
	binary, err := workdir.Shared()
	Must(s.T, err)
	cli, err := testcluster.TerraformCLI(s.T.Context(), os.Stderr)
	Must(s.T, err)
	work, err := workdir.New(s.T.TempDir(), binary, cli)
	Must(s.T, err)
	Must(s.T, os.WriteFile(filepath.Join(work.Dir, "kubeconfig"), s.Kubeconfig(s.AddUser(s.Namespace)), 0o600))
	return &Workspace{Story: s, Workdir: work, user: s.Namespace}
}

// Configure sets the configuration: resources and nothing else.
func (w *Workspace) Configure(resources ...string) {
	w.T.Helper()
	Must(w.T, w.Write("provider \"k8sconnect\" {\n  cluster = { config_path = \"kubeconfig\" }\n}\n"+strings.Join(resources, "\n")))
}

// Generate has the CLI write the resource block of an import into generated.tf. Terraform 1.16 needs the argument provider
// for that; beside the resource block, every CLI refuses it.
func (w *Workspace) Generate(id string) {
	w.T.Helper()
	block := w.ImportBlock(id)
	w.Configure(strings.Replace(block, "\n}", "\n  provider = k8sconnect\n}", 1))
	w.Do("plan", "-generate-config-out=generated.tf")
	w.Configure(block)
}

// Do runs a command of the CLI and returns what it prints.
func (w *Workspace) Do(args ...string) string {
	w.T.Helper()
	out, err := w.Try(args...)
	if err != nil {
		w.T.Fatalf("%s %s: %v\n%s", w.CLI.Product, strings.Join(args, " "), err, out)
	}
	return out
}

// Try is Do where the command may fail.
func (w *Workspace) Try(args ...string) (string, error) {
	out, code, err := w.Workdir.Run(w.T.Context(), args...)
	if err == nil && code != 0 {
		err = fmt.Errorf("exit code %d", code)
	}
	return out, err
}
