package connect

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"k8s.io/client-go/rest"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
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

// sending holds the data about a request that the log shows in addition to the request itself.
type sending struct {
	object   string
	attempts atomic.Int32
}

type sendingKey struct{}

// Sending returns the context of a request and its repetitions: the log counts them, and names the object.
func Sending(ctx context.Context, object string) context.Context {
	return context.WithValue(ctx, sendingKey{}, &sending{object: object})
}

// SendingOf returns the object that the requests of a context are about; "" if it is not known.
func SendingOf(ctx context.Context) string {
	if of, is := ctx.Value(sendingKey{}).(*sending); is {
		return of.object
	}
	return ""
}

// logRequest writes a line about a request: "PATCH Deployment shop/web (apps/v1) (dry-run) 201 34ms". It has neither
// bodies nor headers, and of the query only whether the request is a dry-run or a watch.
func logRequest(request *http.Request, response *http.Response, err error, took time.Duration) {
	log := cluster.Log(request.Context()).V(cluster.Steps)
	if !log.Enabled() {
		return
	}
	what, outcome := request.URL.Path, "failed"
	var marks []string
	query := request.URL.Query()
	if query.Get("dryRun") != "" {
		marks = append(marks, "dry-run")
	}
	if query.Get("watch") == "true" {
		marks = append(marks, "watch")
	}
	if of, is := request.Context().Value(sendingKey{}).(*sending); is {
		what = cmp.Or(of.object, what)
		if attempt := of.attempts.Add(1); attempt > 1 {
			marks = append(marks, fmt.Sprintf("attempt %d", attempt))
		}
	}
	if len(marks) > 0 {
		what += " (" + strings.Join(marks, ", ") + ")"
	}
	if err == nil {
		outcome = strconv.Itoa(response.StatusCode)
	}
	line := fmt.Sprintf("%s %s %s %dms", request.Method, what, outcome, took.Milliseconds())
	if err != nil {
		line += ": " + err.Error()
	}
	log.Info(line, "path", request.URL.Path, "server", HostOf(request.URL))
}
