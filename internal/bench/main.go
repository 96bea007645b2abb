// Command bench measures what this provider costs beside Terraform itself and beside other providers. It starts a
// control plane and lets each of them manage as many objects of the same mixture: ours, terraform_data as the floor,
// and the peers whose executables BENCH_PEERS names. Wall time, CPU of the CLI and of the provider, peak memory,
// requests by the API server's audit log, wrong diffs and the size of the state are printed as Markdown tables and
// written to a directory, with the single measurements as JSON and a plot as SVG.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/testcluster"
)

func main() { os.Exit(play()) }

// play is the meter or the benchmark, and returns the exit code.
func play() int {
	if provider := os.Getenv(envProvider); provider != "" {
		code, err := runMetered(provider)
		if err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
		}
		return code
	}
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
	// counts are the numbers of objects.
	counts []int
	rounds int
	peers  string
	phases []phase
	out    string
}

func parseOptions() (options, error) {
	var o options
	objects := flag.String("objects", "200", "numbers of objects, with spaces between them")
	flag.IntVar(&o.rounds, "rounds", 3, "how often each number of objects is measured")
	flag.StringVar(&o.peers, "peers", os.Getenv("BENCH_PEERS"), "other providers as NAME=DIR, with spaces between them")
	flag.StringVar(&o.out, "out", filepath.Join("bin", "bench"), "directory of the results")
	until := flag.String("until", phases[len(phases)-1].Name, "the last phase; with thousands of objects, Terraform takes most of an hour to write its state in all of them")
	flag.Parse()
	for _, field := range strings.Fields(*objects) {
		count, err := strconv.Atoi(field)
		if err != nil || count < len(samples) {
			return o, fmt.Errorf("-objects: %q is no number of objects from %d up", field, len(samples))
		}
		o.counts = append(o.counts, count)
	}
	last := slices.IndexFunc(phases, func(p phase) bool { return p.Name == *until })
	if last < 0 {
		return o, fmt.Errorf("-until: %q is no phase; the first is %q", *until, phases[0].Name)
	}
	o.phases = phases[:last+1]
	if len(o.counts) == 0 || o.rounds < 1 {
		return o, errors.New("-objects and -rounds: at least one number of objects and one round are needed")
	}
	return o, nil
}

func run(ctx context.Context) (err error) {
	o, err := parseOptions()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "k8sconnect-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	r := &race{ctx: ctx, dir: dir, phases: o.phases}
	if r.contenders, err = contenders(ctx, dir, o.peers); err != nil {
		return err
	}
	if r.cli, err = testcluster.TerraformCLI(ctx, os.Stderr); err != nil {
		return err
	}
	found := results{CLI: version(ctx, r.cli), Machine: fmt.Sprintf("%s/%s with %d CPUs", runtime.GOOS, runtime.GOARCH, runtime.NumCPU())}
	if found.Executables, err = weigh(ctx, r.contenders); err != nil {
		return err
	}
	if r.plane, err = testcluster.Start(ctx, testcluster.Options{Progress: os.Stderr}); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.plane.Stop()) }()
	found.Kubernetes = r.plane.Version()
	if r.typed, err = kubernetes.NewForConfig(r.plane.RESTConfig()); err != nil {
		return err
	}
	if r.dynamic, err = dynamic.NewForConfig(r.plane.RESTConfig()); err != nil {
		return err
	}
	r.report = func(m measurement) {
		found.Measurements = append(found.Measurements, m)
		fmt.Fprintf(os.Stderr, "%5d objects, round %d: %-12s %-24s %7.2f s\n", m.Objects, m.Round, m.Phase, m.Contender, m.Wall.Seconds())
	}
	for _, count := range o.counts {
		for round := range o.rounds {
			if err := r.run(count, round+1); err != nil {
				return err
			}
		}
	}
	fmt.Print(found.markdown())
	return found.write(o.out)
}

// version is what the CLI calls itself.
func version(ctx context.Context, cli testcluster.CLI) string {
	text, err := exec.CommandContext(ctx, cli.Path, "version").Output() //nolint:gosec // G204: the CLI of this machine
	if err != nil {
		return string(cli.Product)
	}
	first, _, _ := bytes.Cut(text, []byte("\n"))
	return string(first)
}

// write writes the results into a directory.
func (r results) write(dir string) error {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{"bench.md": []byte(r.markdown()), "bench.json": text} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return err
		}
	}
	if err := r.plot(filepath.Join(dir, "bench.svg")); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "bench.md, bench.json and bench.svg are in %s\n", dir)
	return nil
}
