package connect

import (
	"net/http"
	"net/url"
	"path/filepath"

	"k8s.io/client-go/rest"
)

// Connection is an Endpoint with the HTTP client that reaches it.
type Connection struct {
	Endpoint
	// HTTP is the client of all requests. It runs the credential plugin if the connection has one, follows no redirect,
	// and bounds what it reads of an answer.
	HTTP *http.Client
	// Credentials is their kind, in words.
	Credentials string
	plugin      *plugin
}

// Open returns the connection that cfg describes. It reads the files that cfg names and sends nothing. The error is a
// *ConfigError.
func Open(cfg Config, opts Options) (*Connection, error) {
	target, err := cfg.endpoint(opts)
	if err != nil {
		return nil, err
	}
	config, problems := cfg.withTokenFile(target.REST)
	if len(problems) > 0 {
		return nil, &ConfigError{Problems: problems}
	}
	asked, err := pluginOf(config)
	if err != nil {
		return nil, Unusable(err)
	}
	client, err := httpClient(config, asked)
	if err != nil {
		return nil, Unusable(err)
	}
	// target has the token file of a kubeconfig, which config lacks by now.
	return &Connection{Endpoint: target, HTTP: client, Credentials: cfg.credentialKind(target.REST), plugin: asked}, nil
}

// credentialKind returns what a configuration proves its user with.
func (c Config) credentialKind(config *rest.Config) string {
	path, _ := c.tokenFile()
	switch {
	case config.ExecProvider != nil:
		return "the credential plugin " + filepath.Base(config.ExecProvider.Command)
	case c.InCluster:
		return "the service account of the pod"
	case path != "" || config.BearerTokenFile != "":
		return "a token file"
	case config.BearerToken != "":
		return "a token"
	case hasCertificate(config):
		return "a client certificate"
	case config.Username != "":
		return "a user name and a password"
	}
	return "none"
}

// Unanswered returns the error of a wait for the server that ended with err. It names the server, or is a *PluginError
// if the wait has timed out while the credential plugin was running.
func (c *Connection) Unanswered(err error) error {
	if c.plugin != nil {
		err = c.plugin.blame(err, c.plugin.underWay())
	}
	server, parseErr := serverURL(c.REST)
	if parseErr != nil {
		return err
	}
	return &url.Error{Op: http.MethodGet, URL: HostOf(server), Err: err}
}

// httpClient makes the HTTP client of a configuration. asked is its credential plugin, or nil.
func httpClient(config *rest.Config, asked *plugin) (*http.Client, error) {
	open := rest.TransportFor
	if asked != nil {
		open = asked.over
	}
	inner, err := open(config)
	if err != nil {
		return nil, err
	}
	nameProxies(inner)
	// guard has refused each redirect before.
	refuse := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &http.Client{Transport: &guard{inner}, Timeout: config.Timeout, CheckRedirect: refuse}, nil
}
