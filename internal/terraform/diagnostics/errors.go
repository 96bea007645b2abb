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
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// Error returns the diagnostic for a failed operation on an object.
func (w Names) Error(operation Operation, id manifest.Identity, err error) diag.Diagnostic {
	if refused, is := errors.AsType[*run.StillRefusedError](err); is {
		return stillRefused(w, operation, id, refused)
	}
	if lists, is := refusedLists(w, err); is {
		return lists
	}
	if existing, is := existing(w, err); is {
		return existing
	}
	if part, is := refusedPart(w, err); is {
		return part
	}
	if immutable, is := errors.AsType[*ssa.UnreplaceableError](err); is {
		return unreplaceable(w, immutable)
	}
	if unclear, is := errors.AsType[*cluster.OutcomeUnknownError](err); is {
		return mayExist(operation, unclear)
	}
	if managed, is := errors.AsType[*run.AlreadyManagedError](err); is {
		return alreadyManaged(w, managed)
	}
	if protected, is := errors.AsType[*run.ProtectedError](err); is {
		return w.Protected(protected.Object, Replacement, w.ByRule(arguments.DeleteProtection, ""))
	}
	var notIgnorable *wanted.NotIgnorableError
	if errors.As(err, &notIgnorable) {
		return cannotIgnore(w, id, notIgnorable)
	}
	if refusal, is := inTheWay(w, operation, err); is {
		return refusal
	}
	var missing *run.StillMissingError
	if errors.As(err, &missing) {
		return stillMissing(w, operation, id, missing)
	}
	if guarded, is := notOfState(operation, id, err); is {
		return guarded
	}
	var failure *cluster.Error
	if errors.As(err, &failure) {
		return explain(w, operation, failure)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		failure = &cluster.Error{Reason: cluster.ReasonTimeout, Object: id, Message: "the timeout ran out"}
		return explain(w, operation, failure)
	}
	return diag.NewErrorDiagnostic("Unexpected Error", detail(operation, id, err.Error(), ReportBug))
}

// inTheWay returns the diagnostic for a refusal because of fields of the live object; false for other errors.
func inTheWay(w Names, operation Operation, err error) (diag.Diagnostic, bool) {
	var duplicate *obstacles.DuplicateItemError
	if errors.As(err, &duplicate) {
		return duplicateItem(w, operation, duplicate), true
	}
	if pins, is := errors.AsType[*obstacles.PinsRefusedError](err); is {
		return pinsRefused(w, operation, pins), true
	}
	var half *obstacles.HalfRemovedError
	if errors.As(err, &half) {
		return halfRemoved(w, operation, half), true
	}
	if kept, is := errors.AsType[*obstacles.UnremovableError](err); is {
		return unremovable(w, operation, kept), true
	}
	if defaults, is := errors.AsType[*obstacles.DefaultsError](err); is {
		return besideDefaults(w, operation, defaults), true
	}
	if blocked, is := errors.AsType[*obstacles.BlockedError](err); is {
		return blockedBy(w, operation, blocked), true
	}
	if held, is := errors.AsType[*obstacles.HeldError](err); is {
		return heldByOthers(w, operation, held), true
	}
	if refused, is := errors.AsType[*obstacles.ChangeRefusedError](err); is {
		return changeRefused(w, operation, refused), true
	}
	return nil, false
}

// existing returns the error about an object of another client instead of the resource's own, and false for others.
func existing(w Names, err error) (diag.Diagnostic, bool) {
	if exists, is := errors.AsType[*run.AlreadyExistsError](err); is {
		return alreadyExists(w, exists), true
	}
	if recreated, is := errors.AsType[*run.RecreatedError](err); is {
		return w.RecreatedKept(recreated, Replacement), true
	}
	if inUse, is := errors.AsType[*run.NameInUseError](err); is {
		return nameInUse(inUse.Object), true
	}
	return nil, false
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
