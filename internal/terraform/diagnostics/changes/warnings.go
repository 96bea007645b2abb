package changes

import (
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// About holds the data that the warnings of a plan need in addition to it.
type About struct {
	FieldManager string
	// Timeout is how long the apply may take.
	Timeout time.Duration
	// Recreated is set if the object is not the one of the last apply.
	Recreated *run.RecreatedError
	Now       time.Time
	// OfRelease is true for an object of a release of Helm that is taken over.
	OfRelease bool
}

// isMarkOfHelm reports whether a change is about an annotation or label that Helm writes into every object of a
// release.
func isMarkOfHelm(change ownership.Change) bool {
	return change.What == ownership.Undeclared && slices.Contains([]string{
		"metadata.annotations.meta.helm.sh/release-name", "metadata.annotations.meta.helm.sh/release-namespace",
		"metadata.labels.app.kubernetes.io/managed-by",
	}, change.Field)
}

// Warnings returns the warnings of a plan.
func Warnings(names diagnostics.Names, plan ssa.Plan, about About) diag.Diagnostics {
	var diags diag.Diagnostics
	id := plan.Object
	if about.OfRelease { // The warnings about the adoption and about the release tell this.
		plan.Managers.Ended = slices.DeleteFunc(slices.Clone(plan.Managers.Ended), ownership.Claim.IsOfHelm)
		plan.Changes = slices.DeleteFunc(slices.Clone(plan.Changes), isMarkOfHelm)
	}
	say := func(is bool, warning func() diag.Diagnostic) {
		if is {
			diags.Append(warning())
		}
	}
	say(plan.Adoption.IsPlanned(), func() diag.Diagnostic { return names.Adopts(plan, about.OfRelease) })
	say(len(plan.Managers.OfTerraform) > 0, func() diag.Diagnostic {
		return diagnostics.MayBeManaged(names, id, plan.Managers.OfTerraform)
	})
	diags.Append(OfFields(names, plan, about)...)
	say(len(plan.Additions.Fields) > 0, func() diag.Diagnostic { return Additions(names, plan, about.Now) })
	say(plan.Managers.IncludeOwn, func() diag.Diagnostic { return WrittenByOwnManager(names, id, about.FieldManager) })
	say(plan.Managers.AreReset, func() diag.Diagnostic { return OwnersReset(names, plan) })
	say(len(plan.Unmatched.Sensitive) > 0, func() diag.Diagnostic {
		return names.UnmatchedSensitive(id, plan.Unmatched.Sensitive)
	})
	say(len(plan.Unmatched.Ignored) > 0, func() diag.Diagnostic { return names.Unmatched(id, plan.Unmatched.Ignored) })
	say(len(plan.Unmatched.Pins) > 0, func() diag.Diagnostic { return names.UnseenPins(id, plan.Unmatched.Pins) })
	say(len(plan.Managers.Converted) > 0, func() diag.Diagnostic { return Converts(names, plan) })
	say(len(plan.Managers.Ended) > 0, func() diag.Diagnostic { return TakesOverAppliers(names, plan) })
	say(len(plan.Items.New) > 0, func() diag.Diagnostic { return AddsItems(names, id, plan.Items.New) })
	long, is := names.ListsTooLong(plan, about.Now)
	say(is, func() diag.Diagnostic { return long })
	awaited, is := names.Awaited(plan, about.Timeout)
	say(is, func() diag.Diagnostic { return awaited })
	diags.Append(names.LeftOut(id, plan.Remarks.Dropped)...)
	large, is := diagnostics.Large(names, id, plan.Remarks.Bytes)
	say(is, func() diag.Diagnostic { return large })
	for _, warning := range plan.Remarks.Warnings {
		diags.Append(diagnostics.ServerWarning(id, warning))
	}
	return diags
}

// OfFields returns the warning of changes to single fields, and of an object that is not the one of the last apply.
func OfFields(names diagnostics.Names, plan ssa.Plan, about About) diag.Diagnostics {
	if plan.State != nil && names.Shown.ManagedState == "" { // No attribute shows it.
		plan.Changes = slices.Concat(plan.Changes, plan.State.Rewritten)
	}
	if plan.State != nil && slices.ContainsFunc(plan.Changes, stays) { // An attribute shows both as "-> null".
		plan.Changes = slices.Concat(plan.Changes, plan.State.Removed)
	}
	switch {
	case len(plan.Changes) > 0 && about.Recreated != nil:
		return diag.Diagnostics{PlannedOnRecreated(names, plan, about.Recreated, about.Now)}
	case len(plan.Changes) > 0:
		return diag.Diagnostics{Planned(names, plan, about.Now)}
	case about.Recreated != nil:
		return diag.Diagnostics{names.Recreated(about.Recreated)}
	}
	return nil
}
