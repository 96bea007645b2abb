// Command terraform-provider-k8sconnect is the Terraform provider k8sconnect.
package main

import (
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/serve"
)

// version is set by the linker for a release.
var version = "dev"

func main() {
	debug := flag.Bool("debug", false, "serve until interrupted, for a debugger; prints the TF_REATTACH_PROVIDERS "+
		"to use")
	flag.Parse()
	var options []tf6server.ServeOpt
	if *debug {
		options = append(options, tf6server.WithManagedDebug())
	}
	if err := serve.Serve(version, options...); err != nil {
		log.Fatal(err)
	}
}
