package changes

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// WithoutDryRun warns of the objects that a run plans without a dry-run, because rights are missing. Its summary
// contains their number, because Terraform would fold the warning into an earlier one about fewer objects otherwise.
func WithoutDryRun(objects int, missing []*cluster.MissingRightError) diag.Diagnostic {
	these := "1 object"
	if objects > 1 {
		these = fmt.Sprintf("%d objects", objects)
	}
	return diag.NewWarningDiagnostic(counting("Planned Without Dry-Run", these), diagnostics.Paragraphs(
		fmt.Sprintf("The credentials may not write, and plan_without_dry_run of the provider allows plans without "+
			"that. So the API server was not asked what the apply makes of %s. The missing rights:\n%s",
			these, diagnostics.FirstLines(rightsOf(missing), mostConflicts)),
		"The plan shows the fields that other managers own, and the values that it changes there. It does not show "+
			"defaults, immutable fields that replace the object, and what validation, policies and webhooks refuse: "+
			"the apply asks the API server about each object before it changes it. Computed values are known after "+
			"the apply.",
		"To see all of it now, plan with credentials that may patch and create. A dry-run changes nothing."))
}

func counting(summary, objects string) string { return summary + ": " + objects }

// rightsOf returns a line for each verb on a resource, with the namespaces in which it is missing. missing is in order.
func rightsOf(missing []*cluster.MissingRightError) []string {
	var lines []string
	for i, right := range missing {
		isNext := i > 0 && missing[i-1].Verb == right.Verb && missing[i-1].Resource == right.Resource
		if isNext && missing[i-1].Namespace != "" {
			lines[len(lines)-1] = strings.Replace(lines[len(lines)-1], " in the namespace ", " in the namespaces ", 1) +
				", " + right.Namespace
			continue
		}
		lines = append(lines, right.Verb+" "+right.Resource+" "+right.Where())
	}
	return lines
}

// ReplacedUnplanned returns the error of an apply that finds out that it has to replace the object. The plan did not
// show that, because it was made without a dry-run, or because another client has changed the object since.
func ReplacedUnplanned(names diagnostics.Names, plan ssa.Plan) diag.Diagnostic {
	var fields []string
	for _, change := range plan.Immutable.Fields {
		fields = append(fields, change.Field)
	}
	return diag.NewErrorDiagnostic("Replacement Not Planned", diagnostics.Paragraphs(
		fmt.Sprintf("%s: the API server does not allow these fields to be changed on an existing object, and the plan "+
			"that is applied does not replace it:\n%s", plan.Object, diagnostics.Lines(fields)),
		"The object was not touched. Plan again with credentials that may patch and create"+
			diagnostics.Given(names.Body, ", or set the fields back in "+names.Body)+"."))
}
