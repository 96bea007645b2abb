package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cmd/bench/echo"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cmd/bench/loopback"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

func main() {
	if code, stands := standIn(); stands {
		os.Exit(code)
	}
	os.Exit(play())
}

// standIn runs this command as the meter of a provider, or as the echo, if its environment requests that. It returns
// the exit code, and false if this is a normal run.
func standIn() (code int, stands bool) {
	var err error
	switch provider := os.Getenv(envProvider); {
	case provider != "":
		code, err = runMetered(provider)
	case os.Getenv(echo.Env) != "":
		err = echo.Serve()
	default:
		return 0, false
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		code = max(code, 1)
	}
	return code, true
}

// play runs the benchmark, and returns the exit code.
func play() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		return 1
	}
	return 0
}

// options are the flags of the command.
type options struct {
	// sizes are the sizes to measure of each workload, by its name.
	sizes   map[string][]int
	rounds  int
	before  string
	peers   string
	only    string
	phases  []phase
	delays  []time.Duration
	backend backend
	out     string
	// from is a file of results to report again, without measuring, and last the one of the figures to compare with.
	from, last string
	// query is the number of existing objects that come under management by a query; 0 measures the race.
	query int
}

// backend is the type of Terraform's backend, in which the CLI keeps the state.
type backend string

// The backends that need no further software.
const (
	localBackend backend = "local"
	httpBackend  backend = "http"
)

func parseOptions() (options, error) {
	o := options{sizes: map[string][]int{}, delays: []time.Duration{0}}
	for _, load := range workloads {
		load.flag(o.sizes)
	}
	flag.IntVar(&o.rounds, "rounds", 3, "how often each size is measured")
	flag.StringVar(&o.peers, "peers", os.Getenv("BENCH_PEERS"), "other providers as NAME=DIR, with spaces between them")
	flag.StringVar(&o.before, "before", "", "a commit or tag of this repository, whose provider is measured, too")
	flag.StringVar(&o.only, "only", "", "names of the contenders to measure, with commas between them; all by default")
	flag.StringVar(&o.from, "from", "", "a bench.json whose tables and plots are written again, without measuring")
	flag.StringVar(&o.last, "last", filepath.Join("benchmarks", lastFile), "the figures to compare with")
	flag.Func("delay", "times that bytes need to the API server, and as long back, with spaces between them",
		o.parseDelays)
	flag.StringVar(&o.out, "out", filepath.Join("bin", "bench"), "directory of the results")
	flag.StringVar((*string)(&o.backend), "backend", string(localBackend),
		"local or http: where the state is kept; with local, the CLI writes the whole state after each resource "+
			"that it applies, which takes most of an hour with thousands of objects")
	flag.IntVar(&o.query, "query", 0, "how many existing objects a query finds and an import brings under "+
		"management, instead of all else; needs Terraform 1.14")
	until := flag.String("until", phases[len(phases)-1].Name, "the last phase")
	flag.Parse()
	last := slices.IndexFunc(phases, func(p phase) bool { return p.Name == *until })
	switch {
	case last < 0:
		return o, fmt.Errorf("-until: %q is no phase; the first is %q", *until, phases[0].Name)
	case o.backend != localBackend && o.backend != httpBackend:
		return o, fmt.Errorf("-backend: %q is neither %q nor %q", o.backend, localBackend, httpBackend)
	case o.rounds < 1:
		return o, errors.New("-rounds: at least one round is needed")
	case o.query > 0 || o.from != "":
	case len(slices.Concat(slices.Collect(maps.Values(o.sizes))...)) == 0:
		return o, errors.New("nothing to measure: -objects, -items or -keys needs a number")
	}
	o.phases = phases[:last+1]
	return o, nil
}

// parseDelays reads the delays to measure with.
func (o *options) parseDelays(text string) error {
	o.delays = nil
	for _, field := range strings.Fields(text) {
		delay, err := time.ParseDuration(field)
		if err != nil || delay < 0 {
			return fmt.Errorf("%q is no time like 25ms", field)
		}
		o.delays = append(o.delays, delay)
	}
	if len(o.delays) == 0 {
		o.delays = []time.Duration{0}
	}
	return nil
}

// flag defines a flag for the sizes of the workload.
func (w workload) flag(sizes map[string][]int) {
	flag.Func(w.Name, w.usage, func(text string) error {
		for _, field := range strings.Fields(text) {
			size, err := strconv.Atoi(field)
			if err != nil || size < w.least {
				return fmt.Errorf("%q is no number from %d up", field, w.least)
			}
			sizes[w.Name] = append(sizes[w.Name], size)
		}
		return nil
	})
}

func run(ctx context.Context) (err error) {
	o, err := parseOptions()
	if err != nil {
		return err
	}
	if o.from != "" {
		found, err := readResults(o.from)
		if err != nil {
			return err
		}
		return found.publish(o)
	}
	dir, err := os.MkdirTemp("", "k8sconnect-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	r := &race{ctx: ctx, dir: dir, phases: o.phases}
	if o.backend == httpBackend {
		if r.states, err = loopback.NewStates(); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, r.states.Close()) }()
	}
	if r.contenders, err = contenders(ctx, dir, o.before, o.peers); err != nil {
		return err
	}
	if r.contenders, err = only(r.contenders, o.only); err != nil {
		return err
	}
	executables, err := weigh(ctx, r.contenders)
	if err != nil {
		return err
	}
	if err := r.start(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.stop()) }()
	if o.query > 0 {
		return r.query(o.query)
	}
	return r.runAndPublish(o, executables)
}

// runAndPublish runs every workload, and publishes what was measured also after an error: the run may have taken an
// hour.
func (r *race) runAndPublish(o options, executables []executable) error {
	found := results{
		CLI: version(r.ctx, r.cli), Backend: o.backend, Kubernetes: r.plane.Version(), Commit: commit(r.ctx),
		Machine:     fmt.Sprintf("%s/%s with %d CPUs", runtime.GOOS, runtime.GOARCH, runtime.NumCPU()),
		Executables: executables,
	}
	r.report = func(m measurement) {
		found.Measurements = append(found.Measurements, m)
		fmt.Fprintf(os.Stderr, "%5d %s, round %d, +%s: %-12s %-24s %7.2f s\n", m.Size, m.Workload, m.Round, m.Delay,
			m.Phase, m.Contender, m.Wall.Seconds())
	}
	began := time.Now()
	err := r.runAll(o)
	fmt.Fprintf(os.Stderr, "measured for %s\n", time.Since(began).Round(time.Second))
	if len(found.Measurements) > 0 {
		err = errors.Join(err, found.publish(o))
	}
	return err
}

// version returns the name and version that the CLI prints.
func version(ctx context.Context, cli testcluster.CLI) string {
	text, err := exec.CommandContext(ctx, cli.Path, "version").Output()
	if err != nil {
		return string(cli.Product)
	}
	first, _, _ := bytes.Cut(text, []byte("\n"))
	return string(first)
}
