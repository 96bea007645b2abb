package examples_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/pages"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

var update = flag.Bool("update", false, "write the plans that pages show, instead of comparing them")

// plans is where the plans are that pages show.
const plans = "testdata/plans"

// Every plan on a page was printed by the CLI at an example, after other managers wrote to its objects. What the pages
// show is in testdata/plans; -update writes it again.
func TestPlans(t *testing.T) {
	story.SkipUnlessAcceptance(t)
	variables := atHome(t)
	for name, tell := range stories {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tell.play(newExample(t, tell.example, variables))
		})
	}
}

// stories run at the same time, each with objects of its own.
var stories = map[string]struct {
	example string
	play    func(*example)
}{
	"getting started":       {"getting-started", planGettingStarted},
	"adopting":              {"adopt", planAdopting},
	"guarding":              {"guard", planGuarding},
	"spelling":              {"getting-started", planSpelling},
	"autoscaler":            {"autoscaler", planAutoscaler},
	"ignored manager":       {"ignore-managers", planIgnoredManager},
	"refused":               {"on-conflict", planRefused},
	"CA injector":           {"ca-injector", planInjector},
	"policy":                {"getting-started", planPolicy},
	"object manifest":       {"object-manifest", planObjectManifest},
	"pinned":                {"pin-fields", planPinned},
	"patching":              {"patching", planPatching},
	"removing fields":       {"patching-remove", planRemovingFields},
	"restoring":             {"on-destroy", planRestoring},
	"moving":                {"from-kubernetes-labels", planMoving},
	"from kubernetes":       {"from-kubernetes", planFromKubernetes},
	"from kubectl_manifest": {"from-kubectl-manifest", planFromKubectlManifest},
	"from k8sconnect":       {"from-k8sconnect-object", planFromK8sconnect},
	"patching types":        {"patching-types", planPatchingTypes},
	"from kubectl apply":    {"from-kubectl-apply", planFromKubectl},
	"sharing with kubectl":  {"from-kubectl-apply", planSharingWithKubectl},
	"before managed fields": {"from-kubectl-apply", planBeforeManagedFields},
	"from Helm":             {"from-helm", planFromHelm},
	"sets":                  {"sets", planSets},
	"charts":                {"charts", planChart},
	"secrets of a set":      {"sets-secrets", planSetsSecrets},
	"sets from for_each":    {"sets-from-for-each", planSetsFromForEach},
	"secret":                {"secret-write-only", planSecret},
	"guard":                 {"functions/guard", planGuard},
	"strict":                {"strict", planStrict},
	"added":                 {"getting-started", planAdded},
	"undo":                  {"getting-started", planUndo},
	"once":                  {"once", planOnce},
	"handing over":          {"hand-over", planHandOver},
	"handing over of a set": {"hand-over-set", planHandOverSet},
	"taking over the gone":  {"take-over-gone", planTakeOverGone},
	"validation":            {"validation", validate},
}

// configure makes main.tf that of the example, with each first text of a pair replaced by the second.
func (e *example) configure(pairs ...string) {
	e.T.Helper()
	text := pages.Read(e.T, filepath.Join(pages.Root, "examples", e.name, "main.tf"))
	for pair := range slices.Chunk(pairs, 2) {
		if n := strings.Count(text, pair[0]); n != 1 {
			e.T.Fatalf("the example %s holds %d times:\n%s", e.name, n, pair[0])
		}
		text = strings.Replace(text, pair[0], pair[1], 1)
	}
	write(e.T, filepath.Join(e.Dir, "main.tf"), text)
}

// deployment returns the target of a Deployment.
func deployment(name string) string { return "apps/v1 Deployment " + name }

// apply applies, and waits for the Deployments of the example.
func (e *example) apply(deployments ...string) {
	e.T.Helper()
	e.Do("apply", "-auto-approve")
	e.awaitRollout(deployments...)
}

// awaitRollout waits until the deployment controller has written what it writes to each Deployment.
func (e *example) awaitRollout(deployments ...string) {
	e.T.Helper()
	for _, target := range deployments {
		e.Await("the controller has seen "+target, func() bool {
			object := e.Live(target)
			status, _ := object.Object["status"].(map[string]any)
			return object.GetAnnotations()["deployment.kubernetes.io/revision"] != "" &&
				status["observedGeneration"] == object.GetGeneration()
		})
	}
}

// plan plans and expects an exit code.
func (e *example) plan(want int, args ...string) string {
	e.T.Helper()
	return e.Exits(want, append([]string{"plan", "-detailed-exitcode"}, args...)...)
}

// shows plans and compares what a page shows of it.
func (e *example) shows(name string, want int, args ...string) {
	e.T.Helper()
	command := strings.Join(append([]string{"$ terraform plan"}, args...), " ")
	e.compare(name, command+"\n\n"+excerpt(e.plan(want, args...), quiet))
}

// says expects texts in a plan of which no page shows more, however many spaces and lines the CLI puts between the words.
func (e *example) says(plan string, texts ...string) {
	e.T.Helper()
	words := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	for _, text := range texts {
		if !strings.Contains(words(plan), words(text)) {
			e.T.Errorf("the plan does not say %s:\n%s", text, plan)
		}
	}
}

// showsBody is shows with the change of yaml_body.
func (e *example) showsBody(name string, want int) {
	e.T.Helper()
	e.compare(name, "$ terraform plan\n\n"+excerpt(e.plan(want), unchanged))
}

// showsOutput compares what a page shows of what was printed.
func (e *example) showsOutput(name, printed string) {
	e.T.Helper()
	e.compare(name, printed)
}

// compare compares what was printed with what a page shows.
func (e *example) compare(name, got string) {
	e.T.Helper()
	golden := filepath.Join(plans, name+".txt")
	if *update {
		write(e.T, golden, got)
		return
	}
	if diff := cmp.Diff(pages.Read(e.T, golden), got); diff != "" {
		e.T.Errorf("%s (-want +got):\n%s", golden, diff)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	story.Must(t, os.WriteFile(path, []byte(text), 0o600))
}
