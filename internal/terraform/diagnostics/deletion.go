package diagnostics

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/endings"
)

// Loss is the way in which a plan would lose a protected object, in words that follow "refused to".
type Loss string

// The ways to lose an object.
const (
	Destroy         Loss = "delete it"
	Replacement     Loss = "replace it, as a taint or -replace requests"
	AnotherIdentity Loss = "replace it by another object"
	AnotherCluster  Loss = "replace it: the connection points to another cluster"
	WithContainer   Loss = "replace it: the run replaces its namespace or its definition"
	ImmutableChange Loss = "replace it: the API server does not allow the change"
)

// RuleOfLastApply is a rule that the configuration does not have any more, and that protects until an apply without it.
const RuleOfLastApply = "a rule of the last apply"

// Protected returns the error of a plan that would delete an object whose state protects it.
func (w Names) Protected(id manifest.Identity, loss Loss, rule string) diag.Diagnostic {
	refused, argument := string(loss), w.Of(arguments.DeleteProtection)
	next := "Set " + argument + " = false, apply that change alone, then destroy or replace the object."
	protects := "its state has " + argument + " = true"
	if rule != "" {
		protects = rule + " has " + argument + " = true"
		next = "Set " + argument + " = false in the resource, or change the rule, then apply that change " +
			"alone before you destroy or replace the object."
	}
	if rule == RuleOfLastApply {
		next = "The configuration does not have the rule any more. Apply the resource once as it is now, with its " +
			"block, before you destroy or replace the object."
	}
	switch loss {
	case AnotherIdentity:
		refused = "replace it: " + w.Body + " names another object"
	case Replacement:
		next = "Leave out -replace, or remove the taint with terraform untaint. To replace the object anyway, set " +
			argument + " = false and apply that change alone first."
	}
	return diag.NewErrorDiagnostic("Object Protected", fmt.Sprintf(
		"%s is protected: %s, so the provider refused to %s.\n\n%s", id, protects, refused, next))
}

// RecreatedSince returns the sentences about an object that is not the one of the last apply, and its owners.
func RecreatedSince(err *run.RecreatedError) string {
	managers := "it has no field managers"
	if len(err.Managers) > 0 {
		managers = "its field managers are " + QuoteAll(err.Managers)
	}
	return fmt.Sprintf("%s is another object than the one of the last apply, which was deleted: its uid was %s and "+
		"is now %s. This resource owns nothing of it; %s.", err.Object, err.Was, err.Is, managers)
}

// Recreated warns of a plan about an object that is not the one of the last apply.
func (w Names) Recreated(err *run.RecreatedError) diag.Diagnostic {
	next := "The apply takes over the fields in " + w.Body + ". " + ToKeep(w, "leave the object alone", err.Object)
	if !creates(w) {
		next = "The apply applies " + w.Body + " to it."
	}
	return diag.NewWarningDiagnostic(w.About("Object Was Recreated", err.Object), Paragraphs(RecreatedSince(err), next))
}

// RecreatedKept returns the error of a plan that would delete an object which is not the one of the last apply.
func (w Names) RecreatedKept(err *run.RecreatedError, loss Loss) diag.Diagnostic {
	refused, next := string(loss), "To replace the object, apply the resource without this change first: the apply "+
		"takes the object over, and its plan shows what that changes."
	switch loss {
	case Destroy:
		next = "To delete the object, apply the resource first: the apply takes the object over, and its plan shows " +
			"what that changes. Then destroy it."
	case AnotherIdentity:
		refused = "replace it: " + w.Body + " names another object"
	}
	return diag.NewErrorDiagnostic("Object Was Recreated", Paragraphs(
		RecreatedSince(err)+" So the provider refused to "+refused+".", ToKeep(w, "keep the object", err.Object), next))
}

// ToKeep returns how to do something to an object that the resource gives up without touching it.
func ToKeep(w Names, act string, id manifest.Identity) string {
	if w.IsSet() {
		return "To " + act + ", remove " + w.Body + "."
	}
	return "To " + act + ", remove the resource from the state. The first command prints its address, and those of " +
		"others with this ID:\n\n  terraform state list -id='" + strings.ReplaceAll(id.ID(), "'", `'\''`) +
		"'\n  terraform state rm 'ADDRESS'"
}

// NotReplaceable returns the error of a plan that would replace an object that a destroy leaves on the cluster.
func (w Names) NotReplaceable(id manifest.Identity, policy string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Released Object Cannot Be Replaced", fmt.Sprintf(
		"%s: the API server does not allow the change on an existing object, and the provider does not delete this "+
			"one, because its state has %s = %q, or the annotation helm.sh/resource-policy: keep.\n\nUndo the change "+
			"in %s, or set %[2]s = \"delete\" and apply that change alone first.", id,
		w.Of(arguments.OnDestroy), policy, w.Body))
}

// FinalizersRemoved warns that a forced destroy removed finalizers.
func (w Names) FinalizersRemoved(id manifest.Identity, finalizers []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(w.About("Finalizers Removed", id), fmt.Sprintf(
		"%s: the deletion did not finish before the timeout, and %s is set, so the provider removed these finalizers: "+
			"%s.\n\nCheck what their controllers would have cleaned up. It may still exist.",
		id, w.Of(arguments.ForceDestroy), strings.Join(finalizers, ", ")))
}

// BeingDeleted warns that an object still exists, but is marked as deleted.
func (w Names) BeingDeleted(ending cluster.Ending) diag.Diagnostic {
	after := "The first plan after it is gone creates it again."
	switch {
	case w.IsSet(): // The set may give it up.
		after = "The first plan after it is gone creates it again, if the configuration has " + w.Body + "."
	case !creates(w):
		after = "Once it is gone, this " + w.Noun + " leaves the state. The next apply waits for an object of this " +
			"name."
	}
	return diag.NewWarningDiagnostic(w.About("Object Being Deleted", ending.Object), Paragraphs(
		endings.Since(ending)+" Until it is gone, plans show it as it is.", endings.Next(ending), after))
}
