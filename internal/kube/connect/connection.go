package connect

import (
	"net/http"

	"k8s.io/client-go/rest"
)

// Connection is an Endpoint with the HTTP client that reaches it.
type Connection struct {
	Endpoint
	// HTTP runs the credential plugin where the connection has one.
	HTTP   *http.Client
	plugin *pluginTransport
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
	client, plugin, err := aroundPlugin(config)
	if err != nil {
		return nil, Unusable(err)
	}
	return &Connection{Endpoint: target, HTTP: client, plugin: plugin}, nil
}

// Blame returns a *PluginError for a wait that has timed out while the credential plugin was running, else err.
func (c *Connection) Blame(err error) error { return c.plugin.blame(err) }

// aroundPlugin makes an HTTP client for a configuration. plugin is nil where that has none.
func aroundPlugin(config *rest.Config) (client *http.Client, plugin *pluginTransport, err error) {
	if config.ExecProvider == nil {
		client, err = rest.HTTPClientFor(config)
		return client, nil, err
	}
	config = rest.CopyConfig(config)
	config.Wrap(func(network http.RoundTripper) http.RoundTripper { return networkTransport{network} })
	if client, err = rest.HTTPClientFor(config); err != nil {
		return nil, nil, err
	}
	plugin = &pluginTransport{command: config.ExecProvider.Command, patience: pluginPatience, inner: client.Transport}
	client.Transport = plugin
	return client, plugin, nil
}
