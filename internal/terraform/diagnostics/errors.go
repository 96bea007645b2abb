package diagnostics

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/obstacles"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patching"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// Error returns the diagnostic for a failed operation on an object.
func (w Names) Error(operation Operation, id manifest.Identity, err error) diag.Diagnostic {
	for _, explained := range []explainer{
		as(func(err *run.StillRefusedError) diag.Diagnostic { return stillRefused(w, operation, id, err) }),
		as(func(err *ssa.ListsError) diag.Diagnostic { return refusedLists(w, err) }),
		as(func(err *run.AlreadyExistsError) diag.Diagnostic { return alreadyExists(w, err) }),
		as(func(err *run.RecreatedError) diag.Diagnostic { return w.RecreatedKept(err, Replacement) }),
		as(func(err *run.NameInUseError) diag.Diagnostic { return nameInUse(err.Object) }),
		as(func(err *run.SharedError) diag.Diagnostic { return appliedTwice(w, err) }),
		as(func(err *run.PatchedError) diag.Diagnostic { return patchedBefore(w, err) }),
		as(func(err *patching.PatchError) diag.Diagnostic { return unfitPatch(w, err) }),
		as(ownsNothing),
		as(func(err *ssa.UnreplaceableError) diag.Diagnostic { return unreplaceable(w, err) }),
		as(func(err *cluster.OutcomeUnknownError) diag.Diagnostic { return mayExist(operation, err) }),
		as(func(err *run.AlreadyManagedError) diag.Diagnostic { return alreadyManaged(w, err) }),
		as(func(err *run.ProtectedError) diag.Diagnostic {
			return w.Protected(err.Object, Replacement, w.ByRule(arguments.DeleteProtection, ""))
		}),
		as(func(err *wanted.NotIgnorableError) diag.Diagnostic { return cannotIgnore(w, id, err) }),
		as(func(err *obstacles.DuplicateItemError) diag.Diagnostic { return duplicateItem(w, operation, err) }),
		as(func(err *obstacles.PinsRefusedError) diag.Diagnostic { return pinsRefused(w, operation, err) }),
		as(func(err *obstacles.HalfRemovedError) diag.Diagnostic { return halfRemoved(w, operation, err) }),
		as(func(err *obstacles.UnremovableError) diag.Diagnostic { return unremovable(w, operation, err) }),
		as(func(err *obstacles.DefaultsError) diag.Diagnostic { return besideDefaults(w, operation, err) }),
		as(func(err *obstacles.BlockedError) diag.Diagnostic { return blockedBy(w, operation, err) }),
		as(func(err *obstacles.HeldError) diag.Diagnostic { return heldByOthers(w, operation, err) }),
		as(func(err *obstacles.ChangeRefusedError) diag.Diagnostic { return changeRefused(w, operation, err) }),
		as(func(err *run.StillMissingError) diag.Diagnostic { return stillMissing(w, operation, id, err) }),
		as(func(err *cluster.OtherClusterError) diag.Diagnostic { return elsewhere(operation, id, err) }),
		as(func(err *cluster.HiddenError) diag.Diagnostic { return unrecognized(operation, id, err) }),
		as(func(err *cluster.Error) diag.Diagnostic { return explain(w, operation, err) }),
	} {
		if d := explained(err); d != nil {
			return d
		}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		failure := &cluster.Error{Reason: cluster.ReasonTimeout, Object: id, Message: "the timeout ran out"}
		return explain(w, operation, failure)
	}
	return diag.NewErrorDiagnostic("Unexpected Error", detail(operation, id, err.Error(), ReportBug))
}

// explainer returns the diagnostic for an error; nil for an error of another type.
type explainer func(error) diag.Diagnostic

// as returns the explainer of the errors of one type.
func as[E error](explain func(E) diag.Diagnostic) explainer {
	return func(err error) diag.Diagnostic {
		if found, is := errors.AsType[E](err); is {
			return explain(found)
		}
		return nil
	}
}

func cannotIgnore(w Names, id manifest.Identity, err *wanted.NotIgnorableError) diag.Diagnostic {
	reason := "is atomic: the API server gives it one owner as a whole"
	if err.Why == projection.ItemKey {
		reason = "is a list item, and the ignored field is part of its key"
	}
	return diag.NewErrorDiagnostic("Field Cannot Be Ignored Alone", fmt.Sprintf(
		"%s: %s contains %q, but %s %s.\n\n%s", id, w.Named(arguments.IgnoreFields), err.Pattern, err.Whole, reason,
		w.Adding("Ignore all of it instead", id, arguments.IgnoreFields, []string{err.Whole})))
}

// ConnectionUnknown returns the error of a read with a connection that is known only after the apply.
func (w Names) ConnectionUnknown(id manifest.Identity) diag.Diagnostic {
	next := "Name the resource that creates the cluster in depends_on of this " + w.Noun + ", so that it is read " +
		"after that, or create the cluster first."
	if w.Reads.KnownInApply != "" {
		next = "Set the connection in `" + w.Cluster + "` of this " + w.Noun +
			" too, so that it is read in the apply, or create the cluster first."
	}
	return diag.NewErrorDiagnostic(connectionUnknownSummary, detail(Read, id, "the cluster connection is only known "+
		"after the apply", next))
}

// UnreadableOwnership returns the error of an object whose managedFields cannot be parsed.
func UnreadableOwnership(id manifest.Identity, err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Unreadable Ownership",
		detail(Read, id, err.Error(), "Check who wrote metadata.managedFields of the object."))
}

// NotListed warns about a list that is incomplete, in the way that summary names. explained contains the reason.
func NotListed(summary string, explained diag.Diagnostic) diag.Diagnostic {
	return diag.NewWarningDiagnostic(summary, explained.Summary()+": "+explained.Detail())
}

// LimitReached warns that a list contains fewer objects than were found.
func (w Names) LimitReached(found, limit int) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Objects Left Out", fmt.Sprintf("%d objects match, and the %s returns the "+
		"first %d of them.\n\nSet limit = %[1]d in the %[2]s block, outside of its config, or narrow the list.",
		found, w.Noun, limit))
}

// ReportBug ends the string of a diagnostic that only a bug can cause.
const ReportBug = "This is a bug in the provider. Please report it."

// connectionUnknownSummary is the summary of errors about a connection that is not known yet.
const connectionUnknownSummary = "Cluster Connection Unknown"

// ConnectionStillUnknown returns the error of an apply whose connection is unknown.
func ConnectionStillUnknown() diag.Diagnostic {
	return diag.NewErrorDiagnostic(connectionUnknownSummary, Paragraphs(
		"The cluster connection is still unknown during the apply.", ReportBug))
}

// UnexpectedProviderData returns the error about data of another type than the provider hands to its resources.
func UnexpectedProviderData(data any) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Unexpected Provider Data", fmt.Sprintf("The provider received a %T. ",
		data)+ReportBug)
}

const unreadableSummary = "Unreadable Private State"

// UnreadablePrivateState returns the error about the record of an object in private state.
func UnreadablePrivateState(err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic(unreadableSummary,
		"The provider's record of the object cannot be read: "+err.Error()+".\n\nIf a newer version of the "+
			"provider wrote the state, use that version. Otherwise run terraform state rm, and import the object.")
}

// UnreadablePlan returns the error about the record of an object in the private state of a plan.
func UnreadablePlan(err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic(unreadableSummary,
		"The plan's record of the object cannot be read: "+err.Error()+".\n\nPlan again.")
}

// UnwritablePrivateState returns the error about a record that cannot be stored in private state.
func UnwritablePrivateState(err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Unwritable Private State", err.Error())
}
