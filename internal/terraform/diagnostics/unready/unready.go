// Package unready has the diagnostics of waits that did not end well: objects that are not ready, Jobs that failed,
// and workloads that could not be restarted. [NotReady] is that of an apply or a read.
package unready

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/operations"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/endings"
)

// Outcome is the consequence of a failed wait for the resource.
type Outcome string

// The outcomes of an apply that waits.
const (
	// OnlyReported: the failure is a warning.
	OnlyReported Outcome = "The object was applied. The next apply waits for it again."
	// Stays: the object was created, and the apply fails. The next one updates the object in place.
	Stays Outcome = "The object exists, and Terraform marks the resource as tainted. The next apply keeps the " +
		"object: it updates it in place and waits for it again, although the plan calls that a replacement."
	// Tainted: the object was created, and the apply fails. The next one creates it again.
	Tainted Outcome = "The object exists, and Terraform marks the resource as tainted: the next apply replaces the " +
		"object. To keep it, run terraform untaint; the next apply waits for it again."
	// PatchedAgain: the object was patched, and the apply fails. The next one removes the patch and applies it
	// again.
	PatchedAgain Outcome = "The object was patched, and Terraform marks the resource as tainted: the next apply " +
		"removes the patch and applies it again. The object stays. To keep the patch, run terraform untaint; the " +
		"next apply waits for it again."
	// StateKept: the object was changed, and the apply fails.
	StateKept Outcome = "The object was applied, and the state is as it was before: the next plan has the change " +
		"again, and its apply waits again."
	// NotUndone: the object was changed, the apply fails, and could not undo the change.
	NotUndone Outcome = "The object was applied, and the apply could not set it back, as the next error says. The " +
		"state is as it was before: the next plan has the change again, and its apply waits again."

	// Interrupted: the user has ended the wait, and that is a warning.
	Interrupted Outcome = "The object was applied, and the state says that it is not ready. The resource is not " +
		"tainted: the next apply waits for the object again."

	// WaitsAgain: nothing was applied, and the failure is a warning.
	WaitsAgain Outcome = "The state says that the object is not ready. The next apply waits for it again."
	// NotStored: nothing was applied, and the apply of a new resource fails.
	NotStored Outcome = "Nothing is stored in the state. The next apply waits for it again."
	// PriorKept: nothing was applied, and the apply of a change fails.
	PriorKept Outcome = "The state is as it was before: the next plan has the change again, and its apply waits again."
)

// The outcomes of a read that waits.
const (
	// ReadFailed: the object was not read.
	ReadFailed Outcome = "Repair the object, or give it more time. Each run reads the object, and waits for it, again."
	// ReadUnready: the failure is a warning.
	ReadUnready Outcome = "The values are those that the provider saw last. Each run reads the object, and waits " +
		"for it, again."
)

// The outcomes of an action that waits.
const (
	// ActionFailed: nothing was changed.
	ActionFailed Outcome = "The action has changed nothing."
	// ActionReported: the failure is a warning.
	ActionReported Outcome = "The run goes on."
	// RestartFailed: the pods are being restarted.
	RestartFailed Outcome = "The restart is not undone: the rollout goes on as far as it can."
)

// isReported reports whether the failure is a warning.
func (o Outcome) isReported() bool {
	return o == OnlyReported || o == Interrupted || o == WaitsAgain || o == ReadUnready || o == ActionReported
}

// NotReady returns the error, or the warning, about an object that is not ready after an apply or a read has waited for
// it.
func NotReady(w diagnostics.Names, err *waiting.NotReadyError, outcome Outcome) diag.Diagnostic {
	text := diagnostics.Paragraphs(notReady(err), err.Status.Message,
		explained(err.Explanation, commands(err.Object, err.Explanation)), string(outcome), afterWait(w, err, outcome))
	summary := "Object Not Ready"
	if err.Interrupted {
		summary = "Wait Interrupted"
	}
	if outcome.isReported() {
		return diag.NewWarningDiagnostic(w.About(summary, err.Object), text)
	}
	return diag.NewErrorDiagnostic(summary, text)
}

// JobNotComplete returns the error about a Job that has failed, or that did not complete in time. logs is the command
// that prints the Job's logs.
func JobNotComplete(w diagnostics.Names, err *waiting.NotReadyError, logs string) diag.Diagnostic {
	read := "To read what its pods have written, run:\n\n  " + logs
	if slices.ContainsFunc(commands(err.Object, err.Explanation), isOfLogs) {
		read = "" // The explanation names the pods.
	}
	if err.Status.State == readiness.Failed && err.Status.Final {
		return diag.NewErrorDiagnostic("Job Failed", diagnostics.Paragraphs(
			fmt.Sprintf("%s has failed (%s).", err.Object, err.Status.Reason), err.Status.Message,
			explained(err.Explanation, commands(err.Object, err.Explanation)), read,
			"Repair the cause and invoke the action again. It starts a new Job."))
	}
	if err.Status.State == readiness.Failed {
		return diag.NewErrorDiagnostic("Job Not Complete", diagnostics.Paragraphs(
			fmt.Sprintf("%s cannot complete (%s). It goes on trying.",
				err.Object, err.Status.Reason), err.Status.Message,
			explained(err.Explanation, commands(err.Object, err.Explanation)),
			"Repair the cause. If the Job itself has to change, delete it and invoke the action again."))
	}
	return diag.NewErrorDiagnostic("Job Not Complete", diagnostics.Paragraphs(
		fmt.Sprintf("%s was not complete after %s. It goes on.",
			err.Object, duration.HumanDuration(err.Waited.Round(time.Second))),
		err.Status.Message, explained(err.Explanation, commands(err.Object, err.Explanation)), read,
		diagnostics.Given(w.Timeouts.Block,
			"If the Job needs more time, raise the "+w.Timeouts.Block+" of the "+w.Noun+".")))
}

// JobGone returns the error about a Job that was deleted while an action waited for its end. last is its last message.
func JobGone(id manifest.Identity, last string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Job Gone", diagnostics.Paragraphs(
		id.String()+" was deleted before the provider saw its end. The provider does not know whether it succeeded.",
		diagnostics.Given(last, "Its last message: "+last),
		"Somebody may have deleted it. Or the cluster deleted it after its end, because of ttlSecondsAfterFinished "+
			"of the Job or the history limits of a CronJob. Keep an ended Job for a minute or more, and grant the "+
			"connection's user the verb watch for jobs."))
}

// GoneUnexported returns the error of a plan that exports values of a Job that has run and is gone.
func GoneUnexported(id manifest.Identity) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Job Is Gone", fmt.Sprintf(
		"%s was complete, and is gone, so that nothing more of it can be exported.\n\nTake that back, or run the Job "+
			"again with -replace=ADDRESS.", id))
}

// NotRestarted returns the error about a workload that an action refuses to restart.
func NotRestarted(err *operations.NotRestartedError) diag.Diagnostic {
	why, next := "its rollouts are paused, so that no pod would be replaced", "Resume it first: set spec.paused to "+
		"false, or run kubectl rollout resume."
	switch err.Why {
	case operations.OnDelete:
		why, next = "its update strategy is OnDelete, so that only a pod that somebody deletes is replaced",
			"Delete its pods, or change spec.updateStrategy."
	case operations.Partition:
		why, next = "the partition of its update strategy is not below its replicas, so that no pod would be replaced",
			"Lower spec.updateStrategy.rollingUpdate.partition."
	case operations.Declared:
		why = fmt.Sprintf("%q applies the annotation %s, and its next apply would set it back and restart the pods "+
			"again", err.By, operations.RestartAnnotation)
		next = "Remove the annotation from that manifest, or change it there to restart the pods."
	}
	return diag.NewErrorDiagnostic("Not Restarted", fmt.Sprintf("%s was not restarted: %s.\n\n%s",
		err.Object, why, next))
}

// notReady returns the sentence about the end of a wait.
func notReady(err *waiting.NotReadyError) string {
	waited := duration.HumanDuration(err.Waited.Round(time.Second))
	var missing *cluster.Error
	switch {
	case err.Interrupted:
		return fmt.Sprintf("The wait for %s was interrupted after %s.", err.Object, waited)
	case cluster.ReasonOf(err.Missing) == cluster.ReasonAPIUnavailable && errors.As(err.Missing, &missing):
		return fmt.Sprintf("%s cannot be read: %s. The apply waited %s for it.", err.Object, missing.Message, waited)
	case cluster.ReasonOf(err.Missing) == cluster.ReasonKindNotServed && errors.As(err.Missing, &missing):
		return fmt.Sprintf("%s does not exist: %s. The apply waited %s for it.", err.Object, missing.Message, waited)
	case err.Missing != nil && err.Deleted:
		return fmt.Sprintf("%s does not exist: it was deleted while the apply waited for it. The apply waited %s in "+
			"all.", err.Object, waited)
	case err.Missing != nil:
		return fmt.Sprintf("%s does not exist. The apply waited %s for it.", err.Object, waited)
	case err.Status.State == readiness.Failed:
		return fmt.Sprintf("%s cannot become ready (%s).", err.Object, err.Status.Reason)
	default:
		return fmt.Sprintf("%s was not ready after %s.", err.Object, waited)
	}
}

// afterWait describes what to do about an object that is not ready. If the apply itself applied the object, the outcome
// describes it.
func afterWait(w diagnostics.Names, err *waiting.NotReadyError, outcome Outcome) string {
	longer := diagnostics.Given(w.Timeouts.Block, ", or raise the "+w.Timeouts.Block) + "."
	switch {
	case err.Interrupted, outcome == OnlyReported, outcome == Stays, outcome == Tainted, outcome == NotUndone,
		outcome == PatchedAgain, outcome == StateKept, outcome == ReadFailed, outcome == ReadUnready:
		return ""
	case cluster.ReasonOf(err.Missing) == cluster.ReasonAPIUnavailable:
		return endings.RepairAPI(err.Missing)
	case cluster.ReasonOf(err.Missing) == cluster.ReasonKindNotServed:
		return diagnostics.NearestKinds(err.Missing) + "Correct " + w.Target + ", install the " +
			"CustomResourceDefinition" + longer
	case err.Missing != nil:
		return "Correct " + w.Target + ", find out why nobody has created the object" + longer
	case err.Status.State == readiness.Failed:
		return "Repair the problem that the object reports."
	default:
		return "Find out what the object waits for" + longer
	}
}

// WatchRefused warns that a wait polls an object because the user may not watch it.
func WatchRefused(id manifest.Identity, err error) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Watch Not Allowed", fmt.Sprintf(
		"%s: the API server does not let this user watch the object: %s\n\nThe provider reads it from time to time "+
			"instead. Allow the verb watch to save requests.", id, err))
}

// HookFailed returns the error about a hook of a chart that has failed, or has not ended in time. isRemoved is true if
// it is deleted then.
func HookFailed(event string, err *waiting.NotReadyError, isRemoved bool) diag.Diagnostic {
	problem := fmt.Sprintf("The %s hook %s has failed (%s).", event, err.Object, err.Status.Reason)
	if err.Status.State != readiness.Failed {
		problem = fmt.Sprintf("The %s hook %s had not ended after %s. ", event, err.Object,
			duration.HumanDuration(err.Waited.Round(time.Second)))
		if isRemoved && !err.Interrupted {
			problem += "Its policy hook-failed deletes it."
		} else {
			problem += "It goes on."
		}
	}
	objects := "The objects of the set are as the configuration says."
	switch {
	case event == "pre-delete":
		objects = "Nothing was done to the objects of the set."
	case strings.HasPrefix(event, "pre-"):
		objects = "Of the objects of the set, at most new namespaces and definitions were created."
	case event == "post-delete":
		objects = "The objects of the set are deleted."
	}
	return diag.NewErrorDiagnostic("Hook Failed", diagnostics.Paragraphs(problem, err.Status.Message,
		explained(err.Explanation, commands(err.Object, err.Explanation)), objects,
		"Repair the cause and run the command again. Hooks that have ended well, and are still on the "+
			"cluster, do not run again."))
}

// OfHook returns the error about a request for a hook, given the one about its object.
func OfHook(event string, id manifest.Identity, explained diag.Diagnostic) diag.Diagnostic {
	text := explained.Detail()
	if strings.HasPrefix(text, id.String()) {
		text = "The " + event + " hook " + text
	}
	return diagnostics.Of(explained.Severity(), explained.Summary(), text)
}

// HooksLost returns the warning about hooks of a destroy that do not run because they cannot be created.
func HooksLost(event string, hooks []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Hooks Not Run", "These "+event+" hooks do not run, because their namespace or "+
		"their kind is gone, and with it what is in the namespace or of the kind:\n"+diagnostics.Lines(hooks)+
		"\n\nThe destroy goes on. If they clean up anything elsewhere, do that by hand.")
}

// HookGone returns the error about a hook that was deleted before it had ended.
func HookGone(event string, id manifest.Identity) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Hook Failed", fmt.Sprintf("The %s hook %s was deleted before it had ended, so "+
		"it is not known whether it has done its work.\n\nRun the command again, which creates it again.", event, id))
}

// HookExists returns the error about an object with the name of a hook. isHook reports whether it is a hook itself.
func HookExists(event string, id manifest.Identity, isHook bool) diag.Diagnostic {
	text := "and it is no hook, so it was left alone.\n\nRename one of them, or delete the object."
	if isHook {
		text = "and its annotation helm.sh/hook-delete-policy has no before-hook-creation, which would delete it.\n\n" +
			"Delete it with kubectl, or ask the maker of the chart for that policy."
	}
	return diag.NewErrorDiagnostic("Hook Exists", fmt.Sprintf("The object of the %s hook %s exists, ", event, id)+text)
}

// HookKept returns the warning about a hook that has left the configuration and could not be changed. explained
// contains the reason.
func HookKept(explained diag.Diagnostic) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Hook Kept", "A hook that has left the configuration stays on the cluster as it "+
		"is. "+explained.Detail()+"\n\nIf it comes back with the same manifest, delete this object first. Otherwise "+
		"the hook counts as run.")
}
