package connect

import (
	"cmp"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"k8s.io/client-go/rest"
)

// tokenFile reads the file that c takes its token from once, and returns its path; "" if c names no file. The token
// file of a kubeconfig is not c's own.
func (c Config) tokenFile() (string, []FieldProblem) {
	switch {
	case c.InCluster:
		path := filepath.Join(serviceAccountDirectory, "token")
		if _, err := readToken(path); err != nil {
			return "", []FieldProblem{noServiceAccount(path, err)}
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
		return "", []FieldProblem{
			{Attribute: "token_file", Problem: "names \"" + path + "\", " + reasonOf(err) + ".",
				Suggestion: suggestion},
		}
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
		return nil, []FieldProblem{{
			Attribute: attribute, Problem: verb + " the tokenFile \"" + path + "\", " + reasonOf(err) + ".",
			Suggestion: "Correct the path, or write the file first.",
		}}
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
