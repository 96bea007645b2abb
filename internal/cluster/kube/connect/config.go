package connect

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/client-go/rest"
)

// Config describes how to reach one cluster, and as whom. Exactly one of Kubeconfig, ConfigPath, Host and InCluster is
// set. ProxyURL, TLSServerName and Insecure are valid with each of them; the other fields only with Host. An empty
// string is an attribute that is not set.
type Config struct {
	// Kubeconfig is the content of a kubeconfig file.
	Kubeconfig string `tfsdk:"kubeconfig"`
	// ConfigPath is the path of a kubeconfig file; a leading ~ is the home directory.
	ConfigPath string `tfsdk:"config_path"`
	// Context is the kubeconfig's context to use, its current-context where empty.
	Context string `tfsdk:"context"`
	// Namespace is the namespace of objects that name none, instead of the context's.
	Namespace string `tfsdk:"namespace"`

	// Host is the API server's URL.
	Host string `tfsdk:"host"`
	// ClusterCACertificate, ClientCertificate and ClientKey are PEM, or base64 of PEM as a kubeconfig
	// carries it.
	ClusterCACertificate string `tfsdk:"cluster_ca_certificate"`
	ClientCertificate    string `tfsdk:"client_certificate"`
	ClientKey            string `tfsdk:"client_key"`
	Token                string `tfsdk:"token"`
	// TokenFile is the path of a file with a token, which may change; a leading ~ is the home directory.
	TokenFile string `tfsdk:"token_file"`
	// Exec runs a credential plugin; nil for none.
	Exec *ExecConfig `tfsdk:"exec"`

	// InCluster is the cluster of the pod that this process runs in, with the pod's service account.
	InCluster bool `tfsdk:"in_cluster"`

	// ProxyURL is an http, https or socks5 URL.
	ProxyURL string `tfsdk:"proxy_url"`
	// TLSServerName is the name that the server's certificate is checked against.
	TLSServerName string `tfsdk:"tls_server_name"`
	// Insecure leaves the server's certificate unchecked.
	Insecure bool `tfsdk:"insecure"`
}

// ExecConfig is a client-go credential plugin.
type ExecConfig struct {
	APIVersion string `tfsdk:"api_version"`
	Command    string `tfsdk:"command"`
	// Empty ones are like nil in a digest.
	Args []string          `tfsdk:"args" json:",omitempty"`
	Env  map[string]string `tfsdk:"env" json:",omitempty"`
}

// FieldProblem is one thing that is wrong with a Config.
type FieldProblem struct {
	// Attribute is the attribute concerned, "host" or "exec.command"; "" for the connection as a whole.
	Attribute string
	// Problem completes the sentence that the attribute's name starts. It holds no credential.
	Problem string
	// Suggestion is a sentence that tells the user what to write instead.
	Suggestion string
}

// String returns the problem as one line.
func (p FieldProblem) String() string {
	if p.Attribute == "" {
		return p.Problem + " " + p.Suggestion
	}
	return fmt.Sprintf("`%s` %s %s", p.Attribute, p.Problem, p.Suggestion)
}

// wrong returns the only problem of an attribute; "" is the connection as a whole.
func wrong(attribute, problem, suggestion string) []FieldProblem {
	return []FieldProblem{{Attribute: attribute, Problem: problem, Suggestion: suggestion}}
}

// ConfigError is a Config that no client can be made from.
type ConfigError struct {
	Problems []FieldProblem
}

func (e *ConfigError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Unusable returns the error of a configuration that passed Validate, but that client-go refuses.
func Unusable(err error) *ConfigError {
	return &ConfigError{Problems: wrong("", "The connection cannot be used: "+err.Error()+".",
		"Correct the connection.")}
}

// Digest returns the same string only for equal configurations, and reveals none of their credentials.
func (c Config) Digest() (string, error) {
	text, err := json.Marshal(c) //nolint:gosec // It is hashed, and kept nowhere.
	if err != nil {
		return "", fmt.Errorf("digest of the connection: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// serverURL returns the URL that client-go sends requests to. It completes one without a scheme. The error quotes the
// server.
func serverURL(config *rest.Config) (*url.URL, error) {
	server, _, err := rest.DefaultServerUrlFor(config)
	return server, err
}

// expandHome returns the path that an attribute names, with a leading ~ replaced by the home directory.
func expandHome(attribute, path string) (string, []FieldProblem) {
	rest, inHome := strings.CutPrefix(path, "~")
	if !inHome || (rest != "" && !os.IsPathSeparator(rest[0])) {
		return path, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", wrong(attribute, "starts with `~`, and the home directory is not known: "+err.Error()+".",
			"Write the whole path.")
	}
	return filepath.Join(home, rest), nil
}

var errNoPEM = errors.New("neither PEM nor base64 of PEM")

// decodePEM returns the PEM string of an attribute that holds PEM, or base64 of PEM.
func decodePEM(text string) ([]byte, error) {
	data := []byte(strings.TrimSpace(text))
	if !bytes.Contains(data, []byte("-----BEGIN ")) {
		decoded, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
		if err != nil {
			return nil, errNoPEM
		}
		data = decoded
	}
	if block, _ := pem.Decode(data); block == nil {
		return nil, errNoPEM
	}
	return append(data, '\n'), nil
}
