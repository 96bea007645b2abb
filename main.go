// Command terraform-provider-k8sconnect is the Terraform provider k8sconnect, the report of a plan, and, also under the
// name kubectl-owners, the plugin kubectl owners.
package main

import (
	"context"
	"flag"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	owners "github.com/k8sconnect/terraform-provider-k8sconnect/internal/owners/command"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/report/command"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/serve"
)

// version is set by the linker for a release.
var version = "dev"

func main() {
	if args, is := ownersArgs(os.Args); is {
		os.Exit(owners.Run(context.Background(), args, os.Stdout, os.Stderr))
	}
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

// ownersArgs returns the arguments of kubectl owners, and false if the program is not called as that.
func ownersArgs(args []string) ([]string, bool) {
	switch {
	case strings.TrimSuffix(filepath.Base(args[0]), ".exe") == "kubectl-owners":
		return args[1:], true
	case len(args) > 1 && args[1] == "owners":
		return args[2:], true
	}
	return nil, false
}
