package examples_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the plans that pages show, instead of comparing them")

// plans is where the plans are that pages show.
const plans = "testdata/plans"

// The exit codes of plan -detailed-exitcode.
const (
	nothing = iota
	refused
	changes
)

// Every plan on a page was printed by the CLI at an example, after others wrote to its objects. What the
// pages show is in testdata/plans; -update writes it again.
func TestPlans(t *testing.T) {
	if os.Getenv("TF_ACC") == "" {
		t.Skip("acceptance tests run with TF_ACC=1, as make test does")
	}
	cli := newCLI(t)
	for name, tell := range stories {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tell(t, cli)
		})
	}
}

// stories are told at the same time, each with an example of its own.
var stories = map[string]func(*testing.T, cli){
	"getting started":       planGettingStarted,
	"adopting":              planAdopting,
	"guarding":              planGuarding,
	"spelling":              planSpelling,
	"autoscaler":            planAutoscaler,
	"ignored manager":       planIgnoredManager,
	"refused":               planRefused,
	"CA injector":           planInjector,
	"policy":                planPolicy,
	"from kubectl apply":    planFromKubectl,
	"sharing with kubectl":  planSharingWithKubectl,
	"before managed fields": planBeforeManagedFields,
	"from Helm":             planFromHelm,
	"many manifests":        planManyManifests,
}

// story is an example that is planned and applied while others write to its objects.
type story struct {
	*testing.T
	cli          cli
	example, dir string
}

func newStory(t *testing.T, cli cli, example string) story {
	t.Helper()
	dir := t.TempDir()
	must(t, os.CopyFS(dir, os.DirFS(filepath.Join(root, "examples", example))))
	require(t, dir)
	t.Cleanup(func() { cli.mustRun(t, dir, "destroy", "-auto-approve") })
	return story{t, cli, example, dir}
}

// configure makes main.tf that of the example, with each first text of a pair replaced by the second.
func (s story) configure(pairs ...string) {
	s.Helper()
	text := read(s.T, filepath.Join(root, "examples", s.example, "main.tf"))
	for pair := range slices.Chunk(pairs, 2) {
		if n := strings.Count(text, pair[0]); n != 1 {
			s.Fatalf("the example %s holds %d times:\n%s", s.example, n, pair[0])
		}
		text = strings.Replace(text, pair[0], pair[1], 1)
	}
	write(s.T, filepath.Join(s.dir, "main.tf"), text)
}

// apply applies, and waits for the Deployments of the example.
func (s story) apply(deployments ...target) {
	s.Helper()
	s.cli.mustRun(s.T, s.dir, "apply", "-auto-approve")
	s.awaitRollout(deployments...)
}

// awaitRollout waits until the deployment controller has written what it writes to each Deployment.
func (s story) awaitRollout(deployments ...target) {
	s.Helper()
	for _, deployment := range deployments {
		s.await("the controller has seen "+deployment.name, func() bool {
			object := deployment.live(s.T)
			status, _ := object.Object["status"].(map[string]any)
			return object.GetAnnotations()["deployment.kubernetes.io/revision"] != "" &&
				status["observedGeneration"] == object.GetGeneration()
		})
	}
}

// plan plans and expects an exit code.
func (s story) plan(want int, args ...string) string {
	s.Helper()
	got, output := s.cli.run(s.T, s.dir, append([]string{"plan", "-detailed-exitcode"}, args...)...)
	if got != want {
		s.Fatalf("the plan ends with exit code %d, want %d:\n%s", got, want, output)
	}
	return output
}

// shows plans and compares what a page shows of it.
func (s story) shows(name string, want int, args ...string) {
	s.Helper()
	command := strings.Join(append([]string{"$ terraform plan"}, args...), " ")
	s.compare(name, command+"\n\n"+excerpt(s.plan(want, args...), quiet))
}

// showsBody is shows with the change of yaml_body.
func (s story) showsBody(name string, want int) {
	s.Helper()
	s.compare(name, "$ terraform plan\n\n"+excerpt(s.plan(want), unchanged))
}

// compare compares what was printed with what a page shows.
func (s story) compare(name, got string) {
	s.Helper()
	golden := filepath.Join(plans, name+".txt")
	if *update {
		write(s.T, golden, got)
		return
	}
	if diff := cmp.Diff(read(s.T, golden), got); diff != "" {
		s.Errorf("%s (-want +got):\n%s", golden, diff)
	}
}

// await waits until something happens that a controller does.
func (s story) await(what string, happened func() bool) {
	s.Helper()
	for deadline := time.Now().Add(time.Minute); !happened(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.Fatalf("waited a minute until %s", what)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.WriteFile(path, []byte(text), 0o600))
}
