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

// NotRefreshed warns that a refresh could not use the connection in the state. Its summary is general: a token
// that comes from a data source expires for all objects at once.
func (w Words) NotRefreshed(id manifest.Identity, err error) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Object Not Refreshed", fmt.Sprintf(
		"%s could not be read with the `%s` in its state: %s.\n\n"+
			"The state stays as it was. If the configuration has new credentials in `%[2]s`, the plan reads the object with them, and its "+
			"warnings show what has changed.",
		id, w.Cluster, seenIn(err)))
}

// CreatedAgain warns of a planned replacement that deletes nothing.
func CreatedAgain(id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("Object Is Gone", id), fmt.Sprintf(
		"%s is in the state and no longer exists. The plan shows a replacement, because the refresh could not read the object. The apply "+
			"deletes nothing and creates the object.", id))
}

// SameCredentials refuses a plan with the connection that the refresh could not use.
func (w Words) SameCredentials(id manifest.Identity) diag.Diagnostic {
	return diag.WithPath(path.Root(w.Cluster), diag.NewErrorDiagnostic(storedSummary, detail(Planned, id,
		"its `"+w.Cluster+"` is the same as in the state, and the object could not be read with that",
		"Write new credentials into `"+w.Cluster+"`. Before a destroy, apply them first.")))
}

// StaleDestroy refuses to plan the deletion of an object with the connection that the refresh could not use.
func (w Words) StaleDestroy(id manifest.Identity) diag.Diagnostic {
	return w.storedRefused(id, "the object could not be read with that")
}

// StaleDelete explains a deletion that failed because the server refused the credentials in the state.
func (w Words) StaleDelete(id manifest.Identity, err error) diag.Diagnostic {
	return w.storedRefused(id, seenIn(err))
}

func (w Words) storedRefused(id manifest.Identity, seen string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(storedSummary, detail(Deleted, id, "a deletion uses the `"+w.Cluster+"` in the state, and "+seen,
		"First apply the resource with new credentials in its `"+w.Cluster+"`, then destroy it. If the cluster no longer exists, "+
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
