package attributes

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
)

const invalidSummary = "Invalid Cluster Connection"

// ReportBug ends the text of a diagnostic that only a bug can cause.
const ReportBug = "This is a bug in the provider. Please report it."

// InvalidConnection returns the error of a connection that cannot be used, if no attribute of the resource causes it.
func InvalidConnection(detail string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(invalidSummary, detail)
}

// AttributeProblems returns the problems of a `cluster` attribute, each at the attribute that it concerns.
func AttributeProblems(cluster path.Path, problems []connect.FieldProblem) diag.Diagnostics {
	var diags diag.Diagnostics
	for _, p := range problems {
		at, detail := cluster, p.Problem
		if p.Attribute != "" {
			for _, step := range strings.Split(p.Attribute, ".") {
				at = at.AtName(step)
			}
			detail = "`" + cluster.String() + "." + p.Attribute + "` " + p.Problem
		}
		diags.AddAttributeError(at, invalidSummary, detail+"\n\n"+p.Suggestion)
	}
	return diags
}
