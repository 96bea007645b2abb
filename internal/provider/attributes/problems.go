package attributes

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/kube"
)

// Texts of diagnostics about connections.
const (
	InvalidSummary = "Invalid Cluster Connection"
	ReportBug      = "This is a bug in the provider. Please report it."
)

// AttributeProblems returns the problems of a `cluster` attribute, each at the attribute that it concerns.
func AttributeProblems(cluster path.Path, problems []kube.FieldProblem) diag.Diagnostics {
	var diags diag.Diagnostics
	for _, p := range problems {
		at, detail := cluster, p.Problem
		if p.Attribute != "" {
			for _, step := range strings.Split(p.Attribute, ".") {
				at = at.AtName(step)
			}
			detail = "`" + AttributeName + "." + p.Attribute + "` " + p.Problem
		}
		diags.AddAttributeError(at, InvalidSummary, detail+"\n\n"+p.Suggestion)
	}
	return diags
}
