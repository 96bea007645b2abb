package manifestresource_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/testcluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/testcluster/workdir"
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
	binary, err := providerBinary()
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
	return workdir.Build(context.Background(), dir)
})

// builtProvider is the directory of the built provider, "" where no story has asked for it.
var builtProvider string

func removeProviderBinary() {
	if builtProvider != "" {
		_ = os.RemoveAll(builtProvider)
	}
}
