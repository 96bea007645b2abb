package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cmd/bench/loopback"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// wanted returns the requests of each phase for count objects, of which drifting ones drift.
func wanted(count, drifting int) map[string]map[string]int {
	const (
		get, dryRun, patch = "get", "patch (dry-run)", "patch"
		// once is one discovery, which is two requests. twice is one discovery in the process that refreshes and one in the
		// process that deletes.
		once, twice = 2, 4
		// recognition is how often a process that applies asks which cluster it is.
		recognition = 1
	)
	return map[string]map[string]int{
		"create plan":          {dryRun: count, discovery: once},
		"create apply":         {get: recognition, dryRun: count, patch: count, discovery: once},
		"no-op plan":           {get: count, discovery: once},
		"update of one, plan":  {get: count, dryRun: 1, discovery: once},
		"update of one, apply": {get: recognition, dryRun: 1, patch: 1, discovery: once},
		"update plan":          {get: count, dryRun: count, discovery: once},
		"update apply":         {get: recognition, dryRun: count, patch: count, discovery: once},
		"drift plan":           {get: count, dryRun: drifting, discovery: once},
		"drift apply":          {get: recognition, dryRun: drifting, patch: drifting, discovery: once},
		"destroy":              {get: count + recognition, "delete": count, discovery: twice},
	}
}

// startRace prepares a race on a real control plane, with the results that it reports to.
func startRace(t *testing.T) (*race, *results) {
	story.SkipUnlessAcceptance(t)
	r, found := &race{ctx: t.Context(), dir: t.TempDir(), phases: phases}, &results{Backend: localBackend}
	var err error
	r.contenders, err = contenders(t.Context(), r.dir, "", os.Getenv("BENCH_PEERS"))
	story.Must(t, err)
	story.Must(t, r.start())
	t.Cleanup(func() { story.Must(t, r.stop()) })
	r.report = func(m measurement) { found.Measurements = append(found.Measurements, m) }
	return r, found
}

// check checks all phases of the floors and of this provider: the provider's requests are those that DESIGN.md promises,
// each plan shows exactly what changed, and provider and CLI are measured separately.
func (s series) check(t *testing.T, size, drifting int) {
	for phase, want := range wanted(s.count(size), drifting) {
		for _, contender := range []string{floor, protocol, ours} {
			measured := s.rounds(contender, phase, size)
			if len(measured) != 1 {
				t.Fatalf("%s of %s was measured %d times", phase, contender, len(measured))
			}
			m := measured[0]
			if contender == ours && !maps.Equal(m.Requests, want) || contender != ours && len(m.Requests) > 0 {
				t.Errorf("%s of %s sends %v; ours is to send %v", phase, contender, m.Requests, want)
			}
			if m.WrongDiffs != 0 || m.Errors != 0 {
				t.Errorf("%s of %s shows %d wrong diffs and %d errors", phase, contender, m.WrongDiffs, m.Errors)
			}
			if m.CLI <= 0 || m.Wall <= 0 {
				t.Errorf("%s of %s is not measured: %+v", phase, contender, m.cost)
			}
			if apart := m.Provider > 0 && m.PeakMemory > 1<<20; apart == (contender == floor) {
				t.Errorf("the provider of %s in %s: %+v", contender, phase, m.cost)
			}
		}
	}
	for phase, want := range wanted(s.count(size), drifting) {
		m := s.rounds(oursAsSet, phase, size)[0]
		if m.WrongDiffs != 0 || m.Errors != 0 || m.Wall <= 0 {
			t.Errorf("%s of a set: %+v", phase, m)
		}
		if !maps.Equal(m.Requests, want) { // It has too few objects of each kind to read them by LIST.
			t.Errorf("%s of a set sends %v, and is to send %v", phase, m.Requests, want)
		}
	}
	for _, m := range s.measurements { // kubectl is there if it is installed. What it shows is not ours to check.
		if m.Contender == kubectl && (m.Errors != 0 || m.PeakMemory == 0 || m.Wall <= 0) {
			t.Errorf("%s of kubectl: %+v", m.Phase, m)
		}
	}
	for _, contender := range []string{protocol, ours} {
		m := s.rounds(contender, "create apply", size)[0]
		if least := s.rounds(floor, "create apply", size)[0]; m.PrivateBytes < s.count(size) || m.StateBytes < least.StateBytes+m.PrivateBytes {
			t.Errorf("the state of %s has %d bytes, %d of them private", contender, m.StateBytes, m.PrivateBytes)
		}
	}
}

// TestRace runs a small race with many objects. kubectl takes minutes for them.
func TestRace(t *testing.T) {
	r, found := startRace(t)
	r.contenders = slices.DeleteFunc(r.contenders, func(c contender) bool { return c.Name == kubectl })
	const count = 50
	story.Must(t, r.run(trial{workload: workloads[0], size: count, round: 1, delay: time.Millisecond}))
	found.series()[0].check(t, count, count/10)

	var err error
	found.Executables, err = weigh(t.Context(), r.contenders)
	story.Must(t, err)
	if e := found.Executables[0]; e.Contender != ours || e.Bytes < 1<<20 || e.Startup <= 0 {
		t.Errorf("the executable is %+v", e)
	}
	results := filepath.Join(r.dir, "results")
	story.Must(t, found.write(results, figures{}))
	for name, part := range map[string]string{
		"bench.md": "| k8sconnect |", "bench.json": `"contender": "terraform_data"`, "objects.svg": "peak memory of the provider",
		"tables.md": "| one set |", "last.json": `"no-op plan, 50 objects, 2 ms away, k8sconnect set, backend local"`,
	} {
		text, err := os.ReadFile(filepath.Join(results, name))
		story.Must(t, err)
		if !strings.Contains(string(text), part) {
			t.Errorf("%q is not in %s:\n%s", part, name, text)
		}
	}
}

// TestRaceOfOne runs races with one large object. A server stores the state.
func TestRaceOfOne(t *testing.T) {
	r, found := startRace(t)
	var err error
	r.states, err = loopback.NewStates()
	story.Must(t, err)
	t.Cleanup(func() { story.Must(t, r.states.Close()) })
	const size = 50
	for _, load := range workloads[1:] {
		story.Must(t, r.run(trial{workload: load, size: size, round: 1}))
	}
	for _, s := range found.series() {
		s.check(t, size, 1)
	}
	if text := found.markdown(); !strings.Contains(text, "### no-op plan, an object of 50 items") {
		t.Errorf("the list of 50 items is not in\n%s", text)
	}
}
