package connect

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	certutil "k8s.io/client-go/util/cert"
)

// loadKubeconfig reads Kubeconfig, with its current-context set to the context to use.
func (c Config) loadKubeconfig() (*clientcmdapi.Config, []FieldProblem) {
	raw, err := clientcmd.Load([]byte(c.Kubeconfig))
	if err != nil || clientcmdapi.IsConfigEmpty(raw) {
		// The parser's own message can quote a part of it, and with it a credential.
		return nil, wrong("kubeconfig", "is not the content of a kubeconfig.", "Set the YAML text itself, for "+
			"example `kubeconfig = file(\"~/.kube/config\")`. Set a path in `config_path`.")
	}
	return raw, c.selectContext(raw, "kubeconfig")
}

// loadConfigPath reads the file that ConfigPath names, as loadKubeconfig does. Relative paths inside the
// file start at its own directory.
func (c Config) loadConfigPath() (*clientcmdapi.Config, []FieldProblem) {
	path, problems := expandHome("config_path", c.ConfigPath)
	if len(problems) > 0 {
		return nil, problems
	}
	raw, err := clientcmd.LoadFromFile(path)
	var fileErr *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, wrong("config_path", "names \""+path+"\", and there is no such file.",
			"Correct the path, or write the file first. Relative paths start at the directory that Terraform runs in.")
	case errors.As(err, &fileErr):
		return nil, wrong("config_path", "names \""+path+"\", which cannot be read: "+fileErr.Err.Error()+".",
			"Set the path of a kubeconfig file that the user who runs Terraform can read.")
	case err != nil || clientcmdapi.IsConfigEmpty(raw):
		return nil, wrong("config_path", "names \""+path+"\", which is not a kubeconfig.",
			"Check the file with `kubectl --kubeconfig \""+path+"\" config view`.")
	}
	if err := clientcmd.ResolveLocalPaths(raw); err != nil {
		return nil, wrong("config_path",
			"names \""+path+"\", whose relative paths cannot be resolved: "+err.Error()+".",
			"Write absolute paths inside the kubeconfig.")
	}
	return raw, c.selectContext(raw, "config_path")
}

// selectContext sets raw's current-context to the one to use and checks that it is complete. attribute is
// the attribute that raw came from.
func (c Config) selectContext(raw *clientcmdapi.Config, attribute string) []FieldProblem {
	name := cmp.Or(c.Context, raw.CurrentContext)
	if name == "" {
		return wrong(attribute, "has no current-context, and `context` is not set.",
			"Set `context` to "+contextsOf(raw)+".")
	}
	if _, found := raw.Contexts[name]; !found {
		suggestion := "Set `context` to " + contextsOf(raw) + "."
		if c.Context == "" {
			return wrong(attribute, "has the current-context \""+name+"\", which it does not define.", suggestion)
		}
		return wrong("context", "is \""+name+"\", which the kubeconfig does not have.", suggestion)
	}
	problem := unusable(raw.Clusters[raw.Contexts[name].Cluster], raw.AuthInfos[raw.Contexts[name].AuthInfo])
	if err := clientcmd.ConfirmUsable(*raw, name); err != nil && problem == "" {
		problem = err.Error()
	}
	if problem != "" {
		return wrong(attribute, "cannot be used with the context \""+name+"\": "+problem+".",
			"Correct the kubeconfig, or set `context` to another one.")
	}
	raw.CurrentContext = name
	return nil
}

// unusable returns what is wrong with the URLs of a cluster, or with a user; "" for nothing. The errors of client-go
// quote a URL, which can have a password.
func unusable(cluster *clientcmdapi.Cluster, user *clientcmdapi.AuthInfo) string {
	if user != nil && user.AuthProvider != nil {
		return "its user has an auth-provider, in place of which Kubernetes has exec plugins such as kubelogin"
	}
	if cluster == nil {
		return ""
	}
	if cluster.ProxyURL != "" && !isProxy(cluster.ProxyURL) {
		return "its proxy-url " + noProxy
	}
	if _, err := serverURL(&rest.Config{Host: cluster.Server}); err != nil {
		return "its server is not a URL"
	}
	return ""
}

// contextsOf lists the contexts of a kubeconfig: `one of "a", "b"`.
func contextsOf(raw *clientcmdapi.Config) string {
	if len(raw.Contexts) == 0 {
		return "a context, after adding one to the kubeconfig"
	}
	names := slices.Sorted(maps.Keys(raw.Contexts))
	if len(names) == 1 {
		return "\"" + names[0] + "\""
	}
	return "one of \"" + strings.Join(names, "\", \"") + "\""
}

// serviceAccountDirectory is where Kubernetes mounts the service account of a pod. Tests set another path, some of them
// with the linker.
var serviceAccountDirectory = "/var/run/secrets/kubernetes.io/serviceaccount"

// The environment variables by which Kubernetes tells a pod where the API server is.
const (
	podHost = "KUBERNETES_SERVICE_HOST"
	podPort = "KUBERNETES_SERVICE_PORT"
)

// podKubeconfig returns the kubeconfig that describes what a pod knows of its cluster, without the token. client-go has
// no equivalent: it uses the certificate authorities of the system if the pod's cannot be read.
func podKubeconfig(directory string, getenv func(string) string) (*clientcmdapi.Config, []FieldProblem) {
	host, port := getenv(podHost), getenv(podPort)
	if host == "" || port == "" {
		return nil, wrong("in_cluster", "is true, but Terraform does not run in a pod: "+podHost+" and "+podPort+
			" are not set in its environment.",
			"Run it in a pod of the cluster, or name the cluster by `config_path` or `host`.")
	}
	authority := filepath.Join(directory, "ca.crt")
	content, err := os.ReadFile(authority) //nolint:gosec // Kubernetes mounts it.
	if _, unparsable := certutil.ParseCertsPEM(content); err == nil && unparsable != nil {
		err = errNoAuthority
	}
	if err != nil {
		return nil, noServiceAccount(authority, err)
	}
	cluster, user := clientcmdapi.NewCluster(), clientcmdapi.NewAuthInfo()
	cluster.Server = "https://" + net.JoinHostPort(host, port)
	cluster.CertificateAuthorityData = content
	// A pod need not have this file.
	namespace, _ := os.ReadFile(filepath.Join(directory, "namespace")) //nolint:gosec // Kubernetes mounts it.
	return kubeconfigOf(cluster, user, strings.TrimSpace(string(namespace))), nil
}

var errNoAuthority = errors.New("has no certificate in PEM")

// noServiceAccount returns the problem of a pod in which a file of the service account is missing or cannot be used.
func noServiceAccount(path string, err error) []FieldProblem {
	return wrong("in_cluster",
		"is true, but the pod has no usable service account: it needs \""+path+"\", "+reasonOf(err)+".",
		"Check serviceAccountName and automountServiceAccountToken of the pod.")
}
