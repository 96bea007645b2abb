package diagnostics

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// ReportBug ends the string of a diagnostic that only a bug can cause.
const ReportBug = "This is a bug in the provider. Please report it."

// connectionUnknownSummary is the summary of errors about a connection that is not known yet.
const connectionUnknownSummary = "Cluster Connection Unknown"

// ConnectionStillUnknown returns the error of an apply whose connection is unknown.
func ConnectionStillUnknown() diag.Diagnostic {
	return diag.NewErrorDiagnostic(connectionUnknownSummary, Paragraphs(
		"The cluster connection is still unknown during the apply.", ReportBug))
}

// UnexpectedProviderData returns the error about data of another type than the provider hands to its resources.
func UnexpectedProviderData(data any) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Unexpected Provider Data", fmt.Sprintf("The provider received a %T. ",
		data)+ReportBug)
}

const unreadableSummary = "Unreadable Private State"

// UnreadablePrivateState returns the error about the record of an object in private state.
func UnreadablePrivateState(err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic(unreadableSummary,
		"The provider's record of the object cannot be read: "+err.Error()+".\n\nImport the object again.")
}

// UnreadablePlan returns the error about the record of an object in the private state of a plan.
func UnreadablePlan(err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic(unreadableSummary,
		"The plan's record of the object cannot be read: "+err.Error()+".\n\nPlan again.")
}

// UnwritablePrivateState returns the error about a record that cannot be stored in private state.
func UnwritablePrivateState(err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Unwritable Private State", err.Error())
}
