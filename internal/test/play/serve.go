package play

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
)

// served are running instances of providers.
type served struct {
	t *testing.T
	// variable makes the CLI use them.
	variable string
	cancel   context.CancelFunc
	running  sync.WaitGroup
}

// reattach is how the CLI finds a running provider.
type reattach struct {
	Protocol        string
	ProtocolVersion int
	Pid             int
	Test            bool
	Addr            struct{ Network, String string }
}

// serve starts an instance of each provider in this process.
func (p *player) serve(ctx context.Context) (*served, error) {
	ctx, cancel := context.WithCancel(ctx)
	s := &served{t: p.t, cancel: cancel}
	all := map[string]reattach{}
	for name, factory := range p.Providers {
		address := p.address(name)
		found, err := s.start(ctx, address, factory)
		if err != nil {
			s.stop()
			return nil, fmt.Errorf("serve the provider %s: %w", name, err)
		}
		all[address] = found
	}
	text, err := json.Marshal(all)
	s.variable = "TF_REATTACH_PROVIDERS=" + string(text)
	return s, err
}

// startTimeout bounds the start of a provider in this process.
const startTimeout = 30 * time.Second

func (s *served) start(
	ctx context.Context, address string, factory func() (tfprotov6.ProviderServer, error),
) (reattach, error) {
	server, err := factory()
	if err != nil {
		return reattach{}, err
	}
	found, closed := make(chan *plugin.ReattachConfig), make(chan struct{})
	silent := hclog.New(&hclog.LoggerOptions{Output: io.Discard})
	s.running.Go(func() {
		_ = tf6server.Serve(address, func() tfprotov6.ProviderServer { return server },
			tf6server.WithDebug(ctx, found, closed), tf6server.WithGoPluginLogger(silent),
			tf6server.WithoutLogStderrOverride(), tf6server.WithLoggingSink(s.t))
	})
	select {
	case config := <-found:
		if config == nil {
			return reattach{}, errors.New("it did not start")
		}
		at := reattach{
			Protocol: string(config.Protocol), ProtocolVersion: config.ProtocolVersion,
			Pid: config.Pid, Test: config.Test,
		}
		at.Addr.Network, at.Addr.String = config.Addr.Network(), config.Addr.String()
		return at, nil
	case <-time.After(startTimeout):
		return reattach{}, errors.New("it did not start in time")
	}
}

// stop ends the instances and waits until they have ended.
func (s *served) stop() {
	s.cancel()
	s.running.Wait()
}
