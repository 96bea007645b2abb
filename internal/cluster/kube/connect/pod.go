package connect

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"

	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	certutil "k8s.io/client-go/util/cert"
)

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
		return nil, []FieldProblem{{
			Attribute: "in_cluster",
			Problem: "is true, but Terraform does not run in a pod: " + podHost + " and " + podPort +
				" are not set in its environment.",
			Suggestion: "Run it in a pod of the cluster, or name the cluster by `config_path` or `host`.",
		}}
	}
	authority := filepath.Join(directory, "ca.crt")
	content, err := os.ReadFile(authority) //nolint:gosec // Kubernetes mounts it.
	if _, unparsable := certutil.ParseCertsPEM(content); err == nil && unparsable != nil {
		err = errNoAuthority
	}
	if err != nil {
		return nil, []FieldProblem{noServiceAccount(authority, err)}
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
func noServiceAccount(path string, err error) FieldProblem {
	return FieldProblem{
		Attribute: "in_cluster",
		Problem: "is true, but the pod has no usable service account: it needs \"" + path + "\", " + reasonOf(err) +
			".",
		Suggestion: "Check serviceAccountName and automountServiceAccountToken of the pod.",
	}
}
