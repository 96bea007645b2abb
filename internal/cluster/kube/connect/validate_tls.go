package connect

import (
	"crypto/tls"
	"net"
	"net/url"
	"slices"
	"strings"

	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	certutil "k8s.io/client-go/util/cert"
)

// execAPIVersions are the credential plugin protocols that client-go speaks.
var execAPIVersions = []string{"client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"}

func (c Config) validateCA() []FieldProblem {
	if c.ClusterCACertificate == "" {
		return nil
	}
	var problems []FieldProblem
	ca, err := decodePEM(c.ClusterCACertificate)
	if err == nil {
		_, err = certutil.ParseCertsPEM(ca)
	}
	if err != nil {
		problems = notPEM("cluster_ca_certificate", "a certificate")
	}
	if c.Insecure {
		problems = append(problems, wrong("insecure",
			"is true together with `cluster_ca_certificate`: the certificate would never be used.",
			"Remove one of the two; without `insecure` the server's certificate is checked.")...)
	}
	return problems
}

func (c Config) validateClientCertificate() []FieldProblem {
	switch {
	case c.ClientCertificate == "" && c.ClientKey == "":
		return nil
	case c.ClientKey == "":
		return unpaired("client_certificate", "client_key")
	case c.ClientCertificate == "":
		return unpaired("client_key", "client_certificate")
	}
	var problems []FieldProblem
	certificate, err := decodePEM(c.ClientCertificate)
	if err != nil {
		problems = notPEM("client_certificate", "a certificate")
	}
	key, err := decodePEM(c.ClientKey)
	if err != nil {
		problems = append(problems, notPEM("client_key", "a private key")...)
	}
	if len(problems) > 0 {
		return problems
	}
	if _, err := tls.X509KeyPair(certificate, key); err != nil {
		return wrong("client_key", "and `client_certificate` are not a pair: "+err.Error()+".",
			"Set the key that the certificate was issued for.")
	}
	return nil
}

func notPEM(attribute, what string) []FieldProblem {
	return wrong(attribute, "is not "+what+" in PEM, nor base64 of one.",
		"Set the PEM text that starts with `-----BEGIN`, `file(\"...\")` of it, or the base64 from a kubeconfig.")
}

func unpaired(given, missing string) []FieldProblem {
	return wrong(given, "is set without `"+missing+"`: a client certificate needs both.",
		"Set `"+missing+"` as well.")
}

func (c Config) validateExec() []FieldProblem {
	if c.Exec == nil {
		return nil
	}
	var problems []FieldProblem
	if c.Exec.Command == "" {
		problems = wrong("exec.command", "is empty.",
			"Name the credential plugin to run, `command = \"aws\"` for instance.")
	}
	if !slices.Contains(execAPIVersions, c.Exec.APIVersion) {
		problem := "is empty."
		if c.Exec.APIVersion != "" {
			problem = "is \"" + c.Exec.APIVersion + "\", which is not supported."
		}
		problems = append(problems, wrong("exec.api_version", problem,
			"Write the version that the plugin returns, \""+strings.Join(execAPIVersions, "\" or \"")+"\".")...)
	}
	return problems
}

const noProxy = "is not an absolute http, https or socks5 URL"

func isProxy(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && slices.Contains([]string{"http", "https", "socks5"}, u.Scheme)
}

func (c Config) validateProxy() []FieldProblem {
	if c.ProxyURL == "" || isProxy(c.ProxyURL) {
		return nil
	}
	return wrong("proxy_url", noProxy+".", "Write `proxy_url = \"http://proxy.example.com:3128\"` for instance.")
}

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
	const unchecked = "anybody who can intercept the connection can pretend to be the API server, read the " +
		"credentials and every Secret, and change what is applied."
	switch {
	case isPlain(config):
		return wrong(attribute, inFile+"does not start with https://: anybody on the network path can read and "+
			"change all that is sent, credentials and Secrets included.", "Write the https address of the API server.")
	case c.Insecure:
		return wrong("insecure", "leaves the API server's certificate unchecked: "+unchecked,
			"Remove it, and set the certificate's authority in `cluster_ca_certificate` or in the kubeconfig. If only "+
				"the name differs, set `tls_server_name`.")
	case cluster.InsecureSkipTLSVerify:
		return wrong(attribute, skips+"leaves the API server's certificate unchecked: "+unchecked,
			"Replace it with certificate-authority-data in the kubeconfig.")
	}
	return nil
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
