package examples_test

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/pages"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// declared is an action of an example.
var declared = regexp.MustCompile(`(?m)^action "(\w+)" "(\w+)"`)

// actionDirs returns the directories below examples/ that have actions, which Terraform before 1.14 cannot read.
func actionDirs(t *testing.T) []string {
	t.Helper()
	var dirs []string
	for _, file := range pages.Files(t, filepath.Join(pages.Root, "examples"), ".tf") {
		if declared.MatchString(pages.Read(t, file)) {
			dirs = append(dirs, filepath.Dir(file))
		}
	}
	if len(dirs) == 0 {
		t.Fatal("no example has an action")
	}
	return slices.Compact(dirs)
}

// Every example with actions is applied, each of its actions is invoked, and the plan after that is empty.
func TestExamplesInvoke(t *testing.T) {
	story.SkipUnlessAcceptance(t)
	feature := story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: "actions"}
	feature.Needed(story.In(t, "default").Workspace())
	variables := atHome(t)
	for _, dir := range actionDirs(t) {
		name, err := filepath.Rel(filepath.Join(pages.Root, "examples"), dir)
		story.Must(t, err)
		t.Run(name, func(t *testing.T) {
			e := newExample(t, name, variables)
			t.Cleanup(e.deleteJobs)
			e.createBefore()
			e.Do("apply", "-auto-approve")
			for _, file := range pages.Files(t, dir, ".tf") {
				for _, action := range declared.FindAllStringSubmatch(pages.Read(t, file), -1) {
					e.invoke(strings.Join(action[1:], "."))
				}
			}
			e.plan(story.Nothing)
		})
	}
}

// deleteJobs deletes the Jobs that actions have left.
func (e *example) deleteJobs() {
	background := metav1.DeletePropagationBackground
	story.Must(e.T, e.Typed.BatchV1().Jobs("default").DeleteCollection(context.WithoutCancel(e.T.Context()), metav1.DeleteOptions{PropagationPolicy: &background}, metav1.ListOptions{}))
}

var (
	// ofAction are the lines that an action prints.
	ofAction = regexp.MustCompile(`(?m)^(Action .*|Apply complete.*|k8sconnect_\S+: (Modifying|Modifications).*)\n`)
	took     = regexp.MustCompile(` complete after \d+s `)
	suffixed = regexp.MustCompile(`(Job default/[a-z-]+)-[a-z0-9]{5}\b`)
	rollout  = regexp.MustCompile(`(?m)^.*( old pods? (is|are) still there| new pods exist|has not seen the latest change yet)\.\n`)
)

// invoke invokes an action and returns the command and what the action printed, with one name for each Job and without the steps of a
// rollout, of which no two runs see the same.
func (e *example) invoke(address string) string {
	e.T.Helper()
	out := e.Do("apply", "-auto-approve", "-invoke=action."+address)
	return "$ terraform apply -auto-approve -invoke=action." + address + "\n\n" + printed(out)
}

func printed(out string) string {
	lines := strings.Join(ofAction.FindAllString(out, -1), "")
	lines = took.ReplaceAllString(lines, " complete after 1s ")
	return suffixed.ReplaceAllString(rollout.ReplaceAllString(lines, ""), "$1-7h2kq")
}

// What the pages show of actions.
func TestActionsOnPages(t *testing.T) {
	story.SkipUnlessAcceptance(t)
	feature := story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: "actions"}
	feature.Needed(story.In(t, "default").Workspace())
	e := newExample(t, "day-two", atHome(t))
	t.Cleanup(e.deleteJobs)
	e.apply(deployment("ferry"))
	e.says(e.invoke("k8sconnect_restart.ferry"), "Restarting the pods of Deployment default/ferry (apps/v1)", "2 of 2 new pods are ready.", "Actions: 1 invoked.")

	e.configure("timetable: summer", "timetable: winter")
	e.says(printed(e.Do("apply", "-auto-approve")), "Action started: action.k8sconnect_restart.ferry (triggered by k8sconnect_manifest.settings)",
		"2 of 2 new pods are ready.", "Actions: 1 invoked.")

	e.configure("timetable: summer", "timetable: winter", "engine:7", "engine:8")
	e.showsOutput("action-migration", "$ terraform apply\n...\n"+printed(e.Do("apply", "-auto-approve")))

	e.As("kubectl-edit").Patch(deployment("ferry"), `{"metadata":{"labels":{"season":"winter"}},"spec":{"minReadySeconds":1}}`)
	e.showsOutput("action-disown", e.invoke("k8sconnect_disown.kubectl"))

	e.configure("timetable: summer", "timetable: winter", "engine:7", "engine:9", "            restartPolicy: Never\n", "            restartPolicy: Never\n            nodeSelector: {dock: dry}\n",
		"activeDeadlineSeconds: 300", "activeDeadlineSeconds: 1")
	out := e.Exits(story.Refused, "apply", "-auto-approve")
	e.says(out, "Error: Job Failed", "has failed (DeadlineExceeded).", "kubectl logs job.v1.batch/ferry-migrate-", "Repair the cause and invoke the action again.")
}
