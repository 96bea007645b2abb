package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// TestReportOfAPart holds that a benchmark that stopped early reports what it has measured.
func TestReportOfAPart(t *testing.T) {
	t.Parallel()
	part := results{Measurements: []measurement{
		{Contender: floor, Phase: "create plan", Workload: "objects", Size: 20, cost: cost{Wall: time.Second}},
		{Contender: ours, Phase: "create plan", Workload: "objects", Size: 20, cost: cost{Wall: 3 * time.Second}},
		{Contender: floor, Phase: "create apply", Workload: "objects", Size: 20, cost: cost{Wall: time.Second}},
	}}
	text := part.markdown()
	for _, want := range []string{"| k8sconnect | 3.00 | 3.00 |", "### create apply, 20 objects"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	dir := t.TempDir()
	story.Must(t, part.write(dir, figures{}))
	again, err := readResults(filepath.Join(dir, "bench.json"))
	story.Must(t, err)
	if again.markdown() != text {
		t.Errorf("the results that were read again are\n%s", again.markdown())
	}
}

// The last figures of a phase stay until the phase is measured again, and a slower one is seen beside them.
func TestLastFigures(t *testing.T) {
	t.Parallel()
	of := func(commit, phase string, took time.Duration) results {
		m := measurement{Contender: ours, Phase: phase, Workload: "objects", Size: 20, cost: cost{Wall: took, CLI: took}}
		return results{Commit: commit, Backend: localBackend, Measurements: []measurement{m}}
	}
	dir := t.TempDir()
	story.Must(t, of("a1", "no-op plan", time.Second).write(dir, figures{}))
	last, err := readFigures(filepath.Join(dir, lastFile))
	story.Must(t, err)
	next := of("b2", "update plan", time.Second)
	story.Must(t, next.write(dir, last))
	last, err = readFigures(filepath.Join(dir, lastFile))
	story.Must(t, err)
	if len(last) != 2 || last["no-op plan, 20 objects, k8sconnect, backend local"].Commit != "a1" {
		t.Errorf("the figures are %+v", last)
	}
	beside := of("c3", "no-op plan", 1500*time.Millisecond).figures().beside(last)
	if want := "| no-op plan, 20 objects, k8sconnect, backend local | 1.50 | 1.50 | 1.50 | 1.50 |"; !strings.Contains(beside, want) {
		t.Errorf("%q is not in\n%s", want, beside)
	}
}

// A contender is compared with another one in the same round, and near and far are apart.
func TestPairs(t *testing.T) {
	t.Parallel()
	var found results
	for round, walls := range [][2]time.Duration{{2, 1}, {20, 10}, {3, 3}} { // the machine was slow in the second round
		for i, contender := range []string{ours, floor} {
			found.Measurements = append(found.Measurements, measurement{
				Contender: contender, Phase: "no-op plan", Workload: "objects", Size: 20, Round: round + 1,
				cost: cost{Wall: walls[i] * time.Second},
			})
		}
	}
	found.Measurements = append(found.Measurements, measurement{
		Contender: ours, Phase: "no-op plan", Workload: "objects", Size: 20, Round: 1, Delay: 25 * time.Millisecond,
		cost: cost{Wall: 9 * time.Second},
	})
	parts := found.series()
	if got := parts[0].times(ours, floor, "no-op plan", 20); got != 2 {
		t.Errorf("%v times the floor, want twice", got)
	}
	tables := found.tables()
	for _, want := range []string{
		"| seconds, wall / CPU, 20 objects | `terraform_data` | single resources |", "| no-op plan | 3.0 / 0.0 | 3.0 / 0.0 |",
	} {
		if !strings.Contains(tables, want) {
			t.Errorf("%q is not in\n%s", want, tables)
		}
	}
	if strings.Contains(tables, "50 ms away") {
		t.Errorf("the page has what was measured far away:\n%s", tables)
	}
}
