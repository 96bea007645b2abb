package faults_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
)

// sentence returns a whole explanation: object, operation, what was seen, and in a paragraph of its own what
// to do next.
func (b *bench) sentence(c cell, verbs string) *regexp.Regexp {
	return regexp.MustCompile(fmt.Sprintf(`(?s)^%s could not be (%s): [^\n]+.*\n\n[A-Z][^\n]+[.:]`,
		regexp.QuoteMeta(identity(b.Namespace, c.object()).String()), verbs))
}

// checkSaid asserts that errors of a phase are explained, that a lasting fault causes an error, and that the
// provider survives a fault that passes.
func (b *bench) checkSaid(c cell, in phase, out outcome, verbs string) {
	switch {
	case c.phase != in, c.duration == once && c.fault.outlook == survived:
		b.expectNoError(c, string(in), out)
	case c.duration == lasting && len(out.diagnostics[c.object()]) == 0:
		b.problem(c, "%s: nothing is said about a fault that lasts", in)
	}
	for _, said := range out.errors(c.object()) {
		if !b.sentence(c, verbs).MatchString(said.Detail) {
			b.problem(c, "not an explanation: %s", said)
		}
	}
}

// checkPlanned asserts that a plan explains what failed and writes nothing.
func (b *bench) checkPlanned(out outcome, was map[string]unstructured.Unstructured) {
	b.checkStray(out)
	live := b.live()
	for _, c := range b.cells {
		b.checkSaid(c, planning, out, "planned|read|imported|deleted")
		object, old := live[c.object()], was[c.object()]
		if object.GetResourceVersion() != old.GetResourceVersion() {
			b.problem(c, "the plan wrote to the object")
		}
	}
}

// checkStray asserts that every error is about a cell.
func (b *bench) checkStray(out outcome) {
	for _, said := range out.errors("") {
		b.T.Errorf("about no cell: %s", said)
	}
}

func (b *bench) expectNoError(c cell, command string, out outcome) {
	for _, said := range out.errors(c.object()) {
		b.problem(c, "%s: %s", command, said)
	}
}

// checkExplained asserts that an apply explains what failed.
func (b *bench) checkExplained(out outcome) {
	b.checkStray(out)
	for _, c := range b.cells {
		b.checkSaid(c, applying, out, "planned|created|updated|deleted|released")
	}
}

// checkApplied asserts what an apply with faults leaves behind.
func (b *bench) checkApplied(out outcome, was map[string]unstructured.Unstructured) {
	live, state := b.live(), b.state()
	for _, c := range b.cells {
		name := c.object()
		object, isThere := live[name]
		exists := c.exists(object, isThere)
		old, existed := was[name]
		held, inState := state[name]
		failed := len(out.errors(name)) > 0 || c.fault.name == "killed"
		switch {
		case exists && !inState && c.isOrphaned():
		case inState && held.Status == "tainted" && c.isOutcomeUnknown() && failed && !c.isPatch():
		case exists && !inState && c.isOutcomeUnknown() && failed && c.isPatch():
		case exists && !inState:
			b.problem(c, "the object, or what the patch made of it, is not in the state; errors: %v", out.errors(name))
		case inState && held.Status != "":
			b.problem(c, "the state has the object as %s; errors: %v", held.Status, out.errors(name))
		case !exists && inState && !failed:
			b.problem(c, "the state has an object that does not exist, or a patch that is not on it")
		}
		if existed && isThere && object.GetUID() != old.GetUID() {
			b.problem(c, "the object was replaced")
		}
		if values(object) == c.wanted() {
			continue
		}
		if !failed {
			b.problem(c, "nothing failed, but the object is %s, want %s", values(object), c.wanted())
		} else if values(object) != values(old) && isThere && (c.between == nil || values(object) != text(c.between)) {
			b.problem(c, "the object was %s and is %s, which is not %s", values(old), values(object), c.wanted())
		}
	}
}

// converge asserts that what a fault left behind is repaired by the next apply, and by it alone.
func (b *bench) converge(was map[string]unstructured.Unstructured) {
	left, state := b.live(), b.state()
	next := b.run("plan", "-out=plan")
	b.checkStray(next)
	for _, c := range b.cells {
		object, exists := left[c.object()]
		_, inState := state[c.object()]
		if exists && !inState && c.isOrphaned() && !c.isPatch() {
			b.expectImportBlock(c, next)
			continue
		}
		b.expectNoError(c, "the next plan", next)
		if c.isPatch() {
			exists = inState // Another apply of a patch that is not in the state is a create.
		}
		switch action := next.actions[c.object()]; {
		case action == "replace" && c.isOutcomeUnknown() && !c.isPatch():
		case action == "replace",
			action == "create" && (exists || c.after == nil),
			action == "delete" && c.after != nil,
			action == "update" && (!inState && c.created == "" || c.after == nil):
			b.problem(c, "the next plan would %s the object, which is %s", action, values(object))
		}
	}
	if len(next.failed()) > 0 {
		// The others go on; what is in the way is imported or adopted, as the error says.
		b.repair(next.failed())
		b.configureAs(after)
		b.mustRun("plan", "-out=plan")
	}
	again := b.run("apply", "plan")
	b.checkStray(again)
	for _, c := range b.cells {
		b.expectNoError(c, "the next apply", again)
	}
	b.checkSettled(was)
}

// expectImportBlock asserts that a plan tells how to get an object into the state.
func (b *bench) expectImportBlock(c cell, out outcome) {
	block := fmt.Sprintf("id = %q", identity(b.Namespace, c.object()).ID())
	said := out.errors(c.object())
	if len(said) != 1 || said[0].Summary != "Object Already Exists" || !strings.Contains(said[0].Detail, block) {
		b.problem(c, "the next plan does not tell how to import the object: %v", said)
	}
}

// repair has every second object imported and the others adopted.
func (b *bench) repair(keys []string) {
	slices.Sort(keys)
	for i, key := range keys {
		b.repairs[key] = [...]repair{imported, adopted}[i%2]
	}
}

// checkSettled asserts that everything is as the configuration says.
func (b *bench) checkSettled(was map[string]unstructured.Unstructured) {
	last := b.run("plan")
	b.checkStray(last)
	live, state := b.live(), b.state()
	for _, c := range b.cells {
		name := c.object()
		if action := last.actions[name]; action != "" && action != "noop" {
			b.problem(c, "the last plan would still %s", action)
		}
		b.expectNoError(c, "the last plan", last)
		object, exists := live[name]
		held, inState := state[name]
		if exists != (c.want != nil) || inState != (c.after != nil) {
			b.problem(c, "in the end: on the server: %t, in the state: %t", exists, inState)
			continue
		}
		if diff := cmp.Diff(c.wanted(), values(object)); diff != "" {
			b.problem(c, "in the end (-want +live):\n%s", diff)
		}
		if inState && (held.Status != "" || held.Attributes.Ref.UID != string(object.GetUID())) {
			b.problem(c, "in the end the state has another object, or has it as %q", held.Status)
		}
		if old, existed := was[name]; existed && exists && old.GetUID() != object.GetUID() {
			b.problem(c, "in the end the object is another one")
		}
		b.checkOwners(c, object)
		b.checkPatch(c, object, held)
		b.checkReported(c)
	}
	for name := range live {
		if !slices.ContainsFunc(b.cells, func(c cell) bool { return c.object() == name }) {
			b.T.Errorf("%s was left behind", name)
		}
	}
}

func (b *bench) checkOwners(c cell, object unstructured.Unstructured) {
	claims, err := ownership.Parse(object.GetManagedFields())
	if err != nil {
		b.problem(c, "%v", err)
		return
	}
	all := claims.CoOwners(claims.Formatter())
	for field, want := range c.owners {
		var got []string
		for _, holder := range all[field] {
			got = append(got, holder.Name)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			b.problem(c, "owners of %s (-want +got):\n%s after the requests %q", field, diff, b.proxy.take(c.object()))
		}
	}
}

// wanted returns the text of the values that the operation is to leave.
func (c cell) wanted() string { return text(c.want) }

// values returns what people wrote into an object, as text.
func values(object unstructured.Unstructured) string {
	data, _, _ := unstructured.NestedStringMap(object.Object, "data")
	return text(data)
}

func text(data map[string]string) string {
	if data == nil {
		return "gone"
	}
	return fmt.Sprint(data)
}
