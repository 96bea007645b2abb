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
	// before is what the configuration declared at our last apply, now what it declares.
	before, now desired
	// ignored holds the fields that the configuration leaves to other managers.
	ignored *paths.Set
	// undecided are the fields whose values are not known yet.
	undecided *paths.Set
	// after are the claims of other managers after the apply. taken holds the managers from which it takes a field.
	after     ownership.Claims
	taken     map[string][]ownership.Holder
	shown     map[string]string
	formatter *paths.Formatter
	// answer is what the server makes of the body.
	answer *projection.Reader
	// priorRenderer renders values as the prior state does, renderer as the plan does: sensitive_fields may have
	// changed.
	priorRenderer, renderer rendering.Renderer
}

// priorField returns a path as the prior state prints it.
func (f fieldDiff) priorField(path paths.Path) string {
	return f.priorRenderer.Names(f.formatter).Format(path)
}

func (f fieldDiff) of(path paths.Path) ownership.Facts {
	facts := ownership.Facts{
		OwnedBefore: paths.Touches(f.declared, path),
		OwnedAfter:  f.Applied.Has(path) || paths.Touches(f.filled, path),
	}
	was, is := f.before.of(path, f.priorRenderer), f.now.of(path, f.priorRenderer)
	facts.Configured = was != is
	switch {
	case !facts.OwnedAfter:
		value, held := f.Wanted.Prior.Snapshot.Values[paths.ID(path)]
		facts.Contested = held && value != was.value
	case len(f.taken[paths.ID(path)]) > 0:
		facts.Contested = true
	case facts.OwnedBefore && !facts.Configured && len(f.priorRenderer.RedactedPath(path)) == len(path):
		// The manager that gave the field this value has released it since.
		field := f.priorField(path)
		becomes, known := f.shown[field]
		live, shown := f.Wanted.Prior.ManagedState[field]
		facts.Contested = known && shown && becomes != live && f.asks(path, f.priorRenderer) != live
	}
	return facts
}

// leftWith returns what the server's answer has at a field that leaves the body, as attributes show it: whether that is
// the value which the field has now, and otherwise the default that the server gives it; "" if it has none. A dry-run
// that prunes nothing does not show that, but the one that tries the removal does.
func (f fieldDiff) leftWith(path paths.Path) (isStuck bool, refilled string) {
	live, shown := f.Wanted.Prior.ManagedState[f.priorField(path)]
	answer := f.answer
	if f.PrunesNothing || f.IsOfNewObject {
		answer = projection.NewReader(f.Tried)
	}
	if !shown || paths.Touches(paths.OrEmpty(f.Unsent), path) {
		return false, ""
	}
	if _, stays := f.now.sent.Lookup(path); stays == projection.Present {
		return false, "" // The keys of its list have changed, and the body declares it under another name.
	}
	value, presence := answer.Lookup(path)
	switch {
	case presence != projection.Present || value == nil:
		return false, ""
	case f.priorRenderer.Text(path, value) == live:
		return true, ""
	case f.renderer.Hides(path, value):
		return false, rendering.Redacted
	}
	return false, f.renderer.Text(path, value)
}

// asks returns the value that the configuration gives a field, as attributes show values.
func (f fieldDiff) asks(path paths.Path, renderer rendering.Renderer) string {
	if paths.OrEmpty(f.undecided).Has(path) {
		return undecidedValue
	}
	value, _ := f.now.sent.Lookup(path)
	return renderer.Text(path, value)
}

// desired is what a configuration declares about an object: its manifest, and the part of it that is sent.
type desired struct {
	manifest, sent *projection.Reader
	// writeOnly covers the fields of which only the version is kept, and ignored those that are not sent.
	writeOnly, ignored paths.Patterns
	version            string
}

// desiredBy returns what is declared now. body is the part that is sent.
func desiredBy(w wanted.Wanted, body map[string]any) desired {
	return desired{
		projection.NewReader(w.Manifest.Object), projection.NewReader(body),
		paths.PatternsOf(w.WriteOnly.Fields), w.Ignored(), w.WriteOnly.Version,
	}
}

// desiredField is what a configuration declares about one field.
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
func desiredBefore(p record.Prior, known *paths.Set) desired {
	last := p.LastBody()
	if p.Snapshot.AppliedState == "" || last == nil {
		return desired{manifest: projection.NewReader(nil), sent: projection.NewReader(nil)}
	}
	return desired{
		manifest: projection.NewReader(last), sent: projection.NewReader(p.SentBefore(last, known)),
		writeOnly: paths.PatternsOf(p.Snapshot.WriteOnly), ignored: p.IgnoredBefore(),
		version: p.Arguments.WriteOnly.Version,
	}
}

// ValueType is the type of a value in JSON, as messages name it.
type ValueType string

// The types of values that attributes may show in the same way.
const (
	AString  ValueType = "a string"
	ANumber  ValueType = "a number"
	ABoolean ValueType = "a boolean"
)

// Retyped is the type of a value before and after, if only the type changes: attributes show "1" and 1 in the same way.
// The zero value means that the type stays.
type Retyped struct{ Was, Becomes ValueType }

func typeOf(value any) ValueType {
	switch value.(type) {
	case string:
		return AString
	case bool:
		return ABoolean
	case int64, float64, int:
		return ANumber
	default:
		return ""
	}
}

// retyped compares a field's value before the apply with what the server makes of the body. If other managers hold the
// field, the value before is the live one; otherwise it is the one that we applied last.
func (f fieldDiff) retyped(path paths.Path) Retyped {
	becomes, after := f.answer.Lookup(path)
	was, before := f.before.sent.Lookup(path)
	if print, held := f.Wanted.Prior.Snapshot.Values[paths.ID(path)]; held {
		before = projection.Present
		// The fingerprint of a long value is a digest, not JSON.
		if utiljson.Unmarshal([]byte(print), &was) != nil {
			return Retyped{}
		}
	}
	types := Retyped{typeOf(was), typeOf(becomes)}
	if after != projection.Present || before != projection.Present || types.Was == "" || types.Becomes == "" ||
		types.Was == types.Becomes {
		return Retyped{}
	}
	if f.priorRenderer.IsSecret(path) || f.renderer.IsSecret(path) ||
		f.priorRenderer.Text(path, was) != f.priorRenderer.Text(path, becomes) {
		return Retyped{}
	}
	return types
}
