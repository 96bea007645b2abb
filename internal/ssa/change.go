package ssa

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
)

// Change is what a plan tells of one field.
type Change struct {
	Field      string
	Transition ownership.Transition
	// Was and Becomes are the live value and ours, as attributes show them.
	Was, Becomes string
	// Types are set where Was and Becomes are alike, and values of two types.
	Types Retyped
	// Others are the managers concerned: for a conflict those that lose the field, otherwise those that
	// own it once the apply is done.
	Others []ownership.Holder
	// Owned says that we own the field now, whoever else does.
	Owned bool
	// Ignored tells a field that is left to others from one that left the manifest.
	Ignored bool
	// Again counts, this apply included, how often in a row the field was taken back from one of Others; 0
	// where it is not taken back.
	Again int
	// With is what Field is removed with, for Removing: a list item that leaves, a map entry that leaves, or a
	// field whose value is replaced.
	With string
	// WithItem says that With is a list item.
	WithItem bool
}

// changes returns what the plan tells of the fields that we owned before or will own, in order of their paths,
// and then what others lose with them.
// shown are the values after the apply, shown as those of the prior state are.
func (in prediction) changes(foreseen ownership.Prediction, shown map[string]string, formatter *paths.Formatter) []Change {
	declared := ownership.ReconcileFields(in.prior.DeclaredBefore(), in.becameAtomic)
	facts := fieldDiff{
		prediction: in, declared: declared, before: desiredBefore(in.prior, in.known), now: in.intent.desired(in.body),
		after: foreseen.After.Others(in.intent.FieldManager), taken: map[string][]ownership.Holder{},
		shown: shown, formatter: formatter, answer: projection.NewReader(in.result),
		known: in.prior.Snapshot.Renderer(), wanted: in.intent.renderer(in.prior.Object, in.prior.Snapshot.DigestKey),
	}
	facts.ignored, _ = projection.Covered(declared.Union(in.applied), facts.now.ignored, in.intent.Manifest.Object)
	for _, taken := range foreseen.Taken {
		facts.taken[paths.ID(taken.Path)] = taken.From
	}
	var changes []Change
	listed := map[string]bool{}
	applied := in.applied.Leaves().Union(foreseen.TakenFields())
	paths.Walk(applied.Union(declared.Leaves()), func(path paths.Path, _ bool) {
		if !applied.Has(path) && touches(in.applied, path) {
			return
		}
		if change, isTold := facts.change(path); isTold && !listed[change.Field] {
			listed[change.Field] = true
			changes = append(changes, change)
		}
	})
	return append(changes, facts.removals(foreseen.Removed, listed)...)
}

// removals returns what others lose with what is removed or replaced, each field that is not listed yet once.
func (f fieldDiff) removals(removed []ownership.Removed, listed map[string]bool) []Change {
	var changes []Change
	for _, lost := range removed {
		change := Change{
			Field: f.wanted.Names(f.formatter).Format(lost.Path), Transition: ownership.Removing,
			Was: valueBefore(f.prior, f.priorField(lost.Path), f.wanted, lost.Path), Others: lost.From,
			With: f.wanted.Names(f.formatter).Format(lost.With), WithItem: lost.With[len(lost.With)-1].FieldName == nil,
		}
		if !slices.ContainsFunc(lost.From, func(holder ownership.Holder) bool { return !f.rewrite.TakesOver(holder.Manager) }) {
			change.Transition, change.Becomes = ownership.Unclaimed, RemovedValue // The configuration has agreed to it.
		}
		if len(f.wanted.RedactedPath(lost.Path)) < len(lost.Path) {
			change.Was = projection.Redacted // The line is about the whole list.
		}
		if !listed[change.Field] {
			listed[change.Field] = true
			changes = append(changes, change)
		}
	}
	return changes
}

// change returns what the plan tells of one field, false where it says nothing.
func (f fieldDiff) change(path paths.Path) (Change, bool) {
	facts := f.of(path)
	transition, outcome := facts.Classify()
	change := Change{
		Field:      f.wanted.Names(f.formatter).Format(path),
		Transition: transition,
		Others:     f.after.Holders(path),
		Owned:      f.claims.Own(f.intent.FieldManager).Has(path) || f.claims.Own(f.rewrite.PreviousManager).Has(path),
	}
	if transition.IsConflict() {
		change.Others = f.taken[paths.ID(path)]
	}
	if !facts.OwnedAfter {
		change.Ignored = f.rewrite.Release.Has(path) || f.ignored.Has(path)
	}
	_, hasValue := f.prior.ManagedState[f.priorField(path)]
	if facts.OwnedAfter {
		change.Types = f.retyped(path)
	}
	if !reported(outcome, change, hasValue) && change.Types == (Retyped{}) {
		return change, false
	}
	change.Was, change.Becomes = valueBefore(f.prior, f.priorField(path), f.wanted, path), f.asks(path, f.wanted)
	if change.Was == noValue && ownership.HasNamedParts(f.claims.Fields(), path) {
		change.Was = "(a map)"
	}
	if len(f.wanted.RedactedPath(path)) < len(path) {
		change.Becomes = projection.Redacted // The line is about the whole list.
	}
	if transition == ownership.Retaking {
		change.Again = f.prior.Snapshot.RepeatedConflicts.With(change.Field, change.Others) + 1
	}
	return change, true
}

func reported(outcome ownership.Outcome, change Change, hasValue bool) bool {
	switch outcome {
	case ownership.Reported:
		return true
	case ownership.ReportedIfShared:
		return len(change.Others) > 0 && !change.Owned
	case ownership.ReportedIfKept:
		if change.Ignored {
			return hasValue && change.Owned
		}
		return len(change.Others) > 0
	default:
		return false
	}
}

// fieldDiff finds out what decides about a field.
type fieldDiff struct {
	prediction
	// declared is what our last apply left with us.
	declared *paths.Set
	// before is what the configuration said at our last apply, now what it says.
	before, now desired
	// ignored is what the configuration leaves to others.
	ignored *paths.Set
	// after are the claims of others once the apply is done, taken who loses a field by it.
	after     ownership.Claims
	taken     map[string][]ownership.Holder
	shown     map[string]string
	formatter *paths.Formatter
	// answer is what the server makes of the body.
	answer *projection.Reader
	// known shows values as the prior state does, wanted as the plan does: sensitive_fields may have changed.
	known, wanted projection.Renderer
}

// priorField returns the text of a path in the prior state.
func (f fieldDiff) priorField(path paths.Path) string { return f.known.Names(f.formatter).Format(path) }

func (f fieldDiff) of(path paths.Path) ownership.Facts {
	facts := ownership.Facts{
		OwnedBefore: touches(f.declared, path),
		OwnedAfter:  touches(f.applied, path),
	}
	was, is := f.before.of(path, f.known), f.now.of(path, f.known)
	facts.Configured = was != is
	switch {
	case !facts.OwnedAfter:
		value, held := f.prior.Snapshot.Values[paths.ID(path)]
		facts.Contested = held && value != was.value
	case len(f.taken[paths.ID(path)]) > 0:
		facts.Contested = true
	case facts.OwnedBefore && !facts.Configured && len(f.known.RedactedPath(path)) == len(path):
		// The manager that gave the field this value has released it since.
		field := f.priorField(path)
		becomes, known := f.shown[field]
		live, shown := f.prior.ManagedState[field]
		facts.Contested = known && shown && becomes != live && f.asks(path, f.known) != live
	}
	return facts
}

// asks returns the value that the configuration gives a field, as attributes show values.
func (f fieldDiff) asks(path paths.Path, renderer projection.Renderer) string {
	value, _ := f.now.sent.Lookup(path)
	return renderer.Text(path, value)
}

// touches reports whether the set holds the field, a field that it is part of, or a part of it: a schema that
// changes may split a field and join it again, and it stays the same field.
func touches(set *paths.Set, path paths.Path) bool {
	for i, element := range path {
		below := paths.Children(set, element)
		if below == nil {
			return paths.Has(set, element)
		}
		if i == len(path)-1 {
			return true
		}
		set = below
	}
	return false
}

// desired is what a configuration says of an object: its manifest, and the part that is sent.
type desired struct {
	manifest, sent *projection.Reader
	// writeOnly covers fields of which the version alone is kept, and ignored those that are not sent.
	writeOnly, ignored paths.Patterns
	version            string
}

// desired returns what the intent says, of which body is sent.
func (i Intent) desired(body map[string]any) desired {
	return desired{
		projection.NewReader(i.Manifest.Object), projection.NewReader(body),
		record.PatternsOf(i.WriteOnly.Fields), i.ignored(), i.WriteOnly.Version,
	}
}

// desiredField is what a configuration says of one field.
type desiredField struct {
	// value is its fingerprint, with secrets in digest.
	value         string
	written, sent projection.Presence
}

func (a desired) of(path paths.Path, renderer projection.Renderer) desiredField {
	if a.writeOnly.Match(path) {
		sent := projection.Present
		if a.ignored.Match(path) {
			sent = projection.Absent
		}
		return desiredField{value: a.version, written: projection.Present, sent: sent}
	}
	value, written := a.manifest.Lookup(path)
	_, sent := a.sent.Lookup(path)
	return desiredField{value: renderer.Fingerprint(path, value), written: written, sent: sent}
}

// desiredBefore returns what the configuration said at our last apply; nothing where there was none.
func desiredBefore(p record.Prior, known *paths.Set) desired {
	parsed, err := manifest.Parse(p.Settings.Body)
	if p.Snapshot.AppliedState == "" || err != nil {
		return desired{manifest: projection.NewReader(nil), sent: projection.NewReader(nil)}
	}
	// The state holds patterns that were accepted before; without them every ignored field would be news.
	ignored, err := paths.ParseAll(slices.Concat(p.Settings.Ignore, p.Snapshot.IgnoredByManager))
	ignored = record.PatternsFor(p.Object, ignored)
	before := desired{
		manifest: projection.NewReader(parsed.Object), sent: projection.NewReader(parsed.Object),
		writeOnly: record.PatternsOf(p.Snapshot.WriteOnly), version: p.Settings.WriteOnlyVersion,
	}
	if err == nil {
		before.ignored = ignored
		before.sent = projection.NewReader(projection.SplitBody(parsed.Object, ignored, known).Body)
	}
	return before
}
