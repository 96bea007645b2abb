package main

import (
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
	story.Must(t, part.write(t.TempDir()))
}
