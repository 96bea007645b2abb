package acceptance_test

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A user who interrupts an action reads at once what continues on the cluster. The Job of the action continues.
func TestCancelledJob(t *testing.T) {
	i := newInvoker(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: invocations})
	i.Configure(i.action("run_job", "stuck", i.text(stuck), "timeouts {\n invoke = \"1h\"\n}"))
	out := i.interrupted("0 of 1 pods have succeeded.", "-invoke=action.k8sconnect_run_job.stuck")
	i.says(i.errorIn(out), "Action Cancelled", "The action k8sconnect_run_job was cancelled.", "Job NS/stuck-SUFFIX (batch/v1) goes on.",
		"kubectl logs -f job.v1.batch/stuck-SUFFIX -n NS", "kubectl delete job.v1.batch/stuck-SUFFIX -n NS")
	if strings.Contains(out, "Job Not Complete") {
		t.Error("the cancellation is explained as a failure")
	}
	if len(i.jobs()) != 1 {
		t.Error("the Job is gone")
	}
}

// A user who interrupts a before_create action ends the apply: the resource is not created. Terraform treats an action without a
// final event as a success.
func TestCancelledGate(t *testing.T) {
	i := newInvoker(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: invocations})
	i.Configure(
		i.Manifest("gated", story.ConfigMapIn("gated", "data: {a: x}"), "lifecycle {\n  action_trigger {\n    events = [before_create]\n    actions = [action.k8sconnect_wait.never]\n  }\n}"),
		i.action("wait", "never", i.target("v1 ConfigMap absent")),
	)
	out := i.interrupted("Waiting for ConfigMap " + i.Namespace + "/absent (v1)")
	i.says(i.errorIn(out), "Action Cancelled", "The action k8sconnect_wait was cancelled.", "It has changed nothing.")
	if !i.Gone("v1 ConfigMap gated") {
		t.Error("the resource was created")
	}
}

// interrupted runs an apply that a user interrupts when it has printed a text, and that has to fail. The text is the
// last one that the action reports: if Terraform is interrupted and then reads a report, it does not read how the
// action ended.
func (i invoker) interrupted(after string, args ...string) string {
	i.T.Helper()
	command := exec.CommandContext(i.T.Context(), i.CLI.Path, append([]string{"apply", "-no-color", "-auto-approve"}, args...)...)
	command.Dir, command.Env = i.Dir, i.Env
	var out outputBuffer
	command.Stdout, command.Stderr = &out, &out
	story.Must(i.T, command.Start())
	i.Await("the CLI prints "+after, func() bool { return strings.Contains(out.String(), after) })
	story.Must(i.T, command.Process.Signal(os.Interrupt))
	if err := command.Wait(); err == nil {
		i.T.Error("the apply ended well")
	}
	return out.String()
}

// outputBuffer is what a command has printed so far.
type outputBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (o *outputBuffer) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(text)
}

func (o *outputBuffer) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}
