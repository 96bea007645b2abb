package outages_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster/workdir"
)

// 500 objects, 50 at a time, with a provider that the race detector watches.
func TestManyAtOnce(t *testing.T) {
	begun := story.New(t)
	const count = 500
	provider, watched := racingProvider(t)
	s := &stage{begun.WorkspaceWith(provider)}
	reports := filepath.Join(t.TempDir(), "race")
	s.Env = append(s.Env, "GORACE=halt_on_error=1 log_path="+reports)
	s.Configure(s.many("many", count))
	s.exits(story.Nothing, "apply", "-auto-approve", "-parallelism=50")
	s.expectAll("many", count)
	s.exits(story.Nothing, "plan", "-detailed-exitcode", "-parallelism=50")
	s.exits(story.Nothing, "destroy", "-auto-approve", "-parallelism=50")
	if left := len(s.configMaps("many-")); left != 0 {
		t.Errorf("%d objects are left after the destroy", left)
	}
	found, err := filepath.Glob(reports + "*")
	story.Must(t, err)
	for _, report := range found {
		text, err := os.ReadFile(report)
		story.Must(t, err)
		t.Errorf("the race detector reports:\n%s", text)
	}
	t.Logf("%d objects, race detector: %t", count, watched)
}

// racingProvider is built with the race detector where there is a C compiler, which that needs.
func racingProvider(t *testing.T) (path string, watched bool) {
	t.Helper()
	if _, err := exec.LookPath("cc"); err != nil {
		t.Log("there is no C compiler, so nothing watches for races")
		path, err := workdir.Shared()
		story.Must(t, err)
		return path, false
	}
	path, err := workdir.Build(t.Context(), t.TempDir(), "-race")
	story.Must(t, err)
	return path, true
}
