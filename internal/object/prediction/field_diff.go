package prediction

import (
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// fieldDiff determines the [ownership.Facts] of fields.
type fieldDiff struct {
	Inputs
	// declared holds the fields that our last apply left with us.
	declared *paths.Set
	// filled holds the fields that we will own and do not give as empty: an empty map has none of its parts.
	filled *paths.Set
	// before holds the declarations of the configuration at our last apply, now the current ones.
	before, now desired
	// ignored holds the fields that the configuration leaves to other managers.
	ignored *paths.Set
	// leavingItems are the list items that the apply removes with all that is in them, released values too. sentItems
	// are those of them that the answer still has.
	leavingItems, sentItems *paths.Set
	// undecided are the fields whose values are not known yet.
	undecided *paths.Set
	// after are the claims of other managers after the apply. taken holds the managers from which it takes a field.
	after     ownership.Claims
	taken     map[string][]ownership.Holder
	shown     map[string]string
	formatter *paths.Formatter
	// live is the object as this run has read it, answer the one in the answer to the dry-run.
	live, answer *projection.Reader
	// tried is the object in the answer to the dry-run that tries removals.
	tried *projection.Reader
	// priorRenderer renders values as the prior state does, renderer as the plan does: sensitive_fields may have
	// changed.
	priorRenderer, renderer rendering.Renderer
	// recorded renders values without the live object.
	recorded rendering.Renderer
}

// priorField returns a path as the prior state prints it.
func (f fieldDiff) priorField(path paths.Path) string {
	return f.priorRenderer.Names(f.formatter).Format(path)
}

func (f fieldDiff) of(path paths.Path) ownership.Facts {
	facts := ownership.Facts{Owned: ownership.Owned{
		Before: paths.Touches(f.declared, path), After: f.Applied.Has(path) || paths.Touches(f.filled, path),
	}}
	was, is := f.before.of(path, f.priorRenderer), f.now.of(path, f.priorRenderer)
	// The manager to which our last apply left the field may have lost it to another one since.
	facts.Configured = was != is || !facts.Owned.Before && len(f.taken[paths.ID(path)]) > 0
	if facts.Owned.Before && !facts.Owned.After && f.Wanted.Prior.Snapshot.IsLost() {
		facts.Configured = true // The body in the state may not be that of the last apply, which had the field.
	}
	switch {
	case !facts.Owned.After:
		value, held := f.Wanted.Prior.Snapshot.Values[paths.ID(path)]
		facts.Contested = held && value != was.value
	case len(f.taken[paths.ID(path)]) > 0:
		facts.Contested = true
	case facts.Owned.Before && !facts.Configured && len(f.priorRenderer.RedactedPath(path)) == len(path):
		// The manager that gave the field this value has released it since.
		field := f.priorField(path)
		becomes, known := f.shown[field]
		live, shown := f.Wanted.Prior.ManagedState[field]
		facts.Contested = known && shown && becomes != live && f.asks(path, f.priorRenderer) != live
	}
	return facts
}

// leftWith returns the reason why a field that leaves the body still has a value in the server's answer: it keeps its
// current value, or it gets a default, which refilled shows as attributes do. Both are "" without a value. A dry-run
// that prunes nothing does not show that, but the one that tries the removal does.
func (f fieldDiff) leftWith(path paths.Path) (why ownership.Why, refilled string) {
	live, shown := f.Wanted.Prior.ManagedState[f.priorField(path)]
	answer := f.answer
	if f.PrunesNothing || f.IsOfNewObject {
		answer = f.tried
	}
	if !shown || paths.Touches(paths.OrEmpty(f.Unsent), path) || paths.Touches(f.sentItems, path) {
		return "", ""
	}
	if f.now.sent.Has(path) {
		return "", "" // The keys of its list have changed, and the body declares it under another name.
	}
	value, presence := answer.Lookup(path)
	switch {
	case presence != projection.Present || value == nil:
		return "", ""
	case f.priorRenderer.Text(path, value) == live:
		return ownership.Stuck, ""
	case f.renderer.Hides(path, value):
		return ownership.Defaulted, rendering.Redacted
	}
	if refilled = f.renderer.Text(path, value); refilled != "" {
		why = ownership.Defaulted
	}
	return why, refilled
}

// asks returns the value that the configuration gives a field, as attributes show values. In place of null, it is the
// default that the server fills in.
func (f fieldDiff) asks(path paths.Path, renderer rendering.Renderer) string {
	if paths.OrEmpty(f.undecided).Has(path) {
		return undecidedValue
	}
	value, _ := f.now.sent.Lookup(path)
	if value == nil {
		value, _ = f.answer.Lookup(path)
	}
	return renderer.Text(path, value)
}

// desired holds the declarations of a configuration about an object: its manifest, and the part of it that is sent.
type desired struct {
	manifest, sent *projection.Reader
	// writeOnly covers the fields of which only the version is kept, and ignored those that are not sent.
	writeOnly, ignored paths.Patterns
	version            string
}

// desiredBy returns what is declared now. body is the part that is sent.
func desiredBy(w wanted.Wanted, body map[string]any) desired {
	return desired{
		projection.NewReader(w.Keys.Complete(w.Manifest.Object)), projection.NewReader(w.Keys.Complete(body)),
		w.WriteOnly.Patterns(), w.Ignored(), w.WriteOnly.Version,
	}
}

// desiredField is the declaration of one field in a configuration.
type desiredField struct {
	// value is its fingerprint, with secrets as digests.
	value         string
	written, sent projection.Presence
}

func (d desired) of(path paths.Path, renderer rendering.Renderer) desiredField {
	// Nothing of a write-only value is stored. Its version decides whether it has changed.
	if d.writeOnly.Match(path) {
		sent := projection.Present
		if d.ignored.Match(path) {
			sent = projection.Absent
		}
		return desiredField{value: d.version, written: projection.Present, sent: sent}
	}
	value, written := d.manifest.Lookup(path)
	_, sent := d.sent.Lookup(path)
	return desiredField{value: renderer.Fingerprint(path, value), written: written, sent: sent}
}

// desiredBefore returns what the configuration declared at our last apply; nothing before the first apply.
func desiredBefore(w wanted.Wanted, known *paths.Set) desired {
	p, last, keys := w.Prior, w.Prior.LastBody(), w.Keys
	if p.Snapshot.AppliedState == "" || last == nil {
		return desired{manifest: projection.NewReader(nil), sent: projection.NewReader(nil)}
	}
	return desired{
		manifest:  projection.NewReader(keys.Complete(last)),
		sent:      projection.NewReader(keys.Complete(p.SentBefore(last, known))),
		writeOnly: paths.PatternsOf(p.Snapshot.WriteOnly), ignored: p.IgnoredBefore(),
		version: p.Arguments.WriteOnly.Version,
	}
}

// typeOf returns the type of a scalar in JSON, as messages name it; "" for other values.
func typeOf(value any) string {
	switch value.(type) {
	case string:
		return ownership.AString
	case bool:
		return "a boolean"
	case int64, float64, int:
		return "a number"
	default:
		return ""
	}
}

// retyped returns the types of a field's value before the apply and in the answer to the dry-run, if only the type
// changes: attributes show "1" and 1 in the same way. It returns "" if the type stays. Without the live object, the
// value before is the one that we applied last. The server may store another type of it: quantities become strings.
func (f fieldDiff) retyped(path paths.Path) (was, becomes string) {
	after, isAfter := f.answer.Lookup(path)
	before, isBefore := f.before.sent.Lookup(path)
	if print, held := f.Wanted.Prior.Snapshot.Values[paths.ID(path)]; held {
		isBefore = projection.Present
		// The fingerprint of a long value is a digest, not JSON.
		if utiljson.Unmarshal([]byte(print), &before) != nil {
			return "", ""
		}
	} else if live, presence := f.live.Lookup(path); presence == projection.Present {
		before = live
	} else if declared, _ := f.now.sent.Lookup(path); typeOf(declared) == typeOf(before) {
		return "", ""
	}
	was, becomes = typeOf(before), typeOf(after)
	if isAfter != projection.Present || isBefore != projection.Present ||
		was == "" || becomes == "" || was == becomes ||
		f.priorRenderer.IsSecret(path) || f.renderer.IsSecret(path) ||
		f.priorRenderer.Text(path, before) != f.priorRenderer.Text(path, after) {
		return "", ""
	}
	return was, becomes
}

const (
	// noValue is shown for a field without a value.
	noValue = "(none)"
	// anotherValue is shown for a value of which only a digest is recorded.
	anotherValue = "(another value)"
	// undecidedValue is shown for a value that the configuration does not know yet.
	undecidedValue = "(known after apply)"
)

// valueBefore returns the live value of a field: from managed_state if we declared it, else from the object if this
// run has read it, else from its fingerprint if that is the value itself.
func valueBefore(
	prior record.Prior, live *projection.Reader, field string, renderer rendering.Renderer, path paths.Path,
) string {
	if value, declared := prior.ManagedState[field]; declared {
		if renderer.IsSecret(path) && !prior.Snapshot.Renderer().IsSecret(path) {
			return rendering.Redacted
		}
		return value
	}
	if value, presence := live.Lookup(path); presence == projection.Present && value != nil {
		return shownValue(path, value, renderer, prior.Snapshot.Renderer())
	}
	print, has := prior.Snapshot.Values[paths.ID(path)]
	if !has {
		return noValue
	}
	var value any
	if err := utiljson.Unmarshal([]byte(print), &value); err != nil {
		return anotherValue
	}
	return renderer.Text(path, value)
}

// Recorded returns the value before a conflict, if the state or its snapshot recorded it; nil otherwise.
func Recorded(conflict ownership.Change) *string {
	if conflict.Was == noValue || conflict.Was == anotherValue {
		return nil
	}
	return &conflict.Was
}

// shownValue returns a live value as a string: in clear only if the value neither was nor is secret.
func shownValue(path paths.Path, value any, renderer, before rendering.Renderer) string {
	if before.IsSecret(path) && !renderer.IsSecret(path) {
		return before.Text(path, value)
	}
	return renderer.Text(path, value)
}

// differenceOf returns how two long values of a field differ: nil if one of them is secret, or was.
func differenceOf(path paths.Path, was, becomes any, renderer, before rendering.Renderer) []string {
	if before.Difference(path, was, becomes) == nil {
		return nil
	}
	return renderer.Difference(path, was, becomes)
}

// partsOf returns the parts in which two values differ, however long they are: nil if one of them is secret, or was.
func partsOf(path paths.Path, was, becomes any, renderer, before rendering.Renderer) []string {
	if before.Parts(path, was, becomes) == nil {
		return nil
	}
	return renderer.Parts(path, was, becomes)
}
