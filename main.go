// Command terraform-provider-k8sconnect is the Terraform provider k8sconnect.
package main

import (
	"flag"
	"log"

	"github.com/go-logr/logr"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"k8s.io/klog/v2"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider"
)

// version is set by the linker for a release.
var version = "dev"

func main() {
	debug := flag.Bool("debug", false, "serve until interrupted, for a debugger; prints the TF_REATTACH_PROVIDERS to use")
	flag.Parse()
	setSDKLogLevel()
	tuneGC()
	// client-go logs what a credential plugin printed where it cannot be read.
	klog.SetLogger(logr.Discard())
	var options []tf6server.ServeOpt
	if *debug {
		options = append(options, tf6server.WithManagedDebug())
	}
	err := tf6server.Serve("registry.terraform.io/k8sconnect/k8sconnect", provider.NewServer(version), options...)
	if err != nil {
		log.Fatal(err)
	}
}
