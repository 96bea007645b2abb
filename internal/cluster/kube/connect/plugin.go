package connect

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/pkg/apis/clientauthentication"
	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	clienttransport "k8s.io/client-go/transport"
	"k8s.io/client-go/util/connrotation"
)

// pluginPatience is the longest time that a credential plugin may run. It is shorter than the default timeouts, whose
// errors would not name the plugin.
const pluginPatience = 45 * time.Second

// PluginError is a credential plugin that gave no credentials. The request was not sent, or the server refused earlier
// credentials.
type PluginError struct {
	command string
	problem string
}

func (e *PluginError) Error() string {
	return fmt.Sprintf("the credential plugin %q gave no credentials: %s", e.command, e.problem)
}

// plugin is a credential plugin and the credentials that it gave last. It runs at most once at a time.
type plugin struct {
	config *clientcmdapi.ExecConfig
	// cluster is the data about the cluster that the plugin gets; nil for none.
	cluster  *clientauthentication.Cluster
	version  schema.GroupVersion
	patience time.Duration
	// ask runs the plugin. It ends when ctx does.
	ask func(ctx context.Context) (*credentials, error)
	// connections are closed when the plugin gives another certificate.
	connections *connrotation.ConnectionTracker

	mu      sync.Mutex
	current *credentials
	// run is the run under way; nil without one.
	run *pluginRun
}

// pluginRun is a run of a plugin. got and err are set when done is closed.
type pluginRun struct {
	done chan struct{}
	// stop ends the run.
	stop context.CancelFunc
	// waiting is how many requests wait for the run.
	waiting int
	got     *credentials
	err     error
}

// plugins are the plugins of the process. Connections with the same plugin share its credentials, as they do in
// client-go.
var plugins sync.Map

// pluginOf returns the plugin that a configuration takes its credentials from; nil without one. As in client-go, other
// credentials replace it.
func pluginOf(config *rest.Config) (*plugin, error) {
	if config.ExecProvider == nil || config.BearerToken != "" || config.BearerTokenFile != "" ||
		config.Username != "" ||
		hasCertificate(config) {
		return nil, nil
	}
	p := &plugin{
		config: config.ExecProvider, patience: pluginPatience, connections: connrotation.NewConnectionTracker(),
	}
	var err error
	if p.version, err = schema.ParseGroupVersion(p.config.APIVersion); err != nil ||
		!slices.Contains(execAPIVersions, p.config.APIVersion) {
		return nil, fmt.Errorf("exec plugin: invalid apiVersion %q", p.config.APIVersion)
	}
	if p.config.ProvideClusterInfo {
		if p.cluster, err = rest.ConfigToExecCluster(config); err != nil {
			return nil, err
		}
	}
	key, err := json.Marshal([]any{p.config, p.cluster})
	if err != nil {
		return nil, err
	}
	p.ask = p.askCommand
	shared, _ := plugins.LoadOrStore(string(key), p)
	p, _ = shared.(*plugin)
	return p, nil
}

func hasCertificate(config *rest.Config) bool {
	return (len(config.CertData) != 0 || config.CertFile != "") && (len(config.KeyData) != 0 || config.KeyFile != "")
}

// over returns the transport of a configuration whose credentials come from the plugin.
func (p *plugin) over(config *rest.Config) (http.RoundTripper, error) {
	config = rest.CopyConfig(config)
	// With it, client-go would run the plugin, too.
	config.ExecProvider = nil
	settings, err := config.TransportConfig()
	if err != nil {
		return nil, err
	}
	dial := (&net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second}).DialContext
	if config.Dial != nil {
		dial = config.Dial
	}
	settings.DialHolder = &clienttransport.DialHolder{
		Dial: connrotation.NewDialerWithTracker(dial, p.connections).DialContext,
	}
	settings.TLS.GetCertHolder = &clienttransport.GetCertHolder{GetCert: p.certificate}
	settings.Wrap(func(network http.RoundTripper) http.RoundTripper { return &pluginTransport{p, network} })
	return clienttransport.New(settings)
}

// certificate returns the client certificate of the credentials; nil without one.
func (p *plugin) certificate() (*tls.Certificate, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.current == nil {
		return nil, nil
	}
	return p.current.certificate, nil
}

// get returns credentials that have not expired and are not those that the server refused; nil for no refused ones. It
// waits for the plugin until ctx ends. A run that no request waits for is stopped.
func (p *plugin) get(ctx context.Context, refused *credentials) (*credentials, error) {
	p.mu.Lock()
	// If the server refuses the same credentials for many requests, the first of them has renewed them for all.
	if p.current != nil && p.current != refused && !p.current.expired() {
		defer p.mu.Unlock()
		return p.current, nil
	}
	if p.run == nil {
		p.start()
	}
	run := p.run
	run.waiting++
	p.mu.Unlock()
	select {
	case <-run.done:
		return run.got, run.err
	case <-ctx.Done():
		p.leave(run)
		return nil, p.blame(ctx.Err(), run)
	}
}

// start begins a run. The caller holds the lock.
func (p *plugin) start() {
	ctx, stop := context.WithTimeout(context.Background(), p.patience)
	run := &pluginRun{done: make(chan struct{}), stop: stop}
	p.run = run
	go func() {
		defer stop()
		got, err := p.ask(ctx)
		if ctx.Err() != nil {
			got, err = nil, p.tooSlow()
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		// leave may have given up this run, and another one may be under way by then.
		if p.run == run {
			p.run = nil
		}
		if run.got, run.err = got, err; err == nil {
			p.keep(got)
		}
		close(run.done)
	}()
}

// leave ends the wait of one request.
func (p *plugin) leave(run *pluginRun) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if run.waiting--; run.waiting > 0 {
		return
	}
	run.stop()
	if p.run == run {
		p.run = nil
	}
}

// keep stores credentials. Connections with another certificate are closed. The caller holds the lock.
func (p *plugin) keep(got *credentials) {
	before := p.current
	p.current = got
	// An open connection keeps the certificate of its handshake.
	if before != nil && !slices.EqualFunc(before.chain(), got.chain(), bytes.Equal) {
		p.connections.CloseAll()
	}
}

// tooSlow returns the error of a plugin that does not end.
func (p *plugin) tooSlow() error { return p.problem("it has not ended in time") }

func (p *plugin) problem(problem string) error { return &PluginError{p.config.Command, problem} }

// blame returns the plugin's error for a wait for a run that has timed out, else err.
func (p *plugin) blame(err error, run *pluginRun) error {
	if run == nil || !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return p.tooSlow()
}

func (p *plugin) underWay() *pluginRun {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.run
}

// pluginTransport sends requests with the credentials of a plugin.
type pluginTransport struct {
	plugin  *plugin
	network http.RoundTripper
}

// RoundTrip implements http.RoundTripper. A request whose credentials the server refuses is sent once more, with other
// ones.
func (t *pluginTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	given, err := t.plugin.get(request.Context(), nil)
	if err != nil {
		return nil, err
	}
	response, err := t.network.RoundTrip(given.in(request))
	if err != nil || response.StatusCode != http.StatusUnauthorized {
		return response, err
	}
	again, ok := afresh(request)
	if !ok {
		return response, nil
	}
	_ = response.Body.Close()
	if given, err = t.plugin.get(request.Context(), given); err != nil {
		return nil, err
	}
	return t.network.RoundTrip(given.in(again))
}

// WrappedRoundTripper lets client-go look inside.
func (t *pluginTransport) WrappedRoundTripper() http.RoundTripper { return t.network }

// afresh returns a request to be sent a second time; false where its body cannot be.
func afresh(request *http.Request) (again *http.Request, ok bool) {
	again = request.Clone(request.Context())
	if request.Body == nil || request.Body == http.NoBody {
		return again, true
	}
	if request.GetBody == nil {
		return nil, false
	}
	body, err := request.GetBody()
	again.Body = body
	return again, err == nil
}
