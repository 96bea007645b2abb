package connect

import (
	"crypto/tls"
	"net/url"
	"slices"
	"strings"

	certutil "k8s.io/client-go/util/cert"
)

// execAPIVersions are the credential plugin protocols that client-go speaks.
var execAPIVersions = []string{"client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"}

func (c Config) validateCA() []FieldProblem {
	if c.ClusterCACertificate == "" {
		return nil
	}
	var problems []FieldProblem
	if ca, err := decodePEM(c.ClusterCACertificate); err != nil {
		problems = append(problems, notPEM("cluster_ca_certificate", "a certificate"))
	} else if _, err := certutil.ParseCertsPEM(ca); err != nil {
		problems = append(problems, notPEM("cluster_ca_certificate", "a certificate"))
	}
	if c.Insecure {
		problems = append(problems, FieldProblem{
			Attribute:  "insecure",
			Problem:    "is true together with `cluster_ca_certificate`: the certificate would never be used.",
			Suggestion: "Remove one of the two; without `insecure` the server's certificate is checked.",
		})
	}
	return problems
}

func (c Config) validateClientCertificate() []FieldProblem {
	switch {
	case c.ClientCertificate == "" && c.ClientKey == "":
		return nil
	case c.ClientKey == "":
		return []FieldProblem{unpaired("client_certificate", "client_key")}
	case c.ClientCertificate == "":
		return []FieldProblem{unpaired("client_key", "client_certificate")}
	}
	var problems []FieldProblem
	certificate, err := decodePEM(c.ClientCertificate)
	if err != nil {
		problems = append(problems, notPEM("client_certificate", "a certificate"))
	}
	key, err := decodePEM(c.ClientKey)
	if err != nil {
		problems = append(problems, notPEM("client_key", "a private key"))
	}
	if len(problems) > 0 {
		return problems
	}
	if _, err := tls.X509KeyPair(certificate, key); err != nil {
		return []FieldProblem{{
			Attribute: "client_key", Problem: "and `client_certificate` are not a pair: " + err.Error() + ".",
			Suggestion: "Set the key that the certificate was issued for.",
		}}
	}
	return nil
}

func notPEM(attribute, what string) FieldProblem {
	return FieldProblem{
		Attribute: attribute,
		Problem:   "is not " + what + " in PEM, nor base64 of one.",
		Suggestion: "Set the PEM text that starts with `-----BEGIN`, `file(\"...\")` of it, or the base64 from a " +
			"kubeconfig.",
	}
}

func unpaired(given, missing string) FieldProblem {
	return FieldProblem{
		Attribute: given, Problem: "is set without `" + missing + "`: a client certificate needs both.",
		Suggestion: "Set `" + missing + "` as well.",
	}
}

func (c Config) validateExec() []FieldProblem {
	if c.Exec == nil {
		return nil
	}
	var problems []FieldProblem
	if c.Exec.Command == "" {
		problems = append(problems, FieldProblem{
			Attribute: "exec.command", Problem: "is empty.",
			Suggestion: "Name the credential plugin to run, `command = \"aws\"` for instance.",
		})
	}
	if !slices.Contains(execAPIVersions, c.Exec.APIVersion) {
		problem := "is empty."
		if c.Exec.APIVersion != "" {
			problem = "is \"" + c.Exec.APIVersion + "\", which is not supported."
		}
		problems = append(problems, FieldProblem{
			Attribute: "exec.api_version",
			Problem:   problem,
			Suggestion: "Write the version that the plugin returns, \"" + strings.Join(execAPIVersions, "\" or \"") +
				"\".",
		})
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
	return []FieldProblem{{
		Attribute: "proxy_url", Problem: noProxy + ".",
		Suggestion: "Write `proxy_url = \"http://proxy.example.com:3128\"` for instance.",
	}}
}
