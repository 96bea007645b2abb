package worlds_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
)

// world is one object, the resource that manages it, and other clients that write to it.
type world struct {
	stage *stage
	kind  kind
	// isPart is true if the resource is a k8sconnect_patch, of an object that other managers have created.
	isPart    bool
	namespace string
	dynamic   dynamic.Interface
	client    dynamic.ResourceInterface
	// planner and applier are the two processes in which the CLI plans every change.
	planner, applier *run
	state            state
	counts           *counts
	// pins are the values that the applies so far have pinned, by path, and repin is the text that asked for them last.
	pins  map[string]value
	repin string
	// declared is the body that was applied last.
	declared map[string]any
	// seen is the object as the last read found it; nil without one.
	seen *unstructured.Unstructured
	// tried is what the server made of the body before the last apply, without and with what is pinned, as a client
	// that owns nothing and so removes nothing. A body that it refused is left out.
	tried []*unstructured.Unstructured
	// definition is that of the kind, in a world that has one of its own.
	definition *definition
	// followed are the errors of this step whose advice was followed.
	followed []string
	// rules are those of the provider block of the two processes.
	rules   string
	playing step
	// hasLostPort is true once the Service of another test has taken a node port since a plan.
	hasLostPort bool
}

// counts say what a world went through.
type counts struct{ steps, writes, applies, quiet, refused, failed int }

// finding is a promise that a step broke.
type finding struct {
	step step
	rule string
	what []string
}

func (f *finding) Error() string {
	return fmt.Sprintf("step %d broke: %s\n    %s", f.step.number, f.rule, strings.Join(f.what, "\n    "))
}

func broke(s step, rule string, what ...string) error {
	if len(what) == 0 {
		return nil
	}
	return &finding{s, rule, what}
}

func (w *world) body(c configuration) *unstructured.Unstructured {
	base := w.whole(c)
	if w.isPart {
		base = identity(base)
	}
	return object(base, w.namespace, c.fields)
}

// whole returns the manifest without which the server refuses an object, in the version of a configuration.
func (w *world) whole(c configuration) string { return cmp.Or(c.version, w.kind.base) }

// play returns a *finding where a promise does not hold, and another error where the test itself fails.
func (w *world) play(ctx context.Context, s step) error {
	w.counts.steps++
	w.playing = s
	if err := w.define(ctx, s); err != nil {
		return err
	}
	if err := w.writeAll(ctx, s.before); err != nil {
		return err
	}
	if err := w.arrive(ctx, s); err != nil {
		return err
	}
	if err := w.refresh(ctx, s); err != nil {
		return err
	}
	w.client = w.clientOf(w.body(s.configuration).GetAPIVersion())
	config, err := w.planner.configure(w, s.configuration, true)
	if err != nil {
		return err
	}
	known, err := w.planner.configure(w, s.configuration, false)
	if err != nil {
		return err
	}
	if err := w.planner.validate(ctx, config); err != nil {
		return broke(s, "a configuration that makes sense is valid", err.Error())
	}
	if err := w.rehearse(ctx, s); err != nil {
		return err
	}
	with, err := w.planTogether(ctx, s)
	if err != nil {
		return err
	}
	first, err := w.planner.plan(ctx, w.state, config)
	if err != nil {
		w.counts.refused++
		return w.refused(ctx, s, first, err)
	}
	if err := w.checkSecrets(s, first.response.Diagnostics, w.state.private); err != nil {
		return err
	}
	if first.value.Equal(w.state.value) {
		w.counts.quiet++
		if err := w.applyTogether(ctx, s, with); err != nil {
			return err
		}
		if err := w.checkStill(ctx, s); err != nil {
			return err
		}
		return w.writeAll(ctx, s.between)
	}
	if err := w.writeAll(ctx, s.between); err != nil {
		return err
	}
	if err := w.applyTogether(ctx, s, with); err != nil {
		return err
	}
	second, err := w.applier.plan(ctx, w.state, known)
	if err != nil {
		return w.refusedSince(ctx, s, err)
	}
	if err := broke(s, "both plans say the same", disagreements(first.value, second.value)...); err != nil {
		return err
	}
	return w.apply(ctx, s, first, second)
}

func (w *world) writeAll(ctx context.Context, writes []write) error {
	for _, request := range writes {
		w.counts.writes++
		if err := w.write(ctx, request); err != nil {
			return fmt.Errorf("%s: %w", request, err)
		}
	}
	return nil
}

// refresh reads the object in the version of the state, and compares what the state shows with it.
func (w *world) refresh(ctx context.Context, s step) error {
	if w.state.value.IsNull() {
		return nil
	}
	if version := w.state.apiVersion(); version != "" && !w.kind.defined { // Versions of a definition of ours may be gone.
		w.client = w.clientOf(version)
	}
	before, err := w.live(ctx)
	if err != nil {
		return err
	}
	next, err := w.planner.refresh(ctx, w.state)
	if err != nil {
		return broke(s, "a refresh succeeds", err.Error())
	}
	after, err := w.live(ctx)
	if err != nil {
		return err
	}
	w.state, w.seen = next, after
	if before == nil || after == nil {
		return nil // Advice was to delete it.
	}
	if w.state.value.IsNull() {
		return broke(s, "an object that exists stays in the state", "the refresh took it out")
	}
	if before.GetResourceVersion() != after.GetResourceVersion() {
		return nil // A controller wrote meanwhile.
	}
	if err := w.checkSecrets(s, nil, w.state.private); err != nil {
		return err
	}
	return w.checkShown(s, after)
}

// apply applies the second plan, as the CLI does.
func (w *world) apply(ctx context.Context, s step, first, second plan) error {
	before, err := w.live(ctx)
	if err != nil {
		return err
	}
	w.counts.applies++
	w.tryBodies(ctx, s.configuration)
	prior := w.state
	next, diags, failed := w.applier.apply(ctx, prior, second)
	if !next.value.IsNull() {
		w.state = next
	}
	if err := w.checkSecrets(s, diags, next.private); err != nil {
		return err
	}
	if failed != nil {
		return w.failed(ctx, s, failed)
	}
	if err := broke(s, "the result is what was planned", disagreements(second.value, next.value)...); err != nil {
		return err
	}
	after, err := w.live(ctx)
	if err != nil {
		return err
	}
	if after == nil {
		return broke(s, "an apply leaves an object", "it is gone")
	}
	if before != nil {
		told := slices.Concat(second.warnings, said(diags, tfprotov6.DiagnosticSeverityWarning)) // The CLI prints both after the apply.
		if err := w.checkLosses(s, prior, first, told, before, after); err != nil {
			return err
		}
	}
	if err := w.checkRemoved(s, prior, first, before, after); err != nil {
		return err
	}
	if prior.value.IsNull() || w.isPart || w.kind.defined {
		// A process that has planned the same resource before would take its state for that of a second one.
		if err := w.restart(ctx, s.configuration); err != nil {
			return err
		}
	}
	if err := w.checkPinned(ctx, s, before, after); err != nil {
		return err
	}
	if len(s.between) > 0 {
		return nil
	}
	return w.checkQuiet(ctx, s, second)
}

// checkQuiet plans the same configuration once more.
func (w *world) checkQuiet(ctx context.Context, s step, applied plan) error {
	if err := w.refresh(ctx, s); err != nil {
		return err
	}
	again, err := w.planner.plan(ctx, w.state, applied.config)
	if err != nil {
		return broke(s, "the plan after an apply succeeds", err.Error())
	}
	return broke(s, "the plan after an apply is empty", disagreements(w.state.value, again.value)...)
}

func (c configuration) manager() string {
	if c.fieldManager == "" {
		return "k8sconnect"
	}
	return c.fieldManager
}

// refused judges an error of a plan: a conflict is justified only with on_conflict = "fail", and a refusal by the
// server only if the server refuses the body itself.
func (w *world) refused(ctx context.Context, s step, p plan, err error) error {
	var said *diagnosed
	if !errors.As(err, &said) {
		return broke(s, "a plan succeeds", err.Error())
	}
	if err := w.checkSecrets(s, p.response.Diagnostics, nil); err != nil {
		return err
	}
	if err := broke(s, "a plan fails for a reason only", w.unreasonable(ctx, s.configuration, said.texts)...); err != nil {
		return err
	}
	return w.follow(ctx, s, said.texts)
}

// refusedSince judges an error of the second plan: only the server may refuse what the first one passed, because other
// managers wrote since, or a value was not known yet.
func (w *world) refusedSince(ctx context.Context, s step, err error) error {
	hides := s.configuration.form.isObject && s.configuration.form.hides
	if (len(s.between) > 0 || hides) && w.serverRefuses(ctx, s.configuration) {
		return w.again(ctx, s)
	}
	if hides && s.configuration.onConflict == "fail" {
		return nil // The value that was not known yet is the conflict.
	}
	return broke(s, "a plan that passed passes in the apply", err.Error())
}

// losesPort reports whether an error is the first one of a world about a node port that is taken. Node ports are the whole
// cluster's: a Service of another test may take one since the plan, by chance, and hardly in the next apply again.
func (w *world) losesPort(err error) bool {
	if w.hasLostPort || !strings.Contains(err.Error(), "provided port is already allocated") {
		return false
	}
	w.hasLostPort = true
	return true
}

// failed judges an error of an apply: only other clients that wrote since the plan may cause one.
func (w *world) failed(ctx context.Context, s step, err error) error {
	if w.losesPort(err) {
		if err := w.restart(ctx, s.configuration); err != nil {
			return err
		}
		s.before, s.between = nil, nil
		return w.play(ctx, s)
	}
	if len(s.between) == 0 {
		return broke(s, "a plan that passed does not fail in the apply", err.Error())
	}
	return w.again(ctx, s)
}
