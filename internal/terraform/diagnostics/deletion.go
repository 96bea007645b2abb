package diagnostics

import (
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/registry"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/phrases"
)

// Loss is the way in which a plan would lose a protected object, in words that follow "refused to".
type Loss string

// The ways to lose an object.
const (
	Destroy         Loss = "delete it"
	Replacement     Loss = "replace it, as a taint or -replace requests"
	AnotherIdentity Loss = "replace it by another object"
	AnotherCluster  Loss = "replace it: the connection points to another cluster"
	ImmutableChange Loss = "replace it: the API server does not allow the change"
)

// Protected returns the error of a plan that would delete an object whose state protects it.
func (w Words) Protected(id manifest.Identity, loss Loss) diag.Diagnostic {
	refused := string(loss)
	next := "Set " + w.DeleteProtection + " = false, apply that change alone, then destroy or replace the object."
	switch loss {
	case AnotherIdentity:
		refused = "replace it: " + w.Body + " names another object"
	case Replacement:
		next = "Leave out -replace, or remove the taint with terraform untaint. To replace the object anyway, set " +
			w.DeleteProtection + " = false and apply that change alone first."
	}
	return diag.NewErrorDiagnostic("Object Protected", fmt.Sprintf(
		"%s is protected: its state has %s = true, so the provider refused to %s.\n\n%s", id, w.DeleteProtection, refused, next))
}

// recreated says that an object is not the one of the last apply, and who owns it.
func (w Words) recreated(err *registry.RecreatedError) string {
	managers := "it has no field managers"
	if len(err.Managers) > 0 {
		managers = "its field managers are " + phrases.QuoteAll(err.Managers)
	}
	return fmt.Sprintf("%s is another object than the one of the last apply, which was deleted: its uid was %s and is now %s. "+
		"This resource owns nothing of it; %s.", err.Object, err.Was, err.Is, managers)
}

// Recreated warns of a plan about an object that is not the one of the last apply.
func (w Words) Recreated(err *registry.RecreatedError) diag.Diagnostic {
	next := "The apply takes over the fields in " + w.Body + ". To leave the object alone, remove the resource from the state:\n\n" + stateRemoval(err.Object)
	if !w.creates() {
		next = "The apply applies " + w.Body + " to it."
	}
	return diag.NewWarningDiagnostic(about("Object Was Recreated", err.Object), phrases.Paragraphs(w.recreated(err), next))
}

// RecreatedKept returns the error of a plan that would delete an object which is not the one of the last apply.
func (w Words) RecreatedKept(err *registry.RecreatedError, loss Loss) diag.Diagnostic {
	refused, next := string(loss), "To replace the object, apply the resource without this change first: the apply takes the object over, and its plan shows what that changes."
	switch loss {
	case Destroy:
		next = "To delete the object, apply the resource first: the apply takes the object over, and its plan shows what that changes. Then destroy it."
	case AnotherIdentity:
		refused = "replace it: " + w.Body + " names another object"
	}
	return diag.NewErrorDiagnostic("Object Was Recreated", phrases.Paragraphs(
		w.recreated(err)+" So the provider refused to "+refused+".",
		"To keep the object, remove the resource from the state:\n\n"+stateRemoval(err.Object),
		next))
}

// stateRemoval returns the command that removes the resource of an object from the state.
func stateRemoval(id manifest.Identity) string {
	return "  terraform state rm \"$(terraform state list -id='" + strings.ReplaceAll(id.ID(), "'", `'\''`) + "')\""
}

// NotReplaceable returns the error of a plan that would replace an object that a destroy leaves on the cluster.
func (w Words) NotReplaceable(id manifest.Identity) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Released Object Cannot Be Replaced", fmt.Sprintf(
		"%s: the API server does not allow the change on an existing object, and the provider does not delete this one, because its state has "+
			"%s = \"release\".\n\nUndo the change in %s, or set %[2]s = \"delete\" and apply that change alone first.", id, w.OnDestroy, w.Body))
}

// FinalizersRemoved warns that a forced destroy removed finalizers.
func (w Words) FinalizersRemoved(id manifest.Identity, finalizers []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("Finalizers Removed", id), fmt.Sprintf(
		"%s: the deletion did not finish before the timeout, and %s is set, so the provider removed these finalizers: %s.\n\n"+
			"Check what their controllers would have cleaned up. It may still exist.", id, w.ForceDestroy, strings.Join(finalizers, ", ")))
}

// BeingDeleted warns that an object still exists, but is marked as deleted.
func BeingDeleted(id manifest.Identity, since time.Time, finalizers []string) diag.Diagnostic {
	waits := "waits for the end of its grace period"
	if len(finalizers) > 0 {
		waits = "waits for the finalizers " + strings.Join(finalizers, ", ")
	}
	return diag.NewWarningDiagnostic(about("Object Being Deleted", id), fmt.Sprintf(
		"%s was deleted at %s, and %s. Until it is gone, plans show it as it is.\n\n"+
			"Wait until it is gone. The next plan then creates it again.", id, since.UTC().Format(time.RFC3339), waits))
}
