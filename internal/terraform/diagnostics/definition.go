package diagnostics

import (
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
)

// schemaChanges warns of a refusal that the new schema of the kind may lift. The summary names the definition. So the
// CLI folds the warnings of all objects of the kind.
func schemaChanges(w Names, plan ssa.Plan, timeout time.Duration) diag.Diagnostic {
	return diag.NewWarningDiagnostic(common("Schema Not Served Yet", plan.Redefined), Paragraphs(
		fmt.Sprintf("%s: the API server refuses the object by the schema that it uses now: %s", plan.Object,
			strings.TrimSpace(seenOf(w, plan.Awaited))),
		fmt.Sprintf("This configuration also changes CustomResourceDefinition %s, so the values are known after the "+
			"apply. The apply waits up to %s until the API server uses the new schema. It fails if that refuses the "+
			"object, too.", plan.Redefined, timeoutText(timeout))))
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
