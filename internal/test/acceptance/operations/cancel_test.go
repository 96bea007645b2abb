package operations_test

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// A user who interrupts an action reads at once what continues on the cluster. The Job of the action continues.
func TestCancelledJob(t *testing.T) {
	i := newInvoker(t, story.Feature{TerraformVersionCheck: tfversion.SkipBelow(tfversion.Version1_14_0), Name: invocations})
	i.Configure(i.action("run_job", "stuck", i.text(stuck), "timeouts {\n invoke = \"1h\"\n}"))
	out := i.interrupted(func() { i.Await("the Job runs", func() bool { return len(i.jobs()) == 1 }) }, "-invoke=action.k8sconnect_run_job.stuck")
	i.says(i.errorIn(out), "Action Cancelled", "The action k8sconnect_run_job was cancelled.", "Job NS/stuck-SUFFIX (batch/v1) goes on.",
		"kubectl logs -f -n NS job/stuck-SUFFIX", "kubectl delete -n NS job/stuck-SUFFIX")
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
	waits := func(request string) bool { return strings.HasPrefix(request, "watch ") }
	mark := story.ControlPlane().AuditLog().Mark()
	out := i.interrupted(func() {
		i.Await("the action waits", func() bool {
			all, err := story.ControlPlane().AuditLog().Since(mark)
			return err == nil && slices.ContainsFunc(testcluster.Lines(testcluster.Matching(all, testcluster.ByUser(i.Namespace))), waits)
		})
	})
	i.says(i.errorIn(out), "Action Cancelled", "The action k8sconnect_wait was cancelled.", "It has changed nothing.")
	if !i.Gone("v1 ConfigMap gated") {
		t.Error("the resource was created")
	}
}

// interrupted runs an apply that somebody interrupts when until returns, and that has to fail.
func (i invoker) interrupted(until func(), args ...string) string {
	i.T.Helper()
	command := exec.CommandContext(i.T.Context(), i.CLI.Path, append([]string{"apply", "-no-color", "-auto-approve"}, args...)...)
	command.Dir, command.Env = i.Dir, i.Env
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	story.Must(i.T, command.Start())
	until()
	story.Must(i.T, command.Process.Signal(os.Interrupt))
	if err := command.Wait(); err == nil {
		i.T.Error("the apply ended well")
	}
	return out.String()
}
