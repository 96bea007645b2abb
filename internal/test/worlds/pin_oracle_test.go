package worlds_test

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/livediff"
)

// value is a live value of a field.
type value struct {
	path  livediff.Path
	value any
	// held is true if our manager owns the field.
	held bool
}

// moment is the object between two writes.
type moment struct {
	object map[string]any
	claims *livediff.Claims
}

func at(live *unstructured.Unstructured) (moment, error) {
	claims, err := livediff.ReadClaims(live.Object)
	return moment{live.Object, claims}, err
}

// values returns the values that pin_fields covers and that are not left to others, by their paths: also those that the
// configuration does not pin because no other manager has the list item that they are in.
func (w *world) values(c configuration, m moment) map[string]value {
	found := map[string]value{}
	livediff.Leaves(m.object, m.claims, func(path livediff.Path, live any) {
		if !isKey(path) && c.pins(path, m.claims.OwnersOf(path)) {
			found[path.String()] = value{slices.Clone(path), live, slices.Contains(m.claims.OwnersOf(path), c.manager())}
		}
	})
	return found
}

// pins reports whether a field is pinned if it has a value. A map of which a part is ignored is not pinned as a whole.
func (c configuration) pins(field livediff.Path, owners []string) bool {
	isInside := func(ignored string) bool { return within(ignored, field.String()) }
	return covered(c.pinned(), field) && !c.leaves(field, owners) && !slices.ContainsFunc(c.ignore, isInside)
}

// leaves reports whether a field is left to other managers, or is secret.
func (c configuration) leaves(field livediff.Path, owners []string) bool {
	if covered(c.ignore, field) || covered(c.sensitive, field) || slices.ContainsFunc(c.sensitive, func(text string) bool { return within(text, field.String()) }) {
		return true
	}
	return slices.ContainsFunc(owners, func(owner string) bool {
		return owner != c.manager() && slices.ContainsFunc(c.ignoreManagers, func(pattern string) bool {
			matches, _ := path.Match(pattern, owner)
			return matches
		})
	})
}

// checkHeld checks pin_fields for an object to which no client has written since the plan: its pinned fields are ours,
// with the values that they had before.
func (w *world) checkHeld(s step, m moment) error {
	var wrong []string
	values := w.values(s.configuration, m)
	for _, text := range slices.Sorted(maps.Keys(values)) {
		v := values[text]
		if w.isAway(s.configuration, m, v.path) {
			continue
		}
		if !v.held {
			wrong = append(wrong, fmt.Sprintf("%s = %s is not ours, but of %v", text, livediff.Text(v.value), m.claims.OwnersOf(v.path)))
		}
		if pinned, was := w.pins[text]; was && livediff.Text(pinned.value) != livediff.Text(v.value) {
			wrong = append(wrong, fmt.Sprintf("%s is %s, pinned is %s", text, livediff.Text(v.value), livediff.Text(pinned.value)))
		}
	}
	for _, text := range w.missing(s.configuration, m) {
		wrong = append(wrong, text+" is gone, pinned is "+livediff.Text(w.pins[text].value))
	}
	return broke(s, "what pin_fields covers is ours and has the value that it had", wrong...)
}

// missing returns the texts of the pinned fields that an object does not have, although it has the list items that they
// are in.
func (w *world) missing(c configuration, m moment) []string {
	var missing []string
	for text, pinned := range w.pins {
		if _, has := livediff.Lookup(m.object, pinned.path); !has && w.stays(c, m, pinned.path) && !w.isAway(c, m, pinned.path) {
			missing = append(missing, text)
		}
	}
	slices.Sort(missing)
	return missing
}

// forgetUnkept drops the pins that the server does not keep with what an apply has left, or did not keep in the apply:
// it drops node ports when a Service becomes an ExternalName, and would take them afterwards. A declared value that is
// left to other managers does not bring them back.
func (w *world) forgetUnkept(ctx context.Context, c configuration, after moment) {
	missing := w.missing(c, after)
	if len(missing) == 0 {
		return
	}
	sent := c.clone()
	sent.sensitive = nil // It is sent.
	kept, err := w.try(ctx, c.manager(), w.withPins(c, w.bodyFor(sent, after)))
	for _, text := range missing {
		if err == nil && !w.dropped(w.pins[text].path) {
			if _, has := livediff.Lookup(kept.Object, w.pins[text].path); has {
				continue
			}
		}
		delete(w.pins, text)
	}
}

// dropped reports whether the server kept no value of a field in the last apply, whoever sent the body.
func (w *world) dropped(field livediff.Path) bool {
	return len(w.tried) > 0 && !slices.ContainsFunc(w.tried, func(tried *unstructured.Unstructured) bool {
		_, has := livediff.Lookup(tried.Object, field)
		return has
	})
}

// stays reports whether a field that was pinned before is pinned by a configuration.
func (w *world) stays(c configuration, m moment, field livediff.Path) bool {
	return c.repin == w.repin && c.pins(field, m.claims.OwnersOf(field))
}

// checkStill checks pin_fields for a plan without changes.
func (w *world) checkStill(ctx context.Context, s step) error {
	if len(s.configuration.pinned()) == 0 {
		return nil
	}
	live, err := w.live(ctx)
	if err != nil || live == nil {
		return err
	}
	now, err := at(live)
	if err != nil {
		return err
	}
	return w.checkHeld(s, now)
}

// checkPinned checks an apply against pin_fields, unless other managers wrote since its plan: then it only remembers
// what is pinned.
func (w *world) checkPinned(ctx context.Context, s step, before, after *unstructured.Unstructured) error {
	c := s.configuration
	if c.repin != w.repin {
		w.pins, w.repin = nil, c.repin
	}
	now, err := at(after)
	if err != nil {
		return err
	}
	w.forgetUnkept(ctx, c, now)
	defer w.remember(c, now)
	if len(s.between) > 0 {
		return nil
	}
	if err := w.checkHeld(s, now); err != nil {
		return err
	}
	wrong := w.wrongAttribute(c, now)
	if before != nil {
		seen, err := at(before)
		if err != nil {
			return err
		}
		wrong = slices.Concat(wrong, w.changedWhenPinned(c, seen, now), w.notReleased(c, seen, now))
	}
	slices.Sort(wrong)
	return broke(s, "pins start and end with the live value, and pinned shows them", wrong...)
}

// changedWhenPinned returns the fields that are pinned for the first time with another value than the live one.
func (w *world) changedWhenPinned(c configuration, seen, after moment) []string {
	var wrong []string
	for text, v := range w.values(c, after) {
		was, had := livediff.Lookup(seen.object, v.path)
		if _, known := w.pins[text]; v.held && !known && had && livediff.Text(was) != livediff.Text(v.value) {
			wrong = append(wrong, fmt.Sprintf("%s was %s, and is pinned as %s", text, livediff.Text(was), livediff.Text(v.value)))
		}
	}
	return wrong
}

// notReleased returns the fields that are not pinned any more, and that are still ours or have another value.
func (w *world) notReleased(c configuration, seen, after moment) []string {
	var wrong []string
	body := w.body(c).Object
	for text, pinned := range w.pins {
		was, had := livediff.Lookup(seen.object, pinned.path)
		if !had || w.stays(c, after, pinned.path) || declares(body, pinned.path) || w.isAway(c, seen, pinned.path) || w.leavesBody(c, seen, pinned.path) {
			continue // Such a list item leaves as a whole.
		}
		held := after.claims.At(pinned.path)
		if held != nil && slices.Contains(held.Owners, c.manager()) {
			wrong = append(wrong, fmt.Sprintf("%s left pin_fields, and is still of %v", text, held.Owners))
		}
		if now, has := livediff.Lookup(after.object, pinned.path); !has || livediff.Text(now) != livediff.Text(was) {
			wrong = append(wrong, fmt.Sprintf("%s left pin_fields, and its value %s is %s", text, livediff.Text(was), livediff.Text(now)))
		}
	}
	return wrong
}

// wrongAttribute returns the wrong entries of the attribute pinned after an apply.
func (w *world) wrongAttribute(c configuration, after moment) []string {
	var wrong []string
	shown, values := attribute(w.state.value, "pinned"), w.values(c, after)
	known := map[string]bool{}
	for text, v := range values {
		field, has := shownAs(shown, v.path)
		known[field] = true
		switch {
		case v.held != has:
			wrong = append(wrong, fmt.Sprintf("pinned has %s: %t, it is ours: %t", text, has, v.held))
		case has && !livediff.SameText(shown[field], v.value):
			wrong = append(wrong, fmt.Sprintf("pinned has %s = %s, live it is %s", text, shown[field], livediff.Text(v.value)))
		}
	}
	for field := range shown {
		if !known[field] && !endsWithKey(field) {
			wrong = append(wrong, "pinned has "+field+", which is not pinned")
		}
	}
	return wrong
}

// remember keeps what is declared and pinned after an apply, and the values in list items that are away.
func (w *world) remember(c configuration, after moment) {
	w.declared = w.body(c).Object
	maps.DeleteFunc(w.pins, func(_ string, pinned value) bool { return !w.stays(c, after, pinned.path) })
	if w.pins == nil {
		w.pins = map[string]value{}
	}
	for text, v := range w.values(c, after) {
		if _, known := w.pins[text]; v.held && !known {
			w.pins[text] = v
		}
	}
}
