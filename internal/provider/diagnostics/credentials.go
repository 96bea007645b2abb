package diagnostics

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

const storedSummary = "Stored Credentials Refused"

// NotRefreshed warns that a refresh could not use the connection that the state holds. Its summary is general:
// tokens that come from a data source end for all objects at once.
func NotRefreshed(id manifest.Identity, err error) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Object Not Refreshed", fmt.Sprintf(
		"%s could not be read with the `cluster` that the state holds for it: %s.\n\n"+
			"The state stays as it was. A plan reads the object with the `cluster` of the configuration, if that has fresh credentials, and "+
			"its warnings tell what has changed.",
		id, seenIn(err)))
}

// CreatedAgain warns of a planned replacement that deletes nothing.
func CreatedAgain(id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("Object Is Gone", id), fmt.Sprintf(
		"%s is in the state and does not exist any more. The plan shows a replacement, because the refresh could not see that; the apply "+
			"deletes nothing and creates the object.", id))
}

// SameCredentials refuses a plan with the connection that the refresh could not use.
func SameCredentials(id manifest.Identity) diag.Diagnostic {
	return diag.WithPath(path.Root("cluster"), diag.NewErrorDiagnostic(storedSummary, detail(Planned, id,
		"its `cluster` is the one that the state holds, with which the object could not be read",
		"Write fresh credentials into `cluster`; a destroy needs them applied first.")))
}

// StaleDestroy refuses to plan the deletion of an object with the connection that the refresh could not use.
func StaleDestroy(id manifest.Identity) diag.Diagnostic {
	return storedRefused(id, "an object is deleted with the `cluster` that the state holds, with which this one could not be read")
}

// StaleDelete explains a deletion that failed for lack of credentials with the connection of the state.
func StaleDelete(id manifest.Identity, err error) diag.Diagnostic {
	return storedRefused(id, "an object is deleted with the `cluster` that the state holds, and "+seenIn(err))
}

func storedRefused(id manifest.Identity, seen string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(storedSummary, detail(Deleted, id, seen,
		"Apply the resource with fresh credentials in its `cluster` first, and destroy it then. If its cluster does not exist any more, "+
			"remove the resource from the state with terraform state rm."))
}

// seenIn returns what an error saw, without the object and without a next step.
func seenIn(err error) string {
	text := err.Error()
	var failure *cluster.Error
	if errors.As(err, &failure) {
		text = failure.Message
	}
	seen, _, _ := strings.Cut(text, "\n\n")
	return strings.TrimSuffix(seen, ".")
}
