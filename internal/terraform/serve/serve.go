package serve

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
)

// Address is what configurations name in required_providers, with the default registry's host.
const Address = "registry.terraform.io/k8sconnect/k8sconnect"

// Serve serves the provider of that version until the CLI ends it. It returns the error that kept it from serving.
func Serve(version string, options ...tf6server.ServeOpt) error {
	setSDKLogLevel()
	tuneGC()
	logRequests()
	servers := NewServer(version)
	// No plugin is left running when the CLI has ended the provider.
	defer connect.StopPlugins()
	return tf6server.Serve(Address, func() tfprotov6.ProviderServer { return servers() }, options...)
}
