package acceptance_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Fifty rollouts are waited for at the same time, with one watch each. One after the other, their pods alone would take longer than
// the limit here.
func TestManyWaits(t *testing.T) {
	const (
		count = 50
		pause = 5 * time.Second // for which pods have to be ready
	)
	s := story.New(t)
	w := s.Workspace()
	body := strings.NewReplacer("name: web,", `name: "web-${count.index}",`, "  replicas: 3\n", "  replicas: 1\n  minReadySeconds: 5\n",
		"app: web}", `app: "web-${count.index}"}`).Replace(story.Deployment)
	w.Configure(s.Manifest("test", body, "count = 50", "wait = {}"))
	began := time.Now()
	requests, _ := w.Cost("apply", "-auto-approve", "-parallelism=50")
	if took := time.Since(began); took > count*pause {
		t.Errorf("the apply took %s", took)
	}
	watches := slices.DeleteFunc(requests, func(line string) bool { return !strings.HasPrefix(line, "watch ") })
	if watched := slices.Compact(slices.Clone(watches)); len(watches) != count || len(watched) != count {
		t.Errorf("%d watches of %d objects: %q", len(watches), len(watched), watches)
	}
	w.Do("plan", "-detailed-exitcode")
	w.Do("destroy", "-auto-approve", "-parallelism=50")
}
