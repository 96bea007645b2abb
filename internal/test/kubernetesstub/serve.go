package kubernetesstub

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
)

// registries are the hosts in provider addresses of Terraform and of OpenTofu.
var registries = []string{"registry.terraform.io/", "registry.opentofu.org/"}

// Serve serves providers until the test ends, and returns the environment variable that tells a CLI where.
func Serve(t *testing.T, providers ...Provider) (variable string, err error) {
	t.Helper()
	servers := map[string]tfprotov6.ProviderServer{}
	for _, provider := range providers {
		if servers[provider.address], err = provider.Server(); err != nil {
			return "", err
		}
	}
	return ServeAll(t, servers)
}

// ServeAll serves several providers, as Serve does one. The keys of servers are addresses: a namespace and a type.
func ServeAll(t *testing.T, servers map[string]tfprotov6.ProviderServer) (variable string, err error) {
	t.Helper()
	reattach := map[string]any{}
	for address, server := range servers {
		if err := serve(t, address, server, reattach); err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(reattach)
	return "TF_REATTACH_PROVIDERS=" + string(text), err
}

// serve serves one provider, and adds what a CLI needs to know of it to reattach.
func serve(t *testing.T, address string, server tfprotov6.ProviderServer, reattach map[string]any) error {
	t.Helper()
	started, ended := make(chan *plugin.ReattachConfig, 1), make(chan struct{})
	failed := make(chan error, 1)
	go func() {
		failed <- tf6server.Serve(registries[0]+address, func() tfprotov6.ProviderServer { return server },
			tf6server.WithDebug(t.Context(), started, ended), tf6server.WithoutLogStderrOverride(),
			tf6server.WithLoggingSink(t),
			tf6server.WithGoPluginLogger(hclog.NewNullLogger()))
	}()
	var config *plugin.ReattachConfig
	select {
	case config = <-started:
	case err := <-failed:
		return err
	}
	for _, registry := range registries {
		reattach[registry+address] = map[string]any{
			"Protocol": config.Protocol, "ProtocolVersion": config.ProtocolVersion, "Pid": config.Pid,
			"Test": config.Test,
			"Addr": map[string]string{"Network": config.Addr.Network(), "String": config.Addr.String()},
		}
	}
	return nil
}
