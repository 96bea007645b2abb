package connect

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/pkg/apis/clientauthentication"
	"k8s.io/client-go/pkg/apis/clientauthentication/install"
	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// credentialCodecs read and write ExecCredential.
var credentialCodecs = func() serializer.CodecFactory {
	scheme := runtime.NewScheme()
	install.Install(scheme)
	return serializer.NewCodecFactory(scheme)
}()

// credentials are what a plugin gave.
type credentials struct {
	token       string
	certificate *tls.Certificate
	// expires is when they expire; zero for never.
	expires time.Time
}

func (c *credentials) expired() bool { return !c.expires.IsZero() && time.Now().After(c.expires) }

// chain returns the certificates in DER.
func (c *credentials) chain() [][]byte {
	if c.certificate == nil {
		return nil
	}
	return c.certificate.Certificate
}

// in returns a request with the credentials.
func (c *credentials) in(request *http.Request) *http.Request {
	if c.token == "" {
		return request
	}
	return bearing(c.token, request)
}

// execInfo is the variable in which a plugin finds the ExecCredential that it has to complete.
const execInfo = "KUBERNETES_EXEC_INFO"

// askCommand runs the plugin and reads its credentials.
func (p *plugin) askCommand(ctx context.Context) (*credentials, error) {
	if p.config.InteractiveMode == clientcmdapi.AlwaysExecInteractiveMode {
		return nil, p.problem("it needs a terminal (interactiveMode: Always), and Terraform runs providers without a " +
			"terminal")
	}
	request, err := runtime.Encode(credentialCodecs.LegacyCodec(p.version), &clientauthentication.ExecCredential{
		Spec: clientauthentication.ExecCredentialSpec{Cluster: p.cluster},
	})
	if err != nil {
		return nil, p.problem("its input cannot be written")
	}
	environment := os.Environ()
	for _, variable := range p.config.Env {
		environment = append(environment, variable.Name+"="+variable.Value)
	}
	environment = append(environment, execInfo+"="+string(request))
	said, err := runCommand(ctx, p.config.Command, p.config.Args, environment)
	if said.stderr.kept.Len() > 0 {
		cluster.Log(ctx).V(cluster.Steps).Info(fmt.Sprintf("Credential plugin %s wrote to standard error",
			p.config.Command), "stderr", strings.TrimSpace(said.stderr.kept.String()), "bytes_left_out",
			said.stderr.dropped)
	}
	if err != nil {
		return nil, p.problem(commandProblem(p.config, err))
	}
	return p.read(said.stdout.kept.Bytes())
}

// commandProblem returns why the command of a plugin failed, without what it printed.
func commandProblem(config *clientcmdapi.ExecConfig, err error) string {
	command := config.Command
	var exited *exec.ExitError
	var unreadable *fs.PathError
	switch {
	case errors.Is(err, errTooMuchOutput):
		return err.Error()
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		hint := cmp.Or(strings.Join(strings.Fields(config.InstallHint), " "),
			"install it where Terraform runs, or write its whole path")
		return "executable " + command + " not found (" + hint + ")"
	case errors.As(err, &exited) && exited.Exited():
		return fmt.Sprintf("executable %s failed with exit code %d", command, exited.ExitCode())
	case errors.As(err, &unreadable):
		return "executable " + command + " cannot be started: " + unreadable.Err.Error()
	default:
		return "executable " + command + " failed: " + err.Error()
	}
}

// read returns the credentials in the output of the plugin. The error does not quote the output.
func (p *plugin) read(printed []byte) (*credentials, error) {
	var credential clientauthentication.ExecCredential
	_, kind, err := credentialCodecs.UniversalDecoder(p.version).Decode(printed, nil, &credential)
	switch status := credential.Status; {
	case err != nil, kind.Version == runtime.APIVersionInternal:
		return nil, p.problem("what it printed is not an ExecCredential")
	case kind.GroupVersion() != p.version:
		return nil, p.problem(
			fmt.Sprintf("it is configured to use API version %s, and it returned version %s: configure it to use that",
				p.version, kind.GroupVersion()),
		)
	case status == nil:
		return nil, p.problem("didn't return a status field")
	case status.Token == "" && status.ClientCertificateData == "" && status.ClientKeyData == "":
		return nil, p.problem("didn't return a token or cert/key pair")
	case (status.ClientCertificateData == "") != (status.ClientKeyData == ""):
		return nil, p.problem("returned only certificate or key, not both")
	case strings.ContainsFunc(status.Token, func(r rune) bool { return r < ' ' || r > '~' }):
		return nil, p.problem("the token that it returned has characters that a token cannot have")
	}
	given := &credentials{token: credential.Status.Token}
	if credential.Status.ExpirationTimestamp != nil {
		given.expires = credential.Status.ExpirationTimestamp.Time
	}
	if credential.Status.ClientCertificateData != "" {
		pair, err := tls.X509KeyPair([]byte(credential.Status.ClientCertificateData),
			[]byte(credential.Status.ClientKeyData))
		if err != nil {
			return nil, p.problem("the certificate and key that it returned cannot be used")
		}
		given.certificate = &pair
	}
	return given, nil
}

// tokenFile reads the file that c takes its token from once, and returns its path; "" if c names no file. The token
// file of a kubeconfig is not c's own.
func (c Config) tokenFile() (string, []FieldProblem) {
	switch {
	case c.InCluster:
		path := filepath.Join(serviceAccountDirectory, "token")
		if _, err := readToken(path); err != nil {
			return "", noServiceAccount(path, err)
		}
		return path, nil
	case c.TokenFile == "":
		return "", nil
	}
	path, problems := expandHome("token_file", c.TokenFile)
	if len(problems) > 0 {
		return "", problems
	}
	if _, err := readToken(path); err != nil {
		suggestion := "Correct the path, or write the file first. Relative paths start at the directory that " +
			"Terraform runs in."
		if !errors.Is(err, fs.ErrNotExist) {
			suggestion = "Set the path of a file that has a bearer token and nothing else, and that the user who " +
				"runs Terraform can read."
		}
		return "", wrong("token_file", "names \""+path+"\", "+reasonOf(err)+".", suggestion)
	}
	return path, nil
}

// The reasons why a file has no token, apart from those of the file system.
var (
	errEmptyToken = errors.New("is empty")
	errNoToken    = errors.New("has more than a bearer token")
)

// readToken returns the token in a file. The error does not show it.
func readToken(path string) (string, error) {
	content, err := os.ReadFile(path) //nolint:gosec // The configuration names the file.
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(content))
	switch {
	case token == "":
		return "", errEmptyToken
	case strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "", errNoToken
	}
	return token, nil
}

// reasonOf completes a sentence about a file with the reason why it cannot be used.
func reasonOf(err error) string {
	var unreadable *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "and there is no such file"
	case errors.As(err, &unreadable):
		return "which cannot be read: " + unreadable.Err.Error()
	default:
		return "which " + err.Error()
	}
}

// withTokenFile returns a configuration that takes its token from the file that c or its kubeconfig names, if any, and
// that follows the changes of this file.
func (c Config) withTokenFile(config *rest.Config) (*rest.Config, []FieldProblem) {
	path, problems := c.tokenFile()
	if len(problems) > 0 {
		return nil, problems
	}
	if path = cmp.Or(path, config.BearerTokenFile); path == "" || config.ExecProvider != nil {
		return config, nil
	}
	first, err := readToken(path)
	if err != nil {
		attribute, verb := "kubeconfig", "has"
		if c.ConfigPath != "" {
			attribute, verb = "config_path", "names a kubeconfig with"
		}
		return nil, wrong(attribute, verb+" the tokenFile \""+path+"\", "+reasonOf(err)+".",
			"Correct the path, or write the file first.")
	}
	config = rest.CopyConfig(config)
	// client-go reads the file at most once a minute, and does not send a request again after a 401.
	config.BearerToken, config.BearerTokenFile = "", ""
	config.Wrap(func(network http.RoundTripper) http.RoundTripper {
		follows := &tokenFileTransport{path: path, network: network}
		follows.last.Store(&first)
		return follows
	})
	return config, nil
}

type tokenFileTransport struct {
	path    string
	network http.RoundTripper
	// last is the token that was read last. It is used while the file has no usable token, for example while it is
	// being written.
	last atomic.Pointer[string]
}

// RoundTrip implements http.RoundTripper. A request whose token the server refuses is sent once more, if the file has
// another one by then.
func (t *tokenFileTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	token := t.token()
	response, err := t.network.RoundTrip(bearing(token, request))
	if err != nil || response.StatusCode != http.StatusUnauthorized {
		return response, err
	}
	renewed := t.token()
	if renewed == token {
		return response, nil
	}
	again, ok := afresh(request)
	if !ok {
		return response, nil
	}
	_ = response.Body.Close()
	return t.network.RoundTrip(bearing(renewed, again))
}

// WrappedRoundTripper lets client-go look inside.
func (t *tokenFileTransport) WrappedRoundTripper() http.RoundTripper { return t.network }

func (t *tokenFileTransport) token() string {
	token, err := readToken(t.path)
	if err != nil {
		return *t.last.Load()
	}
	t.last.Store(&token)
	return token
}

func bearing(token string, request *http.Request) *http.Request {
	request = request.Clone(request.Context())
	request.Header.Set("Authorization", "Bearer "+token)
	return request
}
