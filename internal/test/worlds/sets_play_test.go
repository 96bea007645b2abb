package worlds_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// play returns a *finding where a promise does not hold, and another error where the test itself fails.
func (v *sets) play(ctx context.Context, t setTurn) error {
	v.counts.steps++
	if err := v.writeAll(ctx, t.before); err != nil {
		return err
	}
	if !t.isLate {
		if err := v.obey(ctx, t.rule); err != nil {
			return err
		}
	}
	if t.elsewhere {
		if err := v.planElsewhere(ctx, t); err != nil {
			return err
		}
	}
	rewrites := t.rule == rewrites
	if t.replaced >= 0 {
		r := v.residents[t.replaced]
		r.isReplaced = !r.isTainted && !r.state.value.IsNull()
	}
	first, refused, err := v.planAll(ctx, t, true)
	if err != nil || refused {
		v.endReplacements()
		return err
	}
	if err := v.disturb(ctx, t); err != nil {
		return err
	}
	failed, err := v.applyAll(ctx, t, first, true)
	if err != nil {
		return err
	}
	v.endReplacements()
	if t.room >= 0 {
		if err := v.limit(ctx, -1); err != nil {
			return err
		}
	}
	if t.held >= 0 {
		if err := v.release(ctx, t.held); err != nil {
			return err
		}
	}
	if failed || len(t.between) > 0 {
		t = t.undisturbed()
		if ended, err := v.finish(ctx, t, failed); err != nil || !ended {
			return err
		}
	} else if rewrites {
		return nil // What a resource applies with the policy for the first time is rewritten.
	}
	again, refused, err := v.planAll(ctx, t, false)
	if err != nil {
		return err
	}
	if refused {
		return broke(step{number: t.number}, "the plan after an apply succeeds", "it was refused")
	}
	for n, p := range again {
		if p == nil {
			continue
		}
		changes := disagreements(v.residents[n].stateOf().value, p.value)
		if err := broke(step{number: t.number}, "the plan after an apply is empty", named(n, changes)...); err != nil {
			return err
		}
	}
	return nil
}

// endReplacements ends what -replace asks for, which is one run.
func (v *sets) endReplacements() {
	for _, r := range v.residents {
		r.isReplaced = false
	}
}

// planElsewhere plans the first set in another workspace, which has no state. The plan may pass only if an apply would change
// nothing.
func (v *sets) planElsewhere(ctx context.Context, t setTurn) error {
	t = t.clone()
	h, manager := &t.sets[0], v.residents[0].state.manager()
	if !h.present || manager == "" {
		return nil
	}
	h.manager, h.ignored, h.leftTo, h.given = manager, nil, nil, nil
	other, err := newRunWith(ctx, "k8sconnect_manifests", v.connection)
	if err != nil {
		return err
	}
	run := other.of("k8sconnect_manifests")
	config, err := v.configure(run, t, 0, false)
	if err != nil {
		return err
	}
	_, refusal := run.plan(ctx, state{value: tftypes.NewValue(run.kind, nil)}, config)
	live, err := v.live(ctx)
	if refusal != nil || err != nil {
		return err
	}
	var wrong []string
	for _, e := range h.entries {
		was := live[e.object]
		if was == nil {
			continue
		}
		is, err := v.objects[e.object].try(ctx, manager, v.body(e).Object)
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("%s: %s", v.idOf(e.object), err))
			continue
		}
		losses, err := lossesOf(was, is, manager)
		if err != nil {
			return err
		}
		for _, loss := range losses {
			wrong = append(wrong, v.idOf(e.object)+": "+loss.String())
		}
	}
	return broke(step{number: t.number}, "another workspace takes over only what it would not change", wrong...)
}

// disturb does what happens between a plan and its apply.
func (v *sets) disturb(ctx context.Context, t setTurn) error {
	if err := v.writeAll(ctx, t.between); err != nil {
		return err
	}
	if err := v.obey(ctx, t.rule); err != nil {
		return err
	}
	if t.held >= 0 {
		if err := v.hold(ctx, t.held, true); err != nil {
			return err
		}
	}
	if t.room >= 0 {
		return v.limit(ctx, t.room)
	}
	return nil
}

// release lets an object go that a finalizer holds.
func (v *sets) release(ctx context.Context, object int) error {
	if err := v.hold(ctx, object, false); err != nil {
		return err
	}
	return v.await(ctx, func(ctx context.Context) (bool, error) {
		live, err := v.objects[object].live(ctx)
		return live == nil || live.GetDeletionTimestamp() == nil, err
	})
}

// finish plans and applies once more, with nothing in the way. It reports whether the plan passed.
func (v *sets) finish(ctx context.Context, t setTurn, failed bool) (bool, error) {
	if err := v.obey(ctx, unruled); err != nil {
		return false, err
	}
	before, err := v.live(ctx)
	if err != nil {
		return false, err
	}
	plans, refused, err := v.planAll(ctx, t, false)
	if err != nil || refused {
		return false, err
	}
	settled := map[int]bool{}
	for at, p := range plans {
		if r := v.residents[at]; failed && r.isSet() && p != nil && !r.isTainted && !r.replacesNow {
			for _, object := range v.applied(t, at) {
				settled[object] = true
			}
		}
	}
	if failed, err = v.applyAll(ctx, t, plans, false); err != nil {
		return false, err
	}
	if failed {
		return false, broke(step{number: t.number}, "the run after one that failed finishes", append([]string{"it failed"}, v.failures...)...)
	}
	after, err := v.live(ctx)
	if err != nil {
		return false, err
	}
	var wrong []string
	for object := range settled {
		was, is := before[object], after[object]
		if is == nil || was == nil || was.GetUID() != is.GetUID() {
			wrong = append(wrong, v.idOf(object)+" was applied, and is another one or gone")
		}
	}
	return true, broke(step{number: t.number}, "the run after one that failed leaves alone what was applied", wrong...)
}

// applied returns the objects of a set that the state has as the configuration says.
func (v *sets) applied(t setTurn, at int) []int {
	var all []int
	state := v.residents[at].state
	open := attribute(state.value, "pending")
	for key, e := range t.sets[at].entries {
		if _, isOpen := open[key]; !isOpen && v.holds(state, key, e) {
			all = append(all, e.object)
		}
	}
	return all
}

// planAll refreshes and plans all resources in one process, as the CLI does. It reports whether a plan was refused for a
// reason. hides is true for a plan that does not know all values.
func (v *sets) planAll(ctx context.Context, t setTurn, hides bool) ([]*plan, bool, error) {
	at := step{number: t.number}
	planner, err := newRunWith(ctx, "k8sconnect_manifests", v.connection)
	if err != nil {
		return nil, false, err
	}
	order := append(slices.Clone(t.order), patchResident)
	answers := make([]planned, len(v.residents))
	work := func(n int) { answers[n] = v.planOne(ctx, planner, t, n, hides) }
	if t.gives() { // Who gives an object and who takes it wait for each other.
		var all sync.WaitGroup
		for _, n := range order {
			all.Go(func() { work(n) })
		}
		all.Wait()
	}
	plans := make([]*plan, len(v.residents))
	var errs []string
	for _, n := range order {
		if !t.gives() {
			work(n)
		}
		plans[n] = answers[n].plan
		if answers[n].err != nil {
			return nil, false, answers[n].err
		}
		if answers[n].refusal == nil {
			continue
		}
		var said *diagnosed
		if !errors.As(answers[n].refusal, &said) {
			return nil, false, broke(at, "a plan succeeds", fmt.Sprintf("resource %d: %s", n, answers[n].refusal))
		}
		for _, text := range said.texts {
			errs = append(errs, text)
			if !v.isReasonable(ctx, t, n, text) {
				return nil, false, broke(at, "a plan fails for a reason only", fmt.Sprintf("resource %d: %s", n, text))
			}
		}
	}
	isHidden := hides && (t.sets[0].isHidden || t.sets[1].isHidden)
	isTwice := func(text string) bool { return strings.Contains(text, "Managed Twice") }
	if v.overlaps(t) && !isHidden && !slices.ContainsFunc(errs, isTwice) {
		return nil, false, broke(at, "an object that two resources have is refused in the first plan that has both", v.describe(t, plans)...)
	}
	if len(errs) > 0 {
		v.counts.refused++
	}
	return plans, len(errs) > 0, nil
}

// planned is the answer to the plan of a resource: nothing if it has none.
type planned struct {
	plan         *plan
	refusal, err error
}

// planOne refreshes and plans one resource.
func (v *sets) planOne(ctx context.Context, planner *run, t setTurn, n int, hides bool) planned {
	r := v.residents[n]
	run := planner.of(r.resourceType())
	config, err := v.configure(run, t, n, hides)
	if err != nil {
		return planned{err: err}
	}
	current := r.stateOf()
	if current.value.IsNull() {
		*current = state{value: tftypes.NewValue(run.kind, nil)}
		if config.IsNull() {
			return planned{}
		}
	} else if *current, err = run.refresh(ctx, *current); err != nil {
		return planned{err: broke(step{number: t.number}, "a refresh succeeds", fmt.Sprintf("resource %d: %s", n, err))}
	}
	prior := *current
	if r.isTainted && !config.IsNull() {
		prior = state{value: tftypes.NewValue(run.kind, nil)}
	}
	if prior.value.IsNull() && config.IsNull() {
		return planned{}
	}
	p, refusal := run.plan(ctx, prior, config)
	if r.isReplaced && refusal == nil && !config.IsNull() { // Terraform plans the create, with what the first plan has noted.
		prior = state{value: tftypes.NewValue(run.kind, nil), private: p.response.PlannedPrivate}
		p, refusal = run.plan(ctx, prior, config)
	}
	if refusal != nil {
		return planned{refusal: refusal}
	}
	return planned{plan: &p}
}

// overlaps reports whether a resource is to have an object that another one has, or has in its state.
func (v *sets) overlaps(t setTurn) bool {
	for at, h := range t.sets {
		for _, e := range h.entries {
			gives := slices.Contains(t.sets[1-at].given, e.object)
			if other, _ := v.manifestOf(v.residents[1-at].state, e.object); h.present && other != nil && !gives {
				return true
			}
		}
	}
	return t.overlaps()
}

// describe returns which resources have objects that the configuration of another one has, and what the plans warn of.
func (v *sets) describe(t setTurn, plans []*plan) []string {
	all := []string{"the plan passes"}
	for at, h := range t.sets {
		for key, e := range h.entries {
			other, _ := v.manifestOf(v.residents[1-at].state, e.object)
			own, _ := v.manifestOf(v.residents[at].state, e.object)
			all = append(all, fmt.Sprintf("set %d, %s = x%d: in its state %t, in that of the other %t", at, key, e.object, own != nil, other != nil))
		}
	}
	for n, p := range plans {
		if p != nil {
			all = append(all, named(n, p.warnings)...)
		}
	}
	return all
}

// isReasonable reports whether a plan may be refused with an error.
func (v *sets) isReasonable(ctx context.Context, t setTurn, n int, text string) bool {
	summary, _, _ := strings.Cut(text, "\n")
	if !v.residents[n].isSet() {
		l := []lease{t.manifest, t.patch}[n-manifestResident]
		return summary == "Object Managed Twice" && v.overlaps(t) || v.isRuled(errors.New(text)) || !v.residents[n].single.accepts(ctx, v.residents[n].at, l)
	}
	h := t.sets[n]
	switch summary {
	case "Object Managed Twice":
		return v.overlaps(t)
	case "Field Ownership Conflict":
		return h.onConflict == "fail"
	case "Object Cannot Be Adopted":
		return true // Somebody has created it, and has made it immutable.
	case "Released Object Cannot Be Replaced":
		return releases(v.residents[n].state)
	}
	return v.isRuled(errors.New(text)) || v.refuses(ctx, h, v.residents[n].state.manager())
}

// refuses reports whether the server refuses one of the manifests of a set.
func (v *sets) refuses(ctx context.Context, h holding, manager string) bool {
	if manager == "" {
		manager = "somebody"
	}
	for _, e := range h.entries {
		if _, err := v.objects[e.object].try(ctx, manager, v.body(e).Object); err != nil && !strings.Contains(err.Error(), "immutable") {
			return true
		}
	}
	return false
}

// applyAll applies all plans in one process, as the CLI does. It reports whether one failed.
func (v *sets) applyAll(ctx context.Context, t setTurn, plans []*plan, isDisturbed bool) (bool, error) {
	v.failures = nil
	applier, err := newRunWith(ctx, "k8sconnect_manifests", v.connection)
	if err != nil {
		return false, err
	}
	order := append(slices.Clone(t.order), patchResident)
	if p := plans[patchResident]; p != nil && p.value.IsNull() {
		order = append([]int{patchResident}, t.order...) // Terraform destroys a resource before what it depends on changes.
	}
	failed := false
	for _, n := range order {
		r := v.residents[n]
		if plans[n] == nil || !r.isTainted && plans[n].value.Equal(r.stateOf().value) {
			continue
		}
		if n == patchResident && failed && !plans[n].value.IsNull() {
			continue // What it depends on has failed.
		}
		var ended bool
		if r.isSet() {
			ended, err = v.applySet(ctx, applier, t, n, *plans[n], isDisturbed)
		} else {
			ended, err = v.applySingle(ctx, applier, t, n, *plans[n])
		}
		if err != nil {
			return false, err
		}
		failed = failed || !ended
	}
	return failed, nil
}

// applySingle applies the manifest or the patch, with the checks of worlds of several.
func (v *sets) applySingle(ctx context.Context, applier *run, t setTurn, n int, first plan) (bool, error) {
	r := v.residents[n]
	r.single.applier = applier
	if n == manifestResident && first.value.IsNull() {
		next, _, err := applier.of(r.resourceType()).apply(ctx, *r.stateOf(), first)
		*r.stateOf() = next
		return err == nil, err
	}
	leases := []lease{t.manifest, t.patch}
	return r.single.applyOne(ctx, turn{number: t.number, leases: leases, isLate: true}, r.at, first, true)
}

// applySet applies one set, as the CLI does, and reports whether that succeeded.
func (v *sets) applySet(ctx context.Context, applier *run, t setTurn, n int, first plan, isDisturbed bool) (bool, error) {
	r, at := v.residents[n], step{number: t.number}
	run := applier.of(r.resourceType())
	before, err := v.live(ctx)
	if err != nil {
		return false, err
	}
	done := setApply{
		n: n, holding: t.sets[n], prior: r.state, first: first, before: before, isDisturbed: isDisturbed && t.isDisturbed(),
		destroys: first.value.IsNull(), wasTainted: r.isTainted, isReplaced: r.isReplaced,
	}
	if (r.isTainted || r.isReplaced) && !done.destroys {
		if err := v.destroyHalf(ctx, run, at, r, first); err != nil {
			return false, err
		}
	}
	second := first
	r.replacesNow = false
	if !done.destroys {
		config, err := v.configure(run, t, n, false)
		if err != nil {
			return false, err
		}
		if second, err = run.plan(ctx, r.state, config); err != nil {
			if done.isDisturbed || isDisturbed && done.holding.hides() || v.isRuled(err) {
				v.failures = append(v.failures, err.Error())
				return false, nil
			}
			return false, broke(at, "a plan that passed passes in the apply", fmt.Sprintf("set %d: %s", n, err))
		}
		differing := disagreements(first.value, second.value)
		if done.isDisturbed && slices.ContainsFunc(differing, isNowReplaced) {
			// Other managers have made the object immutable since the plan.
			v.failures = append(v.failures, "the CLI refuses a plan that replaces what the first plan does not")
			r.replacesNow = true
			return false, nil
		}
		if err := broke(at, "both plans say the same", named(n, differing)...); err != nil {
			return false, err
		}
	}
	v.counts.applies++
	wasNew := r.state.value.IsNull()
	next, diags, failed := run.apply(ctx, r.state, second)
	r.state = next
	r.isTainted = failed != nil && wasNew && !next.value.IsNull()
	done.second, done.next, done.failed = second, next, failed
	done.told = append(said(diags, tfprotov6.DiagnosticSeverityError), said(diags, tfprotov6.DiagnosticSeverityWarning)...)
	if !done.destroys {
		done.told = append(done.told, second.warnings...)
	}
	if done.after, err = v.live(ctx); err != nil {
		return false, err
	}
	if failed != nil {
		v.counts.failed++
		v.failures = append(v.failures, failed.Error())
	}
	return failed == nil, v.check(at, done)
}

// destroyHalf does the first half of the replacement that Terraform makes of a tainted resource.
func (v *sets) destroyHalf(ctx context.Context, run *run, at step, r *resident, first plan) error {
	nothing := tftypes.NewValue(run.kind, nil)
	next, _, err := run.apply(ctx, r.state, plan{config: nothing, response: &tfprotov6.PlanResourceChangeResponse{
		PlannedState: encode(run.kind, nothing), PlannedPrivate: first.response.PlannedPrivate,
	}})
	if err != nil || !next.value.IsNull() {
		return broke(at, "the destroy half of a tainted set succeeds", fmt.Sprint(err))
	}
	r.state = next
	return nil
}

// undisturbed returns the turn with nothing in the way.
func (t setTurn) undisturbed() setTurn {
	t.before, t.between, t.isLate, t.room, t.held, t.replaced, t.rule = nil, nil, false, -1, -1, -1, unruled
	return t
}

// isDisturbed reports whether something else happens between the plan and the apply.
func (t setTurn) isDisturbed() bool {
	return len(t.between) > 0 || t.isLate || t.room >= 0 || t.held >= 0
}

// hides reports whether the first plan does not know all of a set.
func (h holding) hides() bool {
	for _, e := range h.entries {
		if e.form.isObject && e.form.hides {
			return true
		}
	}
	return h.isHidden
}

// setApply is what an apply of a set did.
type setApply struct {
	n                                 int
	holding                           holding
	prior, next                       state
	first, second                     plan
	before, after                     map[int]*unstructured.Unstructured
	told                              []string
	failed                            error
	isDisturbed, destroys, wasTainted bool
	isReplaced                        bool
}

// isNowReplaced reports whether two plans differ in that the second one replaces an object.
func isNowReplaced(difference string) bool {
	of, what, _ := strings.Cut(difference, ": ")
	return strings.HasPrefix(of, ".objects.") && strings.HasSuffix(of, ".uid") && strings.HasSuffix(what, "then tftypes.String<unknown>")
}
