package connect

import (
	"net"
	"strings"

	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// securityWarnings returns the problems of a connection that works, but that other hosts on the network could read,
// each at its attribute. raw is c as a kubeconfig, and config is what client-go makes of it.
func (c Config) securityWarnings(raw *clientcmdapi.Config, config *rest.Config) []FieldProblem {
	cluster := raw.Clusters[raw.Contexts[raw.CurrentContext].Cluster]
	attribute, inFile, skips := "host", "", ""
	switch {
	case c.Kubeconfig != "":
		attribute, inFile, skips = "kubeconfig", "has a server that ", "has insecure-skip-tls-verify, which "
	case c.ConfigPath != "":
		attribute, inFile, skips = "config_path", "names a kubeconfig with a server that ", "names a kubeconfig "+
			"with insecure-skip-tls-verify, which "
	}
	var found []FieldProblem
	if isPlain(config) {
		found = append(found, FieldProblem{
			Attribute: attribute,
			Problem: inFile + "does not start with https://: anybody on the network path can read and change all " +
				"that is sent, credentials and Secrets included.",
			Suggestion: "Write the https address of the API server.",
		})
		return found
	}
	const unchecked = "anybody who can intercept the connection can pretend to be the API server, read the " +
		"credentials and every Secret, and change what is applied."
	switch {
	case c.Insecure:
		found = append(found, FieldProblem{
			Attribute: "insecure",
			Problem:   "leaves the API server's certificate unchecked: " + unchecked,
			Suggestion: "Remove it, and set the certificate's authority in `cluster_ca_certificate` or in the " +
				"kubeconfig. If only the name differs, set `tls_server_name`.",
		})
	case cluster.InsecureSkipTLSVerify:
		found = append(found, FieldProblem{
			Attribute: attribute, Problem: skips + "leaves the API server's certificate unchecked: " + unchecked,
			Suggestion: "Replace it with certificate-authority-data in the kubeconfig.",
		})
	}
	return found
}

// isPlain reports whether requests to a server go over a network without TLS. A server on this machine, a kubectl
// proxy for instance, is excluded.
func isPlain(config *rest.Config) bool {
	u, err := serverURL(config)
	if err != nil || !strings.EqualFold(u.Scheme, "http") {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback())
}
