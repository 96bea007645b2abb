package kube

import (
	"sync"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
)

// Pool keeps one Client per distinct connect.Config for the life of the process. All resources of one cluster share its
// connections and its discovery. It is safe for concurrent use.
type Pool struct {
	opts connect.Options

	mu      sync.Mutex
	clients map[string]*Client
}

// NewPool makes an empty pool.
func NewPool(opts connect.Options) *Pool {
	return &Pool{opts: opts, clients: map[string]*Client{}}
}

// Client returns the client of cfg, which the first call creates. It reads the file that cfg names and
// sends nothing. The error is a *connect.ConfigError; it is not cached, because the file may be written later.
func (p *Pool) Client(cfg connect.Config) (*Client, error) {
	key, err := cfg.Digest()
	if err != nil {
		return nil, connect.Unusable(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if client, found := p.clients[key]; found {
		return client, nil
	}
	client, err := newClient(cfg, p.opts)
	if err != nil {
		return nil, err
	}
	p.clients[key] = client
	return client, nil
}
