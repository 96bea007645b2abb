package manifestresource_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/testcluster"
)

// workspace is a directory in which a Terraform CLI runs the built provider, a process of its own for
// each plan and each apply, as users run it.
type workspace struct {
	*story
	dir  string
	cli  testcluster.CLI
	env  []string
	user string
}

// workspace makes one for the story. The provider connects as a user of the story's own, by which the
// audit log tells its requests from others.
func (s *story) workspace() *workspace {
	s.t.Helper()
	binary, err := providerBinary()
	must(s.t, err)
	cli, err := testcluster.TerraformCLI(s.t.Context(), os.Stderr)
	must(s.t, err)
	w := &workspace{story: s, dir: s.t.TempDir(), cli: cli, user: s.namespace}
	settings := filepath.Join(w.dir, "cli.tfrc")
	must(s.t, os.WriteFile(settings, []byte(fmt.Sprintf(
		"provider_installation {\n  dev_overrides { \"k8sconnect/k8sconnect\" = %q }\n  direct {}\n}\n",
		filepath.Dir(binary))), 0o600))
	w.env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+settings, "TF_IN_AUTOMATION=1", "CHECKPOINT_DISABLE=1")
	must(s.t, os.WriteFile(filepath.Join(w.dir, "kubeconfig"), s.kubeconfig(s.addUser(w.user)), 0o600))
	return w
}

// write sets the configuration: resources and nothing else.
func (w *workspace) write(resources ...string) {
	w.t.Helper()
	text := "terraform {\n  required_providers {\n    k8sconnect = { source = \"k8sconnect/k8sconnect\" }\n  }\n}\n" +
		"provider \"k8sconnect\" {\n  cluster = { config_path = \"kubeconfig\" }\n}\n" + strings.Join(resources, "\n")
	must(w.t, os.WriteFile(filepath.Join(w.dir, "main.tf"), []byte(text), 0o600))
}

// run runs a command of the CLI and returns what it prints.
func (w *workspace) run(args ...string) string {
	w.t.Helper()
	out, err := w.try(args...)
	if err != nil {
		w.t.Fatalf("%s %s: %v\n%s", w.cli.Product, strings.Join(args, " "), err, out)
	}
	return out
}

func (w *workspace) try(args ...string) (string, error) {
	command := exec.CommandContext(w.t.Context(), w.cli.Path, append(slices.Clone(args), "-no-color")...)
	command.Dir, command.Env = w.dir, w.env
	out, err := command.CombinedOutput()
	return string(out), err
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
	signing.Lock()
	defer signing.Unlock()
	config, err := controlPlane.User(name, groups...)
	must(s.t, err)
	return config
}

// signing guards envtest's certificate authority, which counts its certificates without a lock.
var signing sync.Mutex

// kubeconfig has one context for each of users, named context-0 and so on; the first is the current one.
func (s *story) kubeconfig(users ...*rest.Config) []byte {
	s.t.Helper()
	out := clientcmdapi.NewConfig()
	for i, user := range users {
		name := fmt.Sprintf("context-%d", i)
		out.Clusters[name] = &clientcmdapi.Cluster{Server: user.Host, CertificateAuthorityData: user.CAData}
		out.AuthInfos[name] = &clientcmdapi.AuthInfo{ClientCertificateData: user.CertData, ClientKeyData: user.KeyData}
		out.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name}
	}
	out.CurrentContext = "context-0"
	text, err := clientcmd.Write(*out)
	must(s.t, err)
	return text
}

// providerBinary builds the provider once for all stories.
var providerBinary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "k8sconnect-provider-")
	if err != nil {
		return "", err
	}
	builtProvider = dir
	binary := filepath.Join(dir, "terraform-provider-k8sconnect")
	const module = "github.com/k8sconnect/terraform-provider-k8sconnect"
	if out, err := exec.Command("go", "build", "-o", binary, module).CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the provider: %w\n%s", err, out)
	}
	return binary, nil
})

// builtProvider is the directory of the built provider, "" where no story has asked for it.
var builtProvider string

func removeProviderBinary() {
	if builtProvider != "" {
		_ = os.RemoveAll(builtProvider)
	}
}
