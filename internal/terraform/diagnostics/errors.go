package diagnostics

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/registry"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
)

// Error returns the diagnostic for a failed operation on an object.
func (w Words) Error(operation Operation, id manifest.Identity, err error) diag.Diagnostic {
	if lists, is := w.refusedLists(err); is {
		return lists
	}
	if existing, is := w.existing(err); is {
		return existing
	}
	if part, is := w.refusedPart(err); is {
		return part
	}
	var unadoptable *ssa.UnadoptableError
	if errors.As(err, &unadoptable) {
		return w.cannotAdopt(unadoptable)
	}
	var unclear *cluster.OutcomeUnknownError
	if errors.As(err, &unclear) {
		return mayExist(operation, unclear)
	}
	var managed *registry.AlreadyManagedError
	if errors.As(err, &managed) {
		return w.alreadyManaged(managed)
	}
	if protected, is := errors.AsType[*ssa.ProtectedError](err); is {
		return w.Protected(protected.Object, Replacement)
	}
	var notIgnorable *intents.NotIgnorableError
	if errors.As(err, &notIgnorable) {
		return w.cannotIgnore(id, notIgnorable)
	}
	var duplicate *refusals.DuplicateItemError
	if errors.As(err, &duplicate) {
		return w.duplicateItem(operation, duplicate)
	}
	if pins, is := errors.AsType[*refusals.PinsRefusedError](err); is {
		return w.pinsRefused(operation, pins)
	}
	var half *refusals.HalfRemovedError
	if errors.As(err, &half) {
		return w.halfRemoved(operation, half)
	}
	var missing *registry.StillMissingError
	if errors.As(err, &missing) {
		return w.stillMissing(operation, id, missing)
	}
	if guarded, is := w.notOfState(operation, id, err); is {
		return guarded
	}
	var failure *cluster.Error
	if errors.As(err, &failure) {
		return w.explain(operation, failure)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		failure = &cluster.Error{Reason: cluster.ReasonTimeout, Object: id, Message: "the timeout ran out"}
		return w.explain(operation, failure)
	}
	return diag.NewErrorDiagnostic("Unexpected Error", detail(operation, id, err.Error(), "This is a bug in the provider. Please report it."))
}

// existing returns the error about an object of another client instead of the resource's own, and false for other errors.
func (w Words) existing(err error) (diag.Diagnostic, bool) {
	if exists, is := errors.AsType[*registry.AlreadyExistsError](err); is {
		return w.alreadyExists(exists), true
	}
	if recreated, is := errors.AsType[*registry.RecreatedError](err); is {
		return w.RecreatedKept(recreated, Replacement), true
	}
	if inUse, is := errors.AsType[*ssa.NameInUseError](err); is {
		return nameInUse(inUse.Object), true
	}
	return nil, false
}

func (w Words) cannotIgnore(id manifest.Identity, err *intents.NotIgnorableError) diag.Diagnostic {
	reason := "is atomic: the API server gives it one owner as a whole"
	if err.Why == projection.ItemKey {
		reason = "is a list item, and the ignored field is part of its key"
	}
	return diag.NewErrorDiagnostic("Field Cannot Be Ignored Alone", fmt.Sprintf(
		"%s: %s contains %q, but %s %s.\n\nIgnore all of it instead:\n\n%s",
		id, w.IgnoreFields, err.Pattern, err.Whole, reason, w.ignoreLine([]string{err.Whole})))
}

// ConnectionUnknown returns the error of a read with a connection that is known only after the apply.
func (w Words) ConnectionUnknown(id manifest.Identity) diag.Diagnostic {
	next := "Name the resource that creates the cluster in depends_on of this " + w.Noun + ", so that it is read after that, or create the cluster first."
	if w.OpensInPlan {
		next = "Write the connection into `" + w.Cluster + "` of this " + w.Noun + " too, so that it is read in the apply, or create the cluster first."
	}
	return diag.NewErrorDiagnostic("Cluster Connection Unknown", detail(Read, id, "the cluster connection is only known after the apply", next))
}

// UnreadableOwnership returns the error of an object whose managedFields cannot be parsed.
func UnreadableOwnership(id manifest.Identity, err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Unreadable Ownership", detail(Read, id, err.Error(), "Check who wrote metadata.managedFields of the object."))
}

// KindNotListed warns that a list lacks the objects of one kind. explained contains the reason.
func KindNotListed(objects manifest.Identity, explained diag.Diagnostic) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("Kind Not Listed", objects), explained.Summary()+": "+explained.Detail())
}

// ObjectNotListed warns that a list lacks an object. explained contains the reason.
func ObjectNotListed(id manifest.Identity, explained diag.Diagnostic) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("Object Not Listed", id), explained.Summary()+": "+explained.Detail())
}

// LimitReached warns that a list has fewer objects than were found.
func (w Words) LimitReached(found, limit int) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Objects Left Out", fmt.Sprintf("%d objects match, and the %s returns the first %d of them.\n\n"+
		"Write limit = %[1]d into the %[2]s, outside of its config, or narrow the list.", found, w.Noun, limit))
}
