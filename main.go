// Command terraform-provider-k8sconnect is the Terraform provider k8sconnect, the report of a plan, also under a name
// that begins with k8sconnect-report, and, also under the name kubectl-owners, the plugin kubectl owners. It writes the
// schemas of a cluster into a folder, too.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	schemas "github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/openapi/command"
	owners "github.com/k8sconnect/terraform-provider-k8sconnect/internal/owners/command"
	report "github.com/k8sconnect/terraform-provider-k8sconnect/internal/report/command"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/serve"
)

// version is set by the linker for a release.
var version = "dev"

// commands are those of the program itself.
var commands = []string{"owners", "report", "schemas"}

const help = `terraform-provider-k8sconnect %s

Terraform and OpenTofu start this program as a provider. It has commands of its
own, too; each prints its flags with --help:

  report PLAN LOG    what a plan takes from other owners, for reviewers
  owners             who owns which fields of a cluster; also kubectl owners
  schemas --out DIR  the schemas of a cluster, for validation without it
  version            the version

Flags of the provider:
`

func main() {
	switch name, args := commandOf(os.Args); name {
	case "owners":
		os.Exit(owners.Run(context.Background(), args, os.Stdout, os.Stderr))
	case "report":
		os.Exit(report.Run(args, os.Stdout, os.Stderr))
	case "schemas":
		os.Exit(schemas.Run(context.Background(), args, os.Stdout, os.Stderr))
	}
	flag.Usage = func() {
		_, _ = fmt.Fprintf(os.Stderr, help, version)
		flag.PrintDefaults()
	}
	debug := flag.Bool("debug", false, "serve until interrupted, for a debugger; prints the TF_REATTACH_PROVIDERS "+
		"to use")
	flag.Parse()
	if flag.Arg(0) == "version" {
		_, _ = fmt.Fprintln(os.Stdout, version)
		return
	}
	if flag.NArg() > 0 {
		_, _ = fmt.Fprintf(os.Stderr, "%q is no command.\n\n", flag.Arg(0))
		flag.Usage()
		os.Exit(2)
	}
	var options []tf6server.ServeOpt
	if *debug {
		options = append(options, tf6server.WithManagedDebug())
	}
	if err := serve.Serve(version, options...); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// commandOf returns the command that the program is called as: owners, report, schemas, or "" for the provider; and its
// arguments.
func commandOf(args []string) (string, []string) {
	name := strings.TrimSuffix(filepath.Base(args[0]), ".exe")
	switch {
	case name == "kubectl-owners":
		return "owners", args[1:]
	case strings.HasPrefix(name, "k8sconnect-report"): // a release adds its version and the platform
		return "report", args[1:]
	case len(args) > 1 && slices.Contains(commands, args[1]):
		return args[1], args[2:]
	}
	return "", nil
}
