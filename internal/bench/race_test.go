package main

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/testcluster"
)

// A small race on a real control plane. The requests of the provider are those that DESIGN.md promises, and it shows
// exactly what changed; the provider, its peers and the CLI are measured apart.
func TestRace(t *testing.T) {
	if os.Getenv("TF_ACC") == "" {
		t.Skip("acceptance tests run with TF_ACC=1, as make test does")
	}
	const count = 100
	dir := t.TempDir()
	r := &race{ctx: t.Context(), dir: dir, phases: phases}
	var err error
	r.contenders, err = contenders(t.Context(), dir, os.Getenv("BENCH_PEERS"))
	must(t, err)
	r.cli, err = testcluster.TerraformCLI(t.Context(), os.Stderr)
	must(t, err)
	r.plane, err = testcluster.Start(t.Context(), testcluster.Options{Progress: os.Stderr})
	must(t, err)
	t.Cleanup(func() { must(t, r.plane.Stop()) })
	r.typed, err = kubernetes.NewForConfig(r.plane.RESTConfig())
	must(t, err)
	r.dynamic, err = dynamic.NewForConfig(r.plane.RESTConfig())
	must(t, err)
	var found results
	r.report = func(m measurement) { found.Measurements = append(found.Measurements, m) }
	must(t, r.run(count, 1))

	const (
		get, dryRun, patch = "get", "patch (dry-run)", "patch"
		tenth              = count / 10
		// twice is a discovery of two requests in the process that refreshes, and one in that which deletes.
		once, twice = 2, 4
	)
	for name, want := range map[string]map[string]int{
		"create plan":  {dryRun: count, discovery: once},
		"create apply": {dryRun: count, patch: count, discovery: once},
		"no-op plan":   {get: count, discovery: once},
		"update plan":  {get: count, dryRun: count, discovery: once},
		"update apply": {dryRun: count, patch: count, discovery: once},
		"drift plan":   {get: count, dryRun: tenth, discovery: once},
		"drift apply":  {dryRun: tenth, patch: tenth, discovery: once},
		"destroy":      {get: count, "delete": count, discovery: twice},
	} {
		measured := found.of(ours, name, count)
		if len(measured) != 1 {
			t.Fatalf("%s was measured %d times", name, len(measured))
		}
		m := measured[0]
		if !maps.Equal(m.Requests, want) {
			t.Errorf("%s sends %v, want %v", name, m.Requests, want)
		}
		if m.WrongDiffs != 0 || m.Errors != 0 {
			t.Errorf("%s shows %d wrong diffs and %d errors", name, m.WrongDiffs, m.Errors)
		}
		if m.Provider <= 0 || m.CLI <= 0 || m.Wall <= 0 || m.PeakMemory < 1<<20 {
			t.Errorf("%s is not measured: %+v", name, m.cost)
		}
		if least := found.of(floor, name, count)[0]; len(least.Requests) > 0 || least.Provider > 0 || least.CLI <= 0 {
			t.Errorf("%s of the floor: %+v", name, least)
		}
	}
	if m := found.of(ours, "create apply", count)[0]; m.PrivateBytes < count || m.StateBytes < m.PrivateBytes {
		t.Errorf("the state has %d bytes, %d of them private", m.StateBytes, m.PrivateBytes)
	}

	found.Executables, err = weigh(t.Context(), r.contenders)
	must(t, err)
	if e := found.Executables[0]; e.Contender != ours || e.Bytes < 1<<20 || e.Startup <= 0 {
		t.Errorf("the executable is %+v", e)
	}
	results := filepath.Join(dir, "results")
	must(t, found.write(results))
	for name, part := range map[string]string{
		"bench.md": "| k8sconnect |", "bench.json": `"contender": "terraform_data"`, "bench.svg": "peak memory of the provider",
	} {
		text, err := os.ReadFile(filepath.Join(results, name))
		must(t, err)
		if !strings.Contains(string(text), part) {
			t.Errorf("%q is not in %s:\n%s", part, name, text)
		}
	}
}
