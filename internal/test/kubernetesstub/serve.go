package kubernetesstub

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
)

// addresses are those of the provider with Terraform and with OpenTofu.
var addresses = []string{"registry.terraform.io/hashicorp/kubernetes", "registry.opentofu.org/hashicorp/kubernetes"}

// Serve serves the provider until the test ends, and returns the environment variable that tells a CLI where.
func Serve(t *testing.T) (variable string, err error) {
	provider, err := New()
	if err != nil {
		return "", err
	}
	started, ended := make(chan *plugin.ReattachConfig, 1), make(chan struct{})
	failed := make(chan error, 1)
	go func() {
		failed <- tf6server.Serve(addresses[0], func() tfprotov6.ProviderServer { return provider },
			tf6server.WithDebug(t.Context(), started, ended), tf6server.WithoutLogStderrOverride(), tf6server.WithLoggingSink(t),
			tf6server.WithGoPluginLogger(hclog.NewNullLogger()))
	}()
	var config *plugin.ReattachConfig
	select {
	case config = <-started:
	case err := <-failed:
		return "", err
	}
	reattach := map[string]any{}
	for _, address := range addresses {
		reattach[address] = map[string]any{
			"Protocol": config.Protocol, "ProtocolVersion": config.ProtocolVersion, "Pid": config.Pid, "Test": config.Test,
			"Addr": map[string]string{"Network": config.Addr.Network(), "String": config.Addr.String()},
		}
	}
	text, err := json.Marshal(reattach)
	return "TF_REATTACH_PROVIDERS=" + string(text), err
}
