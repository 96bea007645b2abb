package diagnostics

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ssa"
)

// NotServedYet warns of a kind that the apply will wait for and that looks like a mistake, because its group
// serves a similar one; false for anything else.
func NotServedYet(awaited *ssa.Error) (diag.Diagnostic, bool) {
	if awaited == nil {
		return nil, false
	}
	group, _, _ := strings.Cut(awaited.Object.APIVersion, "/")
	similar := slices.DeleteFunc(slices.Clone(awaited.Nearest), func(kind string) bool { return !strings.HasPrefix(kind, group+"/") })
	if awaited.Reason != ssa.ReasonKindNotServed || len(similar) == 0 {
		return nil, false
	}
	return diag.NewWarningDiagnostic(about("Kind Not Served Yet", awaited.Object), fmt.Sprintf(
		"%s: %s. The apply waits for it up to timeouts.create.\n\nUnless the same apply brings it, correct apiVersion and kind: the "+
			"nearest kinds that the cluster serves are %s.", awaited.Object, awaited.Message, strings.Join(similar, ", "))), true
}
