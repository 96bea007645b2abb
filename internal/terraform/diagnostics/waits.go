package diagnostics

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/endings"
)

// Awaited returns the warning about the object or kind that the apply of a plan will wait for, up to timeout. It
// returns false if no warning is needed.
func (w Names) Awaited(plan ssa.Plan, timeout time.Duration) (diag.Diagnostic, bool) {
	if plan.Awaited.Err == nil || plan.Awaited.IsPlanned {
		return nil, false
	}
	if plan.Awaited.Redefined != "" {
		return schemaChanges(w, plan, timeout), true
	}
	switch plan.Awaited.Err.Reason {
	case cluster.ReasonNotFound:
		return targetMissing(w, plan.Object, timeoutText(timeout)), true
	case cluster.ReasonNamespaceNotFound:
		return namespaceMissing(plan.Object, plan.Awaited.Err, timeout), true
	case cluster.ReasonNamespaceTerminating:
		return terminatingYet(plan.Object, "namespace "+plan.Object.Namespace, plan.Awaited.Err, timeout), true
	case cluster.ReasonWebhookUnreachable:
		if webhook, is := errors.AsType[*cluster.WebhookUnreachableError](plan.Awaited.Err); is {
			return webhookMissing(w, plan.Object, webhook, timeout), true
		}
		return nil, false
	case cluster.ReasonNotYetAdmitted:
		if missing, is := errors.AsType[*cluster.NotYetAdmittedError](plan.Awaited.Err); is {
			return notAdmittedYet(plan.Object, missing, timeout), true
		}
		return nil, false
	case cluster.ReasonAPIUnavailable:
		return unavailableYet(w, plan.Awaited.Err, timeout), true
	default:
		return notServedYet(w, plan.Awaited.Err, timeout)
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
		"%s: namespace %q does not exist%s The apply waits up to %s for it.\n\nIf this configuration creates the "+
			"namespace, name that resource in depends_on, and nothing has to wait.",
		id, id.Namespace, meant, timeoutText(timeout)))
}

// notAdmittedYet warns of something without which the API server refuses an object, and that the apply waits for. The
// summary names it. So the CLI folds the warnings of all objects that refer to it.
func notAdmittedYet(id manifest.Identity, awaited *cluster.NotYetAdmittedError, timeout time.Duration) diag.Diagnostic {
	next := "If this configuration creates it, name that resource in depends_on, and nothing has to wait."
	if awaited.IsTerminating {
		return terminatingYet(id, awaited.Awaited, awaited, timeout)
	}
	if awaited.Ending != nil {
		return diag.NewWarningDiagnostic(common("Terminating", awaited.Awaited), Paragraphs(
			endings.Since(*awaited.Ending), endings.Next(*awaited.Ending),
			"The apply waits up to "+timeoutText(timeout)+" until it is gone, and creates it again."))
	}
	if awaited.ByController {
		next = byController
	}
	return diag.NewWarningDiagnostic(common("Dependency Not Ready Yet", awaited.Awaited), fmt.Sprintf(
		"%s: %s, and the API server refuses the object until then. The apply waits up to %s for it.\n\n%s",
		id, awaited, timeoutText(timeout), next))
}

const byController = "A controller of the cluster does that, usually within seconds. If it takes longer, check that " +
	"kube-controller-manager runs."

// terminatingYet warns of a namespace or a definition that the apply waits for. The summary names it. So the CLI folds
// the warnings of all objects in it.
func terminatingYet(id manifest.Identity, what string, awaited error, timeout time.Duration) diag.Diagnostic {
	return diag.NewWarningDiagnostic(common("Terminating", what),
		endings.Awaited(id, what, awaited, timeoutText(timeout)))
}

// webhookMissing warns of an admission webhook that the apply waits for. The summary names the webhook. So the CLI
// folds the warnings of all objects that it admits.
func webhookMissing(
	w Names, id manifest.Identity, webhook *cluster.WebhookUnreachableError, timeout time.Duration,
) diag.Diagnostic {
	installs := "If this configuration installs the webhook, name that resource in depends_on."
	if w.IsSet() {
		installs = "If this set installs it, move the objects that it checks into another set, with depends_on."
	}
	return diag.NewWarningDiagnostic(common("Webhook Not Reachable Yet", webhook.Name), fmt.Sprintf(
		"%s: the API server cannot reach the admission webhook %q (%s), and refuses such objects until it can. The "+
			"apply waits up to %s for it. Until then, the plan cannot predict the owners of the fields.\n\n"+
			"%s Otherwise ask the webhook's owner.",
		id, webhook.Name, cmp.Or(webhook.Address, "address unknown"), timeoutText(timeout), installs))
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

// notServedYet warns of a kind that the apply will wait for. Its summary names the kind, and no object of it.
func notServedYet(w Names, awaited *cluster.Error, timeout time.Duration) (diag.Diagnostic, bool) {
	unserved, is := errors.AsType[*cluster.KindNotServedError](awaited)
	if awaited.Reason != cluster.ReasonKindNotServed || !is {
		return nil, false
	}
	similar := slices.DeleteFunc(slices.Clone(unserved.Nearest),
		func(kind string) bool { return !strings.HasPrefix(kind, awaited.Object.Group()+"/") })
	next := "If this configuration installs it, name that resource in depends_on. Else correct apiVersion and kind."
	if len(similar) > 0 {
		next = "If this apply does not install the kind, correct apiVersion and kind. " + servedInstead(similar)
	}
	return diag.NewWarningDiagnostic(
		common("Kind Not Served Yet", awaited.Object.APIVersion+" "+awaited.Object.Kind),
		waitsFor(w, awaited, timeout, next),
	), true
}

// unavailableYet warns of an aggregated API server that the apply will wait for. Its summary names the API version, and
// no object.
func unavailableYet(w Names, awaited *cluster.Error, timeout time.Duration) diag.Diagnostic {
	next := "If this configuration installs that server, name its resources in depends_on. "
	if w.IsSet() {
		next = ""
	}
	return diag.NewWarningDiagnostic(common("API Not Available Yet", awaited.Object.APIVersion),
		waitsFor(w, awaited, timeout, next+endings.RepairAPI(awaited)))
}

// waitsFor returns the detail of a warning about what the apply will wait for.
func waitsFor(w Names, awaited *cluster.Error, timeout time.Duration, next string) string {
	limit := cmp.Or(Given(w.Timeouts.Block, w.Timeouts.Block+".create"), timeoutText(timeout))
	return fmt.Sprintf("%s: %s. The apply waits for it up to %s.\n\n%s", awaited.Object, awaited.Message, limit, next)
}

// stillMissing returns the error about something that an operation waited for in vain.
func stillMissing(w Names, operation Operation, id manifest.Identity, err *run.StillMissingError) diag.Diagnostic {
	if operation == Created && !creates(w) {
		operation = Patched
	}
	if operation == Planned {
		operation = Applied
	}
	next := "Create it first: name the resource that creates it in " +
		"depends_on" + Given(w.Timeouts.Block, ", or raise "+w.Timeouts.Block+".create") + "."
	seen := err.Error()
	if last, is := errors.AsType[*cluster.Error](err.Last); is {
		id, seen = last.Object, fmt.Sprintf("%s; waited %s for it", last.Message, err.Waited.Round(time.Second))
		next = nearest(last) + next
	}
	summary := "Dependency Still Missing"
	switch reason := cluster.ReasonOf(err); {
	case err.End == run.GaveWay:
		return diag.NewErrorDiagnostic(summary, detail(operation, id, seen, gaveWay))
	case isByController(err):
		next = byController
	case reason == cluster.ReasonAPIUnavailable:
		next = endings.RepairAPI(err)
	case reason == cluster.ReasonNamespaceTerminating:
		summary, seen, next = explanations[reason].summary, endings.Seen(seen, err), endings.UntilGone(err)
	case endings.IsOfDefinition(err):
		seen, next = endings.Seen(seen, err), endings.UntilGone(err)
	case endings.Of(err) != nil:
		seen = endings.Seen(seen, err)
		next = Paragraphs(endings.Next(*endings.Of(err)), "When it is gone, apply again.")
	case reason == cluster.ReasonWebhookUnreachable:
		summary, next = explanations[reason].summary, webhookAway(operation)+" If this configuration installs the "+
			"webhook, name that "+
			"resource in depends_on"+Given(w.Timeouts.Block, ", or raise the "+w.Timeouts.Block+" of this one")+"."
	}
	return diag.NewErrorDiagnostic(summary, detail(operation, id, seen, next))
}

// isByController reports whether an operation waited for a controller of the cluster.
func isByController(err error) bool {
	missing, is := errors.AsType[*cluster.NotYetAdmittedError](err)
	return is && missing.ByController
}

const gaveWay = "All operations that Terraform ran at the same time were waiting, so the provider ended the wait " +
	"early: the resource that they wait for may be queued behind them. Apply again. To need only one apply, create " +
	"the namespace, definition or webhook in a separate resource block and name that block in depends_on here, or " +
	"raise -parallelism."

// nearest returns a sentence with the names that the user may have meant, and "" if no name is similar.
func nearest(err error) string {
	if missing, is := errors.AsType[*cluster.NamespaceNotFoundError](err); is && len(missing.Nearest) > 0 {
		return Number(len(missing.Nearest), "The nearest namespace that exists is ",
			"The nearest namespaces that exist are ") + strings.Join(missing.Nearest, ", ") + ". "
	}
	return NearestKinds(err)
}

// Cancelled returns the error about an action that the user has ended. goesOn describes what continues on the cluster.
func (w Names) Cancelled(goesOn string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Action Cancelled",
		Paragraphs("The "+w.Noun+" "+w.Type+" was cancelled.", cmp.Or(goesOn, "It has changed nothing.")))
}

// schemaChanges warns of a refusal that the new schema of the kind may lift. The summary names the definition. So the
// CLI folds the warnings of all objects of the kind.
func schemaChanges(w Names, plan ssa.Plan, timeout time.Duration) diag.Diagnostic {
	return diag.NewWarningDiagnostic(common("Schema Not Served Yet", plan.Awaited.Redefined), Paragraphs(
		fmt.Sprintf("%s: the API server refuses the object by the schema that it uses now: %s", plan.Object,
			strings.TrimSpace(seenOf(w, plan.Awaited.Err))),
		fmt.Sprintf("This configuration also changes CustomResourceDefinition %s, so the values are known after the "+
			"apply. The apply waits up to %s until the API server uses the new schema. It fails if that refuses the "+
			"object, too.", plan.Awaited.Redefined, timeoutText(timeout))))
}

// stillRefused returns the error about an object that the API server refuses in an apply that changes the definition of
// its kind.
func stillRefused(w Names, operation Operation, id manifest.Identity, err *run.StillRefusedError) diag.Diagnostic {
	explained := w.Error(operation, id, err.Err)
	said := fmt.Sprintf("This apply has changed CustomResourceDefinition %s, and the API server refuses the object by "+
		"the new schema.", err.Definition)
	if err.IsUnchanged {
		said = fmt.Sprintf("This apply changes CustomResourceDefinition %s, but had not done it when it stopped to "+
			"wait. Name the resource of the definition in depends_on of this %s.", err.Definition, w.Noun)
	}
	return diag.NewErrorDiagnostic("Schema Still Refuses", Paragraphs(explained.Detail(), said))
}
