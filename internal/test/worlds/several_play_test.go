package worlds_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/livediff"
)

// play returns a *finding where a promise does not hold, and another error where the test itself fails.
func (v *several) play(ctx context.Context, t turn) error {
	v.counts.steps++
	at := step{number: t.number}
	if err := v.writeAll(ctx, t.before); err != nil {
		return err
	}
	rewritesFirst := t.rule == rewrites && v.rule != rewrites
	if !t.isLate {
		if err := v.obey(ctx, t.rule); err != nil {
			return err
		}
	}
	var err error
	if v.planned, err = v.live(ctx); err != nil {
		return err
	}
	first, refused, err := v.planAll(ctx, t, true)
	if err != nil || refused {
		return err
	}
	if err := v.checkFolded(at, first); err != nil {
		return err
	}
	if err := v.writeAll(ctx, t.between); err != nil {
		return err
	}
	v.switches = (v.rule == rewrites) != (t.rule == rewrites)
	if err := v.obey(ctx, t.rule); err != nil {
		return err
	}
	if v.applier, err = newRunWith(ctx, "k8sconnect_patch", v.connection); err != nil {
		return err
	}
	failed, disturbed := false, t.isDisturbed()
	for _, n := range t.order {
		if first[n] == nil || first[n].value.Equal(v.tenants[n].state.value) {
			continue
		}
		ended, err := v.applyOne(ctx, t, n, *first[n], disturbed)
		disturbed = true
		if err != nil {
			return err
		}
		failed = failed || !ended
	}
	if failed || t.isDisturbed() || rewritesFirst {
		return nil // The apply of one resource has the policy rewrite what another one has set.
	}
	again, refused, err := v.planAll(ctx, t, false)
	if err != nil {
		return err
	}
	isHidden := slices.ContainsFunc(t.order, func(n int) bool { return v.hidesAll(n, t.leases[n]) })
	if refused && isHidden && overlaps(inUnits(t.leases)) {
		return nil // The first plan did not know what a patch sets.
	}
	if refused {
		return broke(at, "the plan after an apply succeeds", "it was refused")
	}
	for n, p := range again {
		if p == nil {
			continue
		}
		if err := broke(at, "the plan after an apply is empty", named(n, disagreements(v.tenants[n].state.value, p.value))...); err != nil {
			return err
		}
	}
	return nil
}

// isDisturbed reports whether something else happens between the plan and the apply.
func (t turn) isDisturbed() bool { return len(t.between) > 0 || t.isLate }

func named(resource int, all []string) []string {
	for i, text := range all {
		all[i] = fmt.Sprintf("resource %d: %s", resource, text)
	}
	return all
}

// planAll refreshes and plans all resources in one process, as the CLI does. It reports whether a plan was refused for a
// reason. hides is true for a plan that does not know all values.
func (v *several) planAll(ctx context.Context, t turn, hides bool) ([]*plan, bool, error) {
	at := step{number: t.number}
	var err error
	if v.planner, err = newRunWith(ctx, "k8sconnect_patch", v.connection); err != nil {
		return nil, false, err
	}
	plans := make([]*plan, len(v.tenants))
	var errs []string
	for _, n := range t.order {
		resource := v.tenants[n]
		run := v.planner.of(resource.resourceType())
		if hides && t.leases[n].leaves {
			resource.state = state{value: tftypes.NewValue(run.kind, nil)}
		}
		if hides && t.leases[n].present && resource.state.value.IsNull() {
			if err := v.importFor(ctx, run, n, t.leases[n]); err != nil {
				return nil, false, err
			}
		}
		config, err := v.configure(run, n, t.leases[n], hides)
		if err != nil {
			return nil, false, err
		}
		isNew, early := resource.state.value.IsNull(), resource.state
		switch {
		case isNew && !t.leases[n].present:
			continue
		case isNew:
			resource.state = state{value: tftypes.NewValue(run.kind, nil)}
			early = resource.state
		case !t.leases[n].present && t.readsLate:
		default:
			if resource.state, err = run.refresh(ctx, resource.state); err != nil {
				return nil, false, broke(at, "a refresh succeeds", err.Error())
			}
			early = resource.state
		}
		p, refusal := run.plan(ctx, early, config)
		if !isNew && !t.leases[n].present && t.readsLate {
			if resource.state, err = run.refresh(ctx, resource.state); err != nil {
				return nil, false, broke(at, "a refresh succeeds", err.Error())
			}
		}
		if refusal == nil {
			plans[n] = &p
			continue
		}
		var said *diagnosed
		if !errors.As(refusal, &said) {
			return nil, false, broke(at, "a plan succeeds", fmt.Sprintf("resource %d: %s", n, refusal))
		}
		for _, text := range said.texts {
			errs = append(errs, text)
			if !v.isReasonable(ctx, t, n, text) {
				return nil, false, broke(at, "a plan fails for a reason only", fmt.Sprintf("resource %d: %s", n, text))
			}
		}
	}
	isHidden := hides && v.hidesSome(t)
	refusedTwice := slices.ContainsFunc(errs, func(text string) bool { return strings.HasPrefix(text, "Field Managed Twice") })
	if overlaps(t.leases) && !isHidden && len(errs) == 0 && !refusedTwice {
		return nil, false, broke(at, "a field that two resources set is refused in the first plan that has both", "the plan passes")
	}
	if len(errs) > 0 {
		v.counts.refused++
	}
	return plans, len(errs) > 0, nil
}

// importFor imports the object for one of the resources, if its configuration says so, and for a part if its manager owns
// something.
func (v *several) importFor(ctx context.Context, r *run, n int, l lease) error {
	manner, id := v.tenants[n].manner, v.importID()
	if !l.arrives || manner != whole && manner != part {
		return nil
	}
	live, err := v.live(ctx)
	if err != nil {
		return err
	}
	owns := slices.ContainsFunc(live.GetManagedFields(), func(entry metav1.ManagedFieldsEntry) bool { return entry.Manager == managerOf(n) })
	switch {
	case manner == part && !owns:
		return nil
	case manner == part:
		id += ",manager=" + managerOf(n)
	}
	imported, err := r.importObject(ctx, id)
	if err == nil {
		_, err = r.refresh(ctx, imported)
	}
	if err != nil && manner == part && strings.Contains(err.Error(), "owns no field") {
		return nil // The manager owns maps and lists, and no value.
	}
	v.tenants[n].state = imported
	return err
}

// hidesSome reports whether the first plan knows nothing of the body of some patch, and so not what it shares with others.
func (v *several) hidesSome(t turn) bool {
	return slices.ContainsFunc(t.order, func(n int) bool { return v.hidesAll(n, t.leases[n]) })
}

// hidesAll reports whether the first plan knows nothing of what a resource sets.
func (v *several) hidesAll(n int, l lease) bool {
	manner := v.tenants[n].manner
	return manner != whole && manner != part && l.form.isObject && l.form.hides
}

func managerOf(tenant int) string { return fmt.Sprintf("tenant-%d", tenant) }

func (v *several) isReasonable(ctx context.Context, t turn, n int, text string) bool {
	l := t.leases[n]
	switch summary, _, _ := strings.Cut(text, "\n"); summary {
	case "Field Managed Twice":
		return overlaps(t.leases) || overlaps(inUnits(t.leases))
	case "Field Ownership Conflict":
		return l.onConflict == "fail"
	default:
		return v.isRuled(errors.New(text)) || !v.accepts(ctx, n, l)
	}
}

// applyOne applies one resource, as the CLI does, and reports whether that succeeded. If the object is disturbed, others, or
// other resources, have changed it since the plan, and the server may refuse what it accepted then.
func (v *several) applyOne(ctx context.Context, t turn, n int, first plan, disturbed bool) (bool, error) {
	at := step{number: t.number}
	resource := v.tenants[n]
	run := v.applier.of(resource.resourceType())
	second := first
	destroys := first.value.IsNull()
	if !destroys {
		config, err := v.configure(run, n, t.leases[n], false)
		if err != nil {
			return false, err
		}
		if second, err = run.plan(ctx, resource.state, config); err != nil {
			if t.isDisturbed() || t.leases[n].form.hides || disturbed && !v.accepts(ctx, n, t.leases[n]) {
				return false, nil
			}
			if strings.Contains(err.Error(), "Field Managed Twice") && v.hidesSome(t) {
				return false, nil
			}
			return false, broke(at, "a plan that passed passes in the apply", fmt.Sprintf("resource %d: %s", n, err))
		}
		differing := disagreements(first.value, second.value)
		if len(differing) > 0 && v.switches && !slices.ContainsFunc(differing, isNotRewritten) {
			return false, nil // The CLI refuses such an apply, and the next plan is right.
		}
		if err := broke(at, "both plans say the same", named(n, differing)...); err != nil {
			return false, err
		}
	}
	before, err := v.live(ctx)
	if err != nil {
		return false, err
	}
	v.counts.applies++
	prior := resource.state
	next, diags, failed := run.apply(ctx, prior, second)
	if failed != nil {
		v.counts.failed++
		if !next.value.IsNull() {
			resource.state = next
		}
		if !t.isDisturbed() && !v.isRuled(failed) && (!disturbed || v.accepts(ctx, n, t.leases[n])) {
			return false, broke(at, "a plan that passed does not fail in the apply", fmt.Sprintf("resource %d: %s", n, failed))
		}
		after, err := v.live(ctx)
		if err != nil || after == nil {
			return false, err
		}
		told := append(said(diags, tfprotov6.DiagnosticSeverityError), said(diags, tfprotov6.DiagnosticSeverityWarning)...)
		if !destroys {
			told = append(told, second.warnings...)
		}
		return false, v.check(at, n, prior, first, told, before, after)
	}
	resource.state = next
	if err := broke(at, "the result is what was planned", named(n, disagreements(second.value, next.value))...); err != nil {
		return false, err
	}
	after, err := v.live(ctx)
	if err != nil {
		return false, err
	}
	if after == nil {
		return false, broke(at, "the object stays", "it is gone")
	}
	told := said(diags, tfprotov6.DiagnosticSeverityWarning)
	if !destroys {
		told = append(told, second.warnings...)
	}
	if err := v.check(at, n, prior, first, told, before, after); err != nil || !destroys {
		return true, err
	}
	losses, err := lossesOf(before, after, prior.manager())
	if err != nil {
		return false, err
	}
	wrong, err := handedOver(prior, losses, before, after)
	if err != nil {
		return false, err
	}
	if err := broke(at, "a handover changes no value, and the successor owns the fields", named(n, wrong)...); err != nil {
		return false, err
	}
	var left []string
	for _, entry := range after.GetManagedFields() {
		if entry.Manager == prior.manager() {
			left = append(left, fmt.Sprintf("resource %d still owns %s", n, entry.FieldsV1))
		}
	}
	return true, broke(at, "a destroyed patch owns nothing", left...)
}

// check compares what an apply or a destroy did with what its plan said.
func (v *several) check(at step, n int, prior state, first plan, told []string, before, after *unstructured.Unstructured) error {
	if before == nil {
		return nil
	}
	manager := prior.manager()
	if manager == "" {
		manager = v.tenants[n].state.manager()
	}
	losses, err := lossesOf(before, after, manager)
	if err != nil {
		return err
	}
	losses = slices.DeleteFunc(losses, func(loss livediff.Loss) bool {
		return isOfServer(loss.Path) || v.isRewritten(loss, after, first.value.IsNull())
	})
	explain := func(wrong []string) []string {
		if len(wrong) == 0 {
			return nil
		}
		return append(named(n, wrong), "warnings: "+strings.Join(first.warnings, "\n"), "told by the apply: "+strings.Join(told, "\n"))
	}
	var broken, unshown []string
	kept, restored, removed := listed(first.warnings, keeps), listed(first.warnings, restores), listed(first.warnings, takes)
	shown := livediff.Shown{State: attribute(prior.value, "managed_state"), Planned: attribute(first.value, "managed_state"), Warnings: first.warnings, Applied: told}
	for field, value := range attribute(first.value, "fields_to_remove") {
		if shown.State == nil {
			shown.State = map[string]string{}
		}
		shown.State[field] = value
		delete(shown.Planned, field)
	}
	for _, loss := range losses {
		if keepsValue(kept, before, loss.Path) && !lists(restored, loss.Path) && len(shownBy(told, loss)) == 0 {
			broken = append(broken, loss.String())
		}
		if !first.value.IsNull() {
			continue
		}
		if goes := loss.Gone > 1 && (len(loss.Owners) == 0 || loss.IsKey()); goes {
			continue // It goes with the item or the map around it.
		}
		if !lists(removed, loss.Path) && !lists(restored, loss.Path) && len(shownBy(told, loss)) == 0 {
			unshown = append(unshown, loss.String())
		}
	}
	if err := broke(at, "what a plan says to stay stays", explain(broken)...); err != nil {
		return err
	}
	if !first.value.IsNull() {
		for _, loss := range shown.Unshown(before.Object, losses) {
			unshown = append(unshown, loss.String())
		}
	}
	return broke(at, "a plan shows every value that its apply changes or removes", explain(unshown)...)
}

// lossesOf returns what an apply has changed or removed of an object, without what the server does by itself.
func lossesOf(before, after *unstructured.Unstructured, manager string) ([]livediff.Loss, error) {
	losses, err := livediff.Losses(before.Object, after.Object, manager, nil)
	return slices.DeleteFunc(losses, func(loss livediff.Loss) bool { return isOfServer(loss.Path) }), err
}

// The first lines of lists of fields.
var (
	keeps    = regexp.MustCompile(`(stays?|keeps? (its|the) values?|keep their values|stay on the object|values stay)\b.*:$`)
	restores = regexp.MustCompile(`^It restores the earlier values`)
	takes    = regexp.MustCompile(`^(It removes what this resource added|The API server (removes|changes) these values with that)`)
)

// listed returns the lines of the lists whose first line matches.
func listed(warnings []string, header *regexp.Regexp) []string {
	var all []string
	for _, warning := range warnings {
		paragraphs := strings.Split(warning, "\n\n")
		for i, paragraph := range paragraphs[:len(paragraphs)-1] {
			if !header.MatchString(strings.ReplaceAll(paragraph[strings.LastIndex(paragraph, ". ")+1:], "\n", " ")) {
				continue
			}
			for line := range strings.Lines(paragraphs[i+1]) {
				if strings.HasPrefix(line, "  ") {
					all = append(all, strings.TrimSpace(line))
				}
			}
		}
	}
	return all
}

// lists reports whether a line is about a field, or one above it.
func lists(lines []string, path livediff.Path) bool {
	return slices.ContainsFunc(lines, func(line string) bool {
		for end := len(path); end > 0; end-- {
			if isAbout(line, path[:end], "[") {
				return true
			}
		}
		return false
	})
}

// isOfServer reports whether the server itself drops a field with another one, that of a Service with the last way in from
// outside for instance, or a controller changes it.
func isOfServer(path livediff.Path) bool {
	return slices.Contains([]string{
		"spec.externalTrafficPolicy", "spec.internalTrafficPolicy", "metadata.annotations.deployment.kubernetes.io/revision",
	}, path.String())
}

// keepsValue reports whether a line is about a field, or about a list that it is in. A line about a map is about the map alone.
func keepsValue(lines []string, live *unstructured.Unstructured, path livediff.Path) bool {
	for end := len(path); end > 0; end-- {
		value, _ := livediff.Lookup(live.Object, path[:end])
		_, isList := value.([]any)
		if (end == len(path) || isList) && slices.ContainsFunc(lines, func(line string) bool { return isAbout(line, path[:end]) }) {
			return true
		}
	}
	return false
}

// isAbout reports whether a line begins with a field, after which one of more may stand, too.
func isAbout(line string, path livediff.Path, more ...string) bool {
	return slices.ContainsFunc(path.Texts(), func(text string) bool {
		rest, is := strings.CutPrefix(line, text)
		return is && (rest == "" || strings.ContainsAny(rest[:1], ":, "+strings.Join(more, "")))
	})
}

// shownBy returns the messages that name a field.
func shownBy(messages []string, loss livediff.Loss) []string {
	return slices.DeleteFunc(slices.Clone(messages), func(message string) bool {
		return !slices.ContainsFunc(loss.Path.Texts(), func(text string) bool { return strings.Contains(message, text) })
	})
}

// checkFolded checks that the CLI folds no warnings that list fields of different resources: those with equal summaries.
func (v *several) checkFolded(at step, plans []*plan) error {
	seen := map[string]string{}
	var folded []string
	for n, p := range plans {
		if p == nil {
			continue
		}
		for _, warning := range p.warnings {
			summary, detail, _ := strings.Cut(warning, "\n")
			if other, has := seen[summary]; has && other != detail && strings.Contains(detail, "\n\n  ") {
				folded = append(folded, fmt.Sprintf("resource %d: %s", n, warning))
			}
			seen[summary] = detail
		}
	}
	return broke(at, "the CLI shows the warnings of each resource", folded...)
}
