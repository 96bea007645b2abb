// Package command is the command line that writes the schemas of a cluster into a folder, with the flags of kubectl. It
// reads, and writes nothing to the cluster.
package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/openapi"
)

const long = `Writes the schemas that the API server publishes, those of custom resources
included, into a folder: one file for each group and version, and version.json
with the version of the server.

With K8SCONNECT_SCHEMAS=FOLDER, terraform validate checks manifests against
them, without a cluster. The files are sorted, so a commit shows what an upgrade
of the cluster changes. What version.json does not list is left alone.

Exit codes: 0 all is written, 1 something could not be read or written.`

const example = `  terraform-provider-k8sconnect schemas --out schemas --context staging`

// longestAnswer is how long an answer may take without --request-timeout.
const longestAnswer = time.Minute

// Run writes schemas and returns the exit code.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var folder string
	flags := genericclioptions.NewConfigFlags(true).WithWrapConfigFn(guarded)
	root := &cobra.Command{
		Use: "terraform-provider-k8sconnect schemas --out FOLDER", Long: long, Example: example,
		SilenceUsage: true, SilenceErrors: true, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			config, err := flags.ToRESTConfig()
			if err != nil {
				return err
			}
			client, err := discovery.NewDiscoveryClientForConfig(config)
			if err != nil {
				return err
			}
			return write(cmd.Context(), client, folder, stdout)
		},
	}
	flags.AddFlags(root.Flags())
	root.Flags().StringVar(&folder, "out", "", "The folder, which is created if it does not exist.")
	_ = root.MarkFlagRequired("out")
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	if err := root.ExecuteContext(ctx); err != nil {
		_, _ = fmt.Fprintln(stderr, "error:", err)
		return 1
	}
	return 0
}

// guarded makes the connection as safe as that of the provider: no redirects, and answers of limited size and time.
func guarded(config *rest.Config) *rest.Config {
	config.QPS, config.WarningHandler = -1, rest.NoWarnings{}
	config.Timeout = cmp.Or(config.Timeout, longestAnswer)
	config.Wrap(connect.Guarded)
	return config
}

// write writes the schemas of a server into a folder. It reads them all first. The file of a group version that the
// server cannot give stays as it is, and makes an error.
func write(ctx context.Context, server discovery.DiscoveryInterface, folder string, stdout io.Writer) error {
	exported, texts, failed := openapi.Export(ctx, server)
	if texts == nil {
		return failed
	}
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return err
	}
	// Without a version.json, nothing in the folder is ours.
	before, err := openapi.Folder(folder).Version()
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	changed := 0
	for name, text := range texts {
		//nolint:gosec // The user names the folder.
		if was, err := os.ReadFile(filepath.Join(folder, name)); err == nil && string(was) == string(text) {
			continue
		}
		if err := replace(filepath.Join(folder, name), text); err != nil {
			return err
		}
		changed++
	}
	removed := slices.DeleteFunc(slices.Clone(before.Files), func(name string) bool {
		return slices.Contains(exported.Files, name) || filepath.Base(name) != name || !strings.HasSuffix(name, ".json")
	})
	for _, name := range removed {
		if err := os.Remove(filepath.Join(folder, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	_, err = fmt.Fprintf(stdout, "Kubernetes %s: %d files in %s, %d of them written, %d removed.\n",
		exported.GitVersion, len(exported.Files)+1, folder, changed, len(removed))
	return errors.Join(failed, err)
}

// replace writes a file atomically: no process reads a part of it.
func replace(path string, text []byte) error {
	part, err := os.CreateTemp(filepath.Dir(path), ".schemas-*")
	if err != nil {
		return err
	}
	_, err = part.Write(text)
	err = errors.Join(err, part.Chmod(0o644), part.Close())
	if err == nil {
		err = os.Rename(part.Name(), path)
	}
	if err != nil {
		_ = os.Remove(part.Name())
	}
	return err
}
