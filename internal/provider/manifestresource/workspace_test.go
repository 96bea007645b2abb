package manifestresource_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/client-go/rest"

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

// write sets the configuration: resources and nothing else.
func (w *workspace) write(resources ...string) {
	w.t.Helper()
	must(w.t, w.Write("provider \"k8sconnect\" {\n  cluster = { config_path = \"kubeconfig\" }\n}\n"+strings.Join(resources, "\n")))
}

// run runs a command of the CLI and returns what it prints.
func (w *workspace) run(args ...string) string {
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

// cost runs a command and returns its requests, those of discovery apart, without the namespace's name.
func (w *workspace) cost(args ...string) (objects, discovery []string) {
	w.t.Helper()
	mark := controlPlane.AuditLog().Mark()
	w.run(args...)
	all, err := controlPlane.AuditLog().Since(mark)
	must(w.t, err)
	objects, discovery = []string{}, []string{}
	for _, request := range testcluster.Matching(all, testcluster.ByUser(w.user)) {
		line := strings.ReplaceAll(request.String(), w.namespace, "NS")
		if request.Resource == "" {
			discovery = append(discovery, line)
			continue
		}
		objects = append(objects, line)
	}
	slices.Sort(objects)
	slices.Sort(discovery)
	return objects, discovery
}

// addUser signs a new user of the control plane, an administrator where it is in no other group.
func (s *story) addUser(name string, groups ...string) *rest.Config {
	s.t.Helper()
	if len(groups) == 0 {
		groups = []string{"system:masters"}
	}
	config, err := controlPlane.User(name, groups...)
	must(s.t, err)
	return config
}

// kubeconfig has a context for each of users; the first is the current one.
func (s *story) kubeconfig(users ...*rest.Config) []byte {
	s.t.Helper()
	text, err := testcluster.KubeconfigOf(users...)
	must(s.t, err)
	return text
}
