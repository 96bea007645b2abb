// Package command is the command line of kubectl owners, with the flags of kubectl. It reads, and writes nothing to the
// cluster.
package command

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/cli-runtime/pkg/printers"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/blame"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/owners"
)

const long = `Shows who owns which field of Kubernetes objects.

With the names of objects, or a kind, it prints each object as YAML with the
owners of each line. Values of Secrets are masked.

Without them, it prints who owns what in a namespace, or in the cluster, and
what somebody has to decide. It reads the metadata of all objects, 500 at a time,
without Events, Leases and EndpointSlices. Kinds that you may not list are
named at the end.

It only reads.`

const examples = `  kubectl owners deploy/web -n shop
  kubectl owners deploy,svc -l app=web
  kubectl owners -n shop
  kubectl owners -A --quiet-for 720h -o json
  kubectl owners -n shop --html > owners.html`

// defaultQuiet is after how long without a change a manager is idle.
const defaultQuiet = 90 * 24 * time.Hour

// options are what a user asks for.
type options struct {
	genericiooptions.IOStreams
	flags    *genericclioptions.ConfigFlags
	all      bool
	selector string
	output   string
	page     bool
	status   bool
	quiet    time.Duration
}

// Run prints owners and returns the exit code: 1 if something that was named could not be read.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o := &options{
		IOStreams: genericiooptions.IOStreams{In: strings.NewReader(""), Out: stdout, ErrOut: stderr},
		flags:     genericclioptions.NewConfigFlags(true).WithWrapConfigFn(guarded),
	}
	root := &cobra.Command{
		Use: "kubectl owners [TYPE[,TYPE...] [NAME...] | TYPE/NAME...]", Long: long, Example: examples,
		SilenceUsage: true, SilenceErrors: true,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	o.addFlags(root)
	root.Flags().BoolP("help", "h", false, "Print this help.")
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	if err := root.ExecuteContext(ctx); err != nil {
		_, _ = fmt.Fprintln(stderr, "error:", err)
		return 1
	}
	return 0
}

// longestAnswer is how long an answer may take without --request-timeout.
const longestAnswer = time.Minute

// mostPages is how many pages a list may have.
const mostPages = 4000

// finite is a transport that ends lists without an end.
type finite struct {
	inner http.RoundTripper
	// pages are the numbers of further pages by the path of the list.
	pages sync.Map
}

func (f *finite) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.URL.Query().Has("continue") {
		pages, _ := f.pages.LoadOrStore(request.URL.Path, new(atomic.Int64))
		if number, is := pages.(*atomic.Int64); is && number.Add(1) >= mostPages {
			return nil, errors.New("the list of the server does not end")
		}
	}
	return f.inner.RoundTrip(request)
}

// guarded makes the connection as safe as that of the provider: no redirects, and answers of limited size and time. It
// ends the client's own rate limit, as the API server has one, and suppresses the warnings about deprecated kinds,
// which the user has not asked for by name.
func guarded(config *rest.Config) *rest.Config {
	config.QPS, config.WarningHandler = -1, rest.NoWarnings{}
	config.Timeout = cmp.Or(config.Timeout, longestAnswer)
	config.Wrap(func(inner http.RoundTripper) http.RoundTripper { return &finite{inner: connect.Guarded(inner)} })
	return config
}

func (o *options) addFlags(root *cobra.Command) {
	flags := root.Flags()
	o.flags.AddFlags(flags)
	flags.BoolVarP(&o.all, "all-namespaces", "A", false, "Read all namespaces, and objects without one.")
	flags.StringVarP(&o.selector, "selector", "l", "", "Label selector.")
	flags.StringVarP(&o.output, "output", "o", "", "json or yaml. The default is text for people.")
	flags.BoolVar(&o.page, "html", false, "Write one HTML page, which needs no network.")
	flags.BoolVar(&o.status, "status", false, "Include the fields under status.")
	flags.DurationVar(&o.quiet, "quiet-for", defaultQuiet, "How long a manager has to have changed nothing to be idle.")
}

func (o *options) run(ctx context.Context, args []string) error {
	switch o.output {
	case "", "json", "yaml":
	default:
		return fmt.Errorf("there is no output %q: write json or yaml", o.output)
	}
	if o.page && o.output != "" {
		return fmt.Errorf("leave out --output or --html: there is one form at a time")
	}
	progress := startProgress(o.ErrOut)
	defer progress.stop()
	if len(args) > 0 {
		return o.objects(args, progress)
	}
	survey, err := o.survey(ctx, progress)
	if err != nil {
		return err
	}
	overview := owners.Of(survey)
	// Progress would be printed between the lines of the output.
	progress.stop()
	switch {
	case o.output != "":
		return o.encode(overview)
	case o.page:
		return o.html(survey, overview)
	case overview.Objects == 0 && len(overview.NotSeen) == 0:
		_, err = fmt.Fprintln(o.ErrOut, "No resources found")
		return err
	}
	return overview.Text(o.Out, table)
}

func table(w io.Writer, rows [][]string) error {
	columns := printers.GetNewTabWriter(w)
	for _, row := range rows {
		if _, err := fmt.Fprintln(columns, strings.TrimRight(strings.Join(row, "\t"), "\t")); err != nil {
			return err
		}
	}
	return columns.Flush()
}

func (o *options) encode(value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err == nil && o.output == "yaml" {
		text, err = yaml.JSONToYAML(text)
	}
	if err == nil {
		_, err = fmt.Fprintln(o.Out, strings.TrimSuffix(string(text), "\n"))
	}
	return err
}

// statusFields returns which fields of an object are included.
func (o *options) statusFields() blame.StatusFields {
	if o.status {
		return blame.WithStatus
	}
	return blame.WithoutStatus
}
