package acceptance_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/golden"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A rollout ends early, with its cause, if its pods cannot start: long before the timeout. It does not end early if no node
// fits, because one may come, or if pods take their time. kwok plays what a kubelet would say.
func TestRolloutsThatCannotSucceed(t *testing.T) {
	t.Parallel()
	template := func(label string) string {
		return strings.Replace(story.Deployment, "metadata: {labels: {app: web}}", "metadata: {labels: {app: web, example.com/plays: "+label+"}}", 1)
	}
	for name, test := range map[string]struct {
		body string
		// longest is how long the apply may take, and timeout what its timeouts allow.
		longest, timeout time.Duration
	}{
		"invalid-image": {template("invalid-image"), 150 * time.Second, 10 * time.Minute},
		"pull-fails":    {template("pull-fails"), 240 * time.Second, 10 * time.Minute},
		"crashes":       {template("crashes"), 150 * time.Second, 10 * time.Minute},
		"never-ready":   {template("never-ready"), 150 * time.Second, 45 * time.Second},
		"out-of-memory": {strings.Replace(template("out-of-memory"), `"nginx:1.25"`, `"nginx:1.25", resources: {limits: {memory: 64Mi}}`, 1), 150 * time.Second, 10 * time.Minute},
		"no-executable": {template("no-executable"), 150 * time.Second, 10 * time.Minute},
		"no-node": {
			strings.Replace(story.Deployment, "      containers:", "      nodeSelector: {example.com/pool: none}\n      containers:", 1),
			150 * time.Second, 45 * time.Second,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			w := s.Workspace()
			w.Configure(s.Manifest("test", test.body, `wait = { on_failure = "report" }`, "timeouts {\n create = \""+test.timeout.String()+"\"\n}"))
			began := time.Now()
			printed, err := w.Try("apply", "-auto-approve", "-no-color")
			story.Must(t, err)
			if took := time.Since(began); took > test.longest {
				t.Errorf("the apply took %s", took)
			}
			if strings.Contains(printed, "hunter2") {
				t.Errorf("the output of a container is shown:\n%s", printed)
			}
			golden.Compare(t, "results/waits/"+name+".txt", warningIn(t, s, printed))
			w.Do("destroy", "-auto-approve", "-no-color")
		})
	}
}

// Pulls that fail for a while, in one pod after another, are no reason to give up: a registry may limit how often it is asked.
func TestPullsFailInOnePodAfterAnother(t *testing.T) {
	s := story.New(t)
	pulled := func(pod string) func() {
		return func() {
			if t.Context().Err() != nil {
				return // The apply has failed before.
			}
			s.As("kubelet").Patch("v1 Pod "+pod, `{"status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}], "containerStatuses": [
				{"name": "app", "image": "db:1", "imageID": "", "ready": true, "started": true, "restartCount": 0, "state": {"running": {}}}]}}`, "status")
		}
	}
	s.Run(resource.TestStep{
		Config: s.Config("apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db, namespace: NS}\nspec: {replicas: 2, serviceName: db, selector: {matchLabels: {app: db}}, "+
			"template: {metadata: {labels: {app: db, example.com/plays: pull-fails}}, spec: {containers: [{name: app, image: \"db:1\"}]}}}", "wait = {}"),
		// The wait looks at the pods 30 seconds after each change, and again 30 seconds later.
		ConfigPlanChecks: story.PlanChecks(s.WhileApplying(35*time.Second, pulled("db-0"), func() {}, pulled("db-1"))),
		Check:            s.ExpectLive("apps/v1 StatefulSet db", map[string]any{"status.readyReplicas": 2}),
	})
}

var (
	podName = regexp.MustCompile(`\b(web-[0-9a-z]+|db|once)-[0-9a-z]{5}\b`)
	nodes   = regexp.MustCompile(`[0-9]+/[0-9]+ nodes are\s+available:[\s\S]*?\n\n`)
	times   = regexp.MustCompile(`\([0-9]+ times\)`)
	hash    = regexp.MustCompile(`\bweb-[0-9a-f]{8,10}\b`)
	took    = regexp.MustCompile(`after [0-9ms]+\.`)
	wrapped = regexp.MustCompile(`(\S)\n( {4})?(\S)`)
)

// warningIn returns the warning of an object that is not ready, without what differs between two runs: names, counts, times, and with them the places
// where lines wrap.
func warningIn(t *testing.T, s *story.Story, printed string) string {
	t.Helper()
	_, text, found := strings.Cut(printed, "Warning: Object Not Ready")
	if !found {
		t.Fatalf("no such warning in:\n%s", printed)
	}
	text = strings.ReplaceAll(text, "│ ", "")
	_, text, _ = strings.Cut(text, "\"test\" {\n")
	text, _, _ = strings.Cut(text, "Apply complete!")
	text = wrapped.ReplaceAllString(strings.ReplaceAll(text, "│", ""), "$1 $3")
	text = podName.ReplaceAllString(text, "$1-POD")
	text = hash.ReplaceAllString(nodes.ReplaceAllString(text, "N nodes are available: WHY\n\n"), "web")
	text = times.ReplaceAllString(took.ReplaceAllString(text, "after TIME."), "(N times)")
	return strings.TrimSpace(strings.ReplaceAll(text, s.Namespace, "NS")) + "\n"
}
