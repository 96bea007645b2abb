// Command terraform-provider-k8sconnect is the Terraform provider k8sconnect, and the report of a plan.
package main

import (
	"flag"
	"log"
	"os"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report/command"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/serve"
)

// version is set by the linker for a release.
var version = "dev"

func main() {
	if len(os.Args) > 1 && os.Args[1] == "report" {
		os.Exit(command.Run(os.Args[2:], os.Stdout, os.Stderr))
	}
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
