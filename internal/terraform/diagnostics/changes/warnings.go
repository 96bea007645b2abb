package changes

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
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

// RemovedByTTL warns of a Job that is gone and whose manifest makes the cluster remove it; nil for other objects.
func RemovedByTTL(names diagnostics.Names, id manifest.Identity, body map[string]any) diag.Diagnostics {
	seconds, has, _ := unstructured.NestedInt64(body, "spec", "ttlSecondsAfterFinished")
	if !has || !id.IsJob() {
		return nil
	}
	return diag.Diagnostics{diag.NewWarningDiagnostic(names.About("Job Removed by Its TTL", id), fmt.Sprintf(
		"%s is gone. It has spec.ttlSecondsAfterFinished: %d, so the cluster removes it after it has finished, and "+
			"each apply runs it again.\n\nTo run it once, %sremove that field from %s.", id, seconds,
		names.If(arguments.Once, "set %s = true and wait = {}, or "), names.Body))}
}

// NotSeenComplete warns of a Job that is to run once, and that is gone before the provider has seen it complete.
func NotSeenComplete(names diagnostics.Names, id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(names.About("Job Not Seen Complete", id), fmt.Sprintf(
		"%s is gone. It was not seen complete: it may have failed, somebody may have deleted it while it ran, or the "+
			"cluster removed it before a read. With %s = true, the next apply runs it again.\n\nWith wait = {}, the "+
			"apply sees its end.", id, names.Of(arguments.Once)))
}

// Rerun is why a Job that has run once runs again.
type Rerun string

// Why a Job runs again. The first one is followed by the name of the attribute.
const (
	BodyChanged  Rerun = "has changed since"
	NoLongerOnce Rerun = "It is no longer to run once"
	Elsewhere    Rerun = "The plan is for another cluster or namespace"
)

// RunsAgain warns of a plan that creates a Job again which has run once and is gone.
func RunsAgain(names diagnostics.Names, id manifest.Identity, why Rerun) diag.Diagnostic {
	reason := string(why)
	if why == BodyChanged {
		reason = names.Body + " " + reason
	}
	return diag.NewWarningDiagnostic(names.About("Job Runs Again", id), fmt.Sprintf(
		"%s was complete, and is gone. %s, so it runs again: the apply deletes nothing and creates the Job, although "+
			"the plan calls that a replacement or an update.", id, reason))
}

// OnceUnseen warns of a Job that is to run once and for whose end the apply does not wait.
func OnceUnseen(names diagnostics.Names, id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(names.About("Job Not Waited For", id), fmt.Sprintf(
		"%s is to run once, and the apply does not wait until it is complete. If the Job is gone before a refresh has "+
			"seen it complete, it runs again.\n\nAdd wait = {} next to %s.", id, names.Of(arguments.Once)))
}

// Planned returns the one warning of a plan. It lists the fields that the apply takes from other managers by setting
// another value, and the fields that are released, stay with other managers, or become shared. now is the time from
// which the ages of their writes are computed.
func Planned(names diagnostics.Names, plan ssa.Plan, now time.Time) diag.Diagnostic {
	summary := "Field Ownership Change"
	if len(plan.Conflicts()) > 0 {
		summary = "Field Ownership Conflict"
	}
	text := plan.Object.String() + ": " + reportOf(names, plan, now).text()
	return diag.NewWarningDiagnostic(names.About(summary, plan.Object), text)
}

// Stays warns of a replacement that updates the object in place, because its create has ended with an error. waits is
// true if the resource has a wait.
func Stays(names diagnostics.Names, id manifest.Identity, waits bool) diag.Diagnostic {
	again := "delete it and plan again:\n\n  " + id.Kubectl("delete")
	if waits {
		again = `set on_failure = "replace" in wait.`
	}
	return diag.NewWarningDiagnostic(names.About("Object Stays", id), diagnostics.Paragraphs(
		id.String()+": an earlier apply created the object, and then failed, so Terraform plans a replacement. The "+
			"object stays and is updated in place. With create_before_destroy or destroy = false in its lifecycle, "+
			"run terraform untaint first: otherwise that apply fails.",
		"To create a new one instead, "+again))
}

// Forgotten warns of a plan that gives up an object of a set which is not the one of the last apply.
func Forgotten(names diagnostics.Names, err *run.RecreatedError) diag.Diagnostic {
	return diag.NewWarningDiagnostic(names.About("Object Was Recreated", err.Object),
		diagnostics.RecreatedSince(err)+" So the set does not delete it, and it leaves the state.")
}

// PlannedOnRecreated returns the warning of [Planned] about an object that is not the one of the last apply.
func PlannedOnRecreated(
	names diagnostics.Names, plan ssa.Plan, err *run.RecreatedError, now time.Time,
) diag.Diagnostic {
	text := diagnostics.Paragraphs(
		diagnostics.RecreatedSince(err), "The plan for this object: "+reportOf(names, plan, now).text())
	if names.IsSet() {
		text = diagnostics.Paragraphs(text, diagnostics.ToKeep(names, "leave the object alone", plan.Object))
	}
	return diag.NewWarningDiagnostic(names.About("Object Was Recreated", plan.Object), text)
}

// Refused returns the error of a plan with conflicts that on_conflict = "fail" refuses.
func Refused(names diagnostics.Names, plan ssa.Plan, now time.Time) diag.Diagnostic {
	summary := "Field Ownership Conflict"
	if len(plan.Conflicts()) == 0 {
		summary = "Fields Added by Others"
	}
	return diag.NewErrorDiagnostic(summary, plan.Object.String()+": "+reportOf(names, plan, now).refused())
}

// Unplanned returns the error about an object that another client created after the plan, and that an adoption would
// change. now is the time from which the ages of other managers' writes are computed.
func Unplanned(names diagnostics.Names, err *ssa.UnplannedError, now time.Time) diag.Diagnostic {
	changed := ""
	if len(err.Plan.Changes) > 0 {
		changed = "To adopt it, " + reportOf(names, err.Plan, now).text()
	}
	return diag.NewErrorDiagnostic("Object Changed Since the Plan", diagnostics.Paragraphs(
		err.Plan.Object.String()+": another client created the object after the plan, so the plan does not show what "+
			"its adoption changes. It was not touched.",
		changed, "Plan again: the new plan shows it."))
}

// WithoutDryRun warns of the objects that a run plans without a dry-run, because rights are missing. Its summary
// contains their number, because Terraform would fold the warning into an earlier one about fewer objects otherwise.
func WithoutDryRun(objects int, missing []*cluster.MissingRightError) diag.Diagnostic {
	these := diagnostics.Number(objects, "1 object", "%d objects")
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
	field := func(change ownership.Change) string { return change.Field }
	return diag.NewErrorDiagnostic("Replacement Not Planned", diagnostics.Paragraphs(
		fmt.Sprintf("%s: the API server does not allow these fields to be changed on an existing object, and the plan "+
			"that is applied does not replace it:\n%s", plan.Object,
			diagnostics.ListOf(plan.Immutable.Fields, diagnostics.Most, field)),
		"The object was not touched. Plan again with credentials that may patch and create"+
			diagnostics.Given(names.Body, ", or set the fields back in "+names.Body)+"."))
}
