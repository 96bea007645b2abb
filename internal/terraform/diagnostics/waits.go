package diagnostics

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/registry"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/restarting"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/phrases"
)

// Awaited returns the warning about what the apply of a plan will wait for, up to timeout. It returns false if no
// warning is needed.
func (w Words) Awaited(plan ssa.Plan, timeout time.Duration) (diag.Diagnostic, bool) {
	if plan.Awaited == nil || plan.AwaitsOwn {
		return nil, false
	}
	switch plan.Awaited.Reason {
	case cluster.ReasonNotFound:
		return w.targetMissing(plan.Object, timeoutText(timeout)), true
	case cluster.ReasonNamespaceNotFound:
		return namespaceMissing(plan.Object, plan.Awaited, timeout), true
	case cluster.ReasonWebhookUnreachable:
		if webhook, is := errors.AsType[*cluster.WebhookUnreachableError](plan.Awaited); is {
			return webhookMissing(plan.Object, webhook, timeout), true
		}
		return nil, false
	default:
		return w.notServedYet(plan.Awaited, timeout)
	}
}

// namespaceMissing warns of a namespace that the apply waits for. The summary names the namespace. So the CLI folds the
// warnings of all objects in it.
func namespaceMissing(id manifest.Identity, awaited *cluster.Error, timeout time.Duration) diag.Diagnostic {
	meant := "."
	if missing, is := errors.AsType[*cluster.NamespaceNotFoundError](awaited); is && len(missing.Nearest) > 0 {
		meant = fmt.Sprintf("; did you mean %q?", missing.Nearest[0])
	}
	return diag.NewWarningDiagnostic(common("Namespace Not Found Yet", id.Namespace), fmt.Sprintf(
		"%s: namespace %q does not exist%s The apply waits up to %s for it.\n\n"+
			"If this configuration creates the namespace, name that resource in depends_on, and nothing has to wait.",
		id, id.Namespace, meant, timeoutText(timeout)))
}

// webhookMissing warns of an admission webhook that the apply waits for. The summary names the webhook. So the CLI
// folds the warnings of all objects that it admits.
func webhookMissing(id manifest.Identity, webhook *cluster.WebhookUnreachableError, timeout time.Duration) diag.Diagnostic {
	return diag.NewWarningDiagnostic(common("Webhook Not Reachable Yet", webhook.Name), fmt.Sprintf(
		"%s: the API server cannot reach the admission webhook %q (%s), and refuses such objects until it can. The apply waits up to %s "+
			"for it. Until then, the plan cannot predict the owners of the fields.\n\n"+
			"If this configuration installs the webhook, name that resource in depends_on. Otherwise ask the webhook's owner.",
		id, webhook.Name, cmp.Or(webhook.Address, "address unknown"), timeoutText(timeout)))
}

// timeoutText returns a timeout as configurations write it, "2m".
func timeoutText(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// notServedYet warns of a kind that the apply will wait for and that looks like a mistake, because its group serves a
// similar one, and false otherwise. Its summary names the kind, and no object of it.
func (w Words) notServedYet(awaited *cluster.Error, timeout time.Duration) (diag.Diagnostic, bool) {
	group, _, _ := strings.Cut(awaited.Object.APIVersion, "/")
	unserved, is := errors.AsType[*cluster.KindNotServedError](awaited)
	if awaited.Reason != cluster.ReasonKindNotServed || !is {
		return nil, false
	}
	similar := slices.DeleteFunc(slices.Clone(unserved.Nearest), func(kind string) bool { return !strings.HasPrefix(kind, group+"/") })
	if len(similar) == 0 {
		return nil, false
	}
	limit := cmp.Or(phrases.Given(w.Timeouts, w.Timeouts+".create"), timeoutText(timeout))
	return diag.NewWarningDiagnostic(common("Kind Not Served Yet", awaited.Object.APIVersion+" "+awaited.Object.Kind), fmt.Sprintf(
		"%s: %s. The apply waits for it up to %s.\n\nIf this apply does not install the kind, correct apiVersion and kind. The "+
			"nearest kinds that the cluster serves are %s.", awaited.Object, awaited.Message, limit, strings.Join(similar, ", "))), true
}

// stillMissing returns the error about something that an operation waited for in vain.
func (w Words) stillMissing(operation Operation, id manifest.Identity, err *registry.StillMissingError) diag.Diagnostic {
	next := "Create it first: name the resource that creates it in depends_on" + phrases.Given(w.Timeouts, ", or raise "+w.Timeouts+".create") + "."
	seen := err.Error()
	var last *cluster.Error
	if errors.As(err.Last, &last) {
		id, seen = last.Object, fmt.Sprintf("%s; waited %s for it", last.Message, err.Waited.Round(time.Second))
		next = nearest(last) + next
	}
	summary := "Dependency Still Missing"
	switch reason := cluster.ReasonOf(err); {
	case err.End == registry.GaveWay:
		return diag.NewErrorDiagnostic(summary, detail(operation, id, seen, gaveWay))
	case reason == cluster.ReasonNamespaceTerminating:
		summary, next = explanations[reason].summary, explanations[reason].next(w)
	case reason == cluster.ReasonWebhookUnreachable:
		summary, next = explanations[reason].summary, webhookAway(operation)+" If this configuration installs the webhook, name that "+
			"resource in depends_on"+phrases.Given(w.Timeouts, ", or raise the "+w.Timeouts+" of this one")+"."
	}
	return diag.NewErrorDiagnostic(summary, detail(operation, id, seen, next))
}

const gaveWay = "All operations that Terraform ran at the same time were waiting, so the provider ended the wait early: the resource that " +
	"they wait for may be queued behind them. Apply again. To need only one apply, create the namespace, definition or webhook in a separate " +
	"resource block and name that block in depends_on here, or set -parallelism above the number of objects."

// nearest returns a sentence with the names that the user may have meant, and "" if no name is similar.
func nearest(err error) string {
	if missing, is := errors.AsType[*cluster.NamespaceNotFoundError](err); is && len(missing.Nearest) > 0 {
		return fmt.Sprintf("The nearest namespaces that exist are %s. ", strings.Join(missing.Nearest, ", "))
	}
	return nearestKinds(err)
}

// Outcome is what a failed wait means for the resource.
type Outcome string

// The outcomes of an apply that waits, with what to do about each.
const (
	// OnlyReported: the failure is a warning.
	OnlyReported Outcome = "The object was applied. The next apply waits for it again."
	// Tainted: the object was created, and the apply fails.
	Tainted Outcome = "The object exists, and Terraform marks the resource as tainted: the next apply replaces the object. To keep it, run terraform untaint; " +
		"the next apply waits for it again."
	// StateKept: the object was changed, and the apply fails.
	StateKept Outcome = "The object was applied, and the state is as it was before: the next plan has the change again, and its apply waits again."

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
	ReadUnready Outcome = "The values are those that the provider saw last. Each run reads the object, and waits for it, again."
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
	return o == OnlyReported || o == WaitsAgain || o == ReadUnready || o == ActionReported
}

// NotReady returns the error, or the warning, about an object that is not ready after an apply or a read has waited for
// it.
func (w Words) NotReady(err *waiting.NotReadyError, outcome Outcome) diag.Diagnostic {
	text := phrases.Paragraphs(notReady(err), err.Status.Message, explained(err.Explanation), string(outcome), w.afterWait(err, outcome))
	if outcome.isReported() {
		return diag.NewWarningDiagnostic(about("Object Not Ready", err.Object), text)
	}
	return diag.NewErrorDiagnostic("Object Not Ready", text)
}

// JobNotComplete returns the error about a Job that has failed, or that did not complete in time. logs is the command
// that prints the Job's logs.
func (w Words) JobNotComplete(err *waiting.NotReadyError, logs string) diag.Diagnostic {
	if err.Status.State == readiness.Failed && err.Status.Final {
		return diag.NewErrorDiagnostic("Job Failed", phrases.Paragraphs(
			fmt.Sprintf("%s has failed (%s).", err.Object, err.Status.Reason), err.Status.Message, explained(err.Explanation),
			"To read what its pods have written, run:\n\n  "+logs,
			"Repair the cause and invoke the action again. It starts a new Job."))
	}
	if err.Status.State == readiness.Failed {
		return diag.NewErrorDiagnostic("Job Not Complete", phrases.Paragraphs(
			fmt.Sprintf("%s cannot complete (%s). It goes on trying.", err.Object, err.Status.Reason), err.Status.Message, explained(err.Explanation),
			"Repair the cause. If the Job itself has to change, delete it and invoke the action again."))
	}
	return diag.NewErrorDiagnostic("Job Not Complete", phrases.Paragraphs(
		fmt.Sprintf("%s was not complete after %s. It goes on.", err.Object, duration.HumanDuration(err.Waited.Round(time.Second))),
		err.Status.Message, explained(err.Explanation), "To read what its pods write, run:\n\n  "+logs,
		phrases.Given(w.Timeouts, "If the Job needs more time, raise the "+w.Timeouts+" of the "+w.Noun+".")))
}

// JobGone returns the error about a Job that was deleted while an action waited for its end. last is its last message.
func JobGone(id manifest.Identity, last string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Job Gone", phrases.Paragraphs(
		id.String()+" was deleted before the provider saw its end. The provider does not know whether it succeeded.", phrases.Given(last, "Its last message: "+last),
		"Somebody may have deleted it. Or the cluster deleted it after its end, because of ttlSecondsAfterFinished of the Job or the history limits of a CronJob. "+
			"Keep an ended Job for a minute or more, and grant the connection's user the verb watch for jobs."))
}

// NotRestarted returns the error about a workload that an action refuses to restart.
func NotRestarted(err *restarting.RefusedError) diag.Diagnostic {
	why, next := "its rollouts are paused, so that no pod would be replaced", "Resume it first: set spec.paused to false, or run kubectl rollout resume."
	switch err.Why {
	case restarting.OnDelete:
		why, next = "its update strategy is OnDelete, so that only a pod that somebody deletes is replaced", "Delete its pods, or change spec.updateStrategy."
	case restarting.Partition:
		why, next = "the partition of its update strategy is not below its replicas, so that no pod would be replaced", "Lower spec.updateStrategy.rollingUpdate.partition."
	case restarting.Declared:
		why = fmt.Sprintf("%q applies the annotation %s, and its next apply would set it back and restart the pods again", err.By, restarting.Annotation)
		next = "Remove the annotation from that manifest, or change it there to restart the pods."
	}
	return diag.NewErrorDiagnostic("Not Restarted", fmt.Sprintf("%s was not restarted: %s.\n\n%s", err.Object, why, next))
}

// Cancelled returns the error about an action that the user has ended. goesOn describes what continues on the cluster.
func (w Words) Cancelled(goesOn string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Action Cancelled", phrases.Paragraphs("The "+w.Noun+" "+w.Type+" was cancelled.", cmp.Or(goesOn, "It has changed nothing.")))
}

// notReady returns the sentence about the end of a wait.
func notReady(err *waiting.NotReadyError) string {
	waited := duration.HumanDuration(err.Waited.Round(time.Second))
	var missing *cluster.Error
	switch {
	case cluster.ReasonOf(err.Missing) == cluster.ReasonKindNotServed && errors.As(err.Missing, &missing):
		return fmt.Sprintf("%s does not exist: %s. The apply waited %s for it.", err.Object, missing.Message, waited)
	case err.Missing != nil && err.Deleted:
		return fmt.Sprintf("%s does not exist: it was deleted while the apply waited for it. The apply waited %s in all.", err.Object, waited)
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
func (w Words) afterWait(err *waiting.NotReadyError, outcome Outcome) string {
	longer := phrases.Given(w.Timeouts, ", or raise the "+w.Timeouts) + "."
	switch {
	case !slices.Contains([]Outcome{WaitsAgain, NotStored, PriorKept, ActionFailed, ActionReported, RestartFailed}, outcome):
		return ""
	case cluster.ReasonOf(err.Missing) == cluster.ReasonKindNotServed:
		return nearestKinds(err.Missing) + "Correct " + w.Target + ", install the CustomResourceDefinition" + longer
	case err.Missing != nil:
		return "Correct " + w.Target + ", find out why nobody has created the object" + longer
	case err.Status.State == readiness.Failed:
		return "Repair the problem that the object reports."
	default:
		return "Find out what the object waits for" + longer
	}
}

// explained returns what pods and events show about an object that is not ready.
func explained(e waiting.Explanation) string {
	var causes []string
	for _, cause := range e.Causes {
		text := "pod " + cause.Pod
		if cause.Container != "" {
			text += ", container " + cause.Container
		}
		text += ": " + cause.Reason
		if cause.Message != "" {
			text += ": " + cause.Message
		}
		if cause.ExitCode != nil {
			text += fmt.Sprintf(" (last exit code %d)", *cause.ExitCode)
		}
		causes = append(causes, strings.ReplaceAll(text, "\n", "\n    "))
	}
	var events []string
	for _, event := range e.Events {
		events = append(events, strings.ReplaceAll(event, "\n", "\n    "))
	}
	return phrases.Paragraphs(
		phrases.Given(phrases.Lines(causes), "Its new pods say:\n"+phrases.Lines(causes)),
		phrases.Given(phrases.Lines(events), "The newest warnings about it:\n"+phrases.Lines(events)),
		strings.Join(e.Hidden, "\n"),
	)
}

// WatchRefused warns that a wait polls an object because the user may not watch it.
func WatchRefused(id manifest.Identity, err error) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Watch Not Allowed", fmt.Sprintf(
		"%s: the API server does not let this user watch the object: %s\n\nThe provider reads it from time to time instead. Allow the verb watch to save requests.", id, err))
}
