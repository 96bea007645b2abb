package chart

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// leaf is a field with a generated value.
type leaf struct {
	place string
	path  steps
	// value is the value that was drawn.
	value any
}

// settled renders the chart as the next plan will render it: a chart that looks up a Secret of its own, and draws its
// values only where it does not exist, sees the one that it makes.
func (r *rendering) settled(ctx context.Context) (*Rendering, error) {
	if r.Renew {
		made, err := r.once(ctx, newDraws(nil, nil))
		if err != nil {
			return nil, err
		}
		for _, one := range made {
			if r.cluster.asked[one.key] {
				r.cluster.pretend(one.key, nil)
			}
		}
	}
	done, drawn, err := r.stable(ctx)
	if err != nil || !r.missesOneOf(ctx, drawn) {
		return done, err
	}
	for _, one := range drawn {
		r.cluster.pretend(one.key, one.Object)
	}
	r.Renew = false
	next, _, err := r.stable(ctx)
	if err != nil || !next.hasAllOf(done) {
		return done, nil //nolint:nilerr // It is the next plan that will fail, if nothing changes.
	}
	next.New = done.New
	return next, nil
}

// missesOneOf reports whether the chart has looked up one of these objects, and it does not exist.
func (r *rendering) missesOneOf(ctx context.Context, drawn []*object) bool {
	return slices.ContainsFunc(drawn, func(o *object) bool {
		if !r.cluster.asked[o.key] {
			return false
		}
		live, err := r.cluster.live(ctx, o.Identity)
		return err == nil && live == nil
	})
}

// stable renders the chart so that generated values are those of the objects on the cluster, where they exist. drawn
// are the objects with such values that are no hooks.
func (r *rendering) stable(ctx context.Context) (done *Rendering, drawn []*object, err error) {
	first, made, other, err := r.twice(ctx)
	if err != nil || len(first.drawn) == 0 {
		return made.done(), nil, err
	}
	generated := differences(made, other)
	var fresh []string
	if !r.Renew && r.Cluster != nil && len(generated) > 0 {
		if made, fresh, err = r.recalled(ctx, made, first, generated); err != nil {
			return nil, nil, err
		}
	}
	generated = slices.DeleteFunc(generated, func(l leaf) bool { return made[l.place] == nil })
	for _, at := range generated {
		// In each rendering, since one whose values are taken over has no text of its template.
		if err := made[at.place].rewrite(); err != nil {
			return nil, nil, err
		}
	}
	done = made.done()
	done.New = fresh
	for _, at := range generated {
		one := made[at.place]
		done.Generated[one.key] = append(done.Generated[one.key], at.path.String())
		if !one.isHook && !slices.Contains(drawn, one) {
			drawn = append(drawn, one)
		}
		if one.goes() && !slices.Contains(done.Rerun, one.key) {
			done.Rerun = append(done.Rerun, one.key)
		}
	}
	for place, one := range made {
		switch {
		case other[place] != nil || one.isLeft():
		case one.isHook:
			done.Rerun = append(done.Rerun, one.key)
		default:
			done.Unnamed = append(done.Unnamed, one.key)
		}
	}
	slices.Sort(done.Unnamed)
	slices.Sort(done.Rerun)
	return done, drawn, nil
}

// recalled renders the chart again with the values of the cluster. fresh are the objects with generated values that do
// not exist, if others do.
func (r *rendering) recalled(
	ctx context.Context, made objects, first *draws, generated []leaf,
) (again objects, fresh []string, err error) {
	known := map[draw]reflect.Value{}
	maps.Copy(known, first.kept)
	missing := map[string]bool{}
	exists := false
	for _, at := range generated {
		live, err := r.cluster.live(ctx, made[at.place].Identity)
		if err != nil {
			return nil, nil, err
		}
		if live == nil {
			if one := made[at.place]; !one.isHook {
				missing[one.key] = true
			}
			continue
		}
		exists = true
		for _, drawn := range first.parts() {
			value, found := drawn.in(at, live)
			if !found {
				continue
			}
			if changed, fits := drawn.with(value, cmp.Or(known[drawn.draw], first.drawn[drawn.draw])); fits {
				known[drawn.draw] = changed
			}
		}
	}
	if !exists {
		return made, nil, nil
	}
	again, drawn, renewed, err := r.with(ctx, known)
	if err != nil {
		return nil, nil, err
	}
	other, err := r.once(ctx, newDraws(known, drawn))
	if err != nil {
		return nil, nil, err
	}
	for _, at := range differences(again, other) {
		live, err := r.cluster.live(ctx, again[at.place].Identity)
		if err != nil {
			return nil, nil, err
		}
		if value, found := at.path.valueIn(live); found && (!renewed || !drawn.certify(at.value)) {
			at.path.set(again[at.place].Object, value)
		}
	}
	return again, slices.Sorted(maps.Keys(missing)), nil
}

// with renders the chart with the draws that are known from the cluster. If a certificate has to sign a new one and its
// key is not on the cluster, it draws all certificates again and removes them from known.
func (r *rendering) with(
	ctx context.Context, known map[draw]reflect.Value,
) (made objects, drawn *draws, renewed bool, err error) {
	for {
		drawn = newDraws(known, nil)
		if made, err = r.once(ctx, drawn); err == nil {
			return made, drawn, renewed, nil
		}
		before := len(known)
		maps.DeleteFunc(known, func(_ draw, result reflect.Value) bool { return result.Kind() == reflect.Struct })
		if len(known) == before {
			return nil, nil, false, fmt.Errorf("with the generated values that are on the cluster: %w", err)
		}
		renewed = true
	}
}

// differences returns the fields of the objects of one rendering that have another value in another one. Those of
// Secrets come first, since other objects follow them.
func differences(a, b objects) []leaf {
	var found []leaf
	for _, key := range slices.Sorted(maps.Keys(a)) {
		if b[key] != nil {
			compare(a[key].Object, b[key].Object, nil, func(path steps, value any) {
				found = append(found, leaf{key, path, value})
			})
		}
	}
	slices.SortStableFunc(found, func(x, y leaf) int {
		return cmp.Compare(rank(a[x.place]), rank(a[y.place]))
	})
	return found
}

func rank(o *object) int {
	if o.IsSecret() {
		return 0
	}
	return 1
}

func compare(a, b any, at steps, differs func(steps, any)) {
	switch a := a.(type) {
	case map[string]any:
		b, is := b.(map[string]any)
		if !is {
			break
		}
		for _, name := range slices.Sorted(maps.Keys(a)) {
			compare(a[name], b[name], append(slices.Clone(at), step{field: name}), differs)
		}
		return
	case []any:
		b, is := b.([]any)
		if !is || len(a) != len(b) {
			break
		}
		for i, item := range a {
			compare(item, b[i], append(slices.Clone(at), step{index: i, item: nameOf(item)}), differs)
		}
		return
	}
	if !reflect.DeepEqual(a, b) {
		differs(at, a)
	}
}

// step is one step of a path: a field, or an item of a list.
type step struct {
	field string
	index int
	// item is the name of an item that has one; the cluster may have the items in another order, and more of them.
	item string
}

type steps []step

func nameOf(item any) string {
	fields, _ := item.(map[string]any)
	name, _ := fields["name"].(string)
	return name
}

func (s steps) String() string {
	var text strings.Builder
	for i, next := range s {
		switch {
		case next.item != "":
			fmt.Fprintf(&text, "[name=%q]", next.item)
		case next.field == "":
			fmt.Fprintf(&text, "[%d]", next.index)
		case strings.ContainsAny(next.field, ".[/"):
			fmt.Fprintf(&text, "[%q]", next.field)
		case i > 0:
			text.WriteString("." + next.field)
		default:
			text.WriteString(next.field)
		}
	}
	return text.String()
}

// of returns what a step leads to.
func (s step) of(value any) (any, bool) {
	switch value := value.(type) {
	case map[string]any:
		below, found := value[s.field]
		return below, found && s.field != ""
	case []any:
		at := s.index
		if s.item != "" {
			at = slices.IndexFunc(value, func(item any) bool { return nameOf(item) == s.item })
		}
		if s.field != "" || at < 0 || at >= len(value) {
			return nil, false
		}
		return value[at], true
	}
	return nil, false
}

// valueIn returns the value of a field of an object; false if it has none.
func (s steps) valueIn(live map[string]any) (any, bool) {
	var value any = live
	for _, next := range s {
		below, found := next.of(value)
		if !found {
			return nil, false
		}
		value = below
	}
	return value, live != nil
}

// set sets a field that an object has.
func (s steps) set(object map[string]any, value any) {
	var parent any = object
	for _, next := range s[:len(s)-1] {
		parent, _ = next.of(parent)
	}
	switch parent := parent.(type) {
	case map[string]any:
		parent[s[len(s)-1].field] = value
	case []any:
		parent[s[len(s)-1].index] = value
	}
}

// shortestPart is the length from which a draw is searched for within a longer text.
const shortestPart = 4

// in returns the text that a live object has where a rendering has the text of a draw: as the whole value of a field,
// or as the part of it between the same texts, plain or in base64.
func (p part) in(at leaf, live map[string]any) (string, bool) {
	there, found := at.path.valueIn(live)
	if !found {
		return "", false
	}
	drawn, lives := fmt.Sprint(at.value), fmt.Sprint(there)
	if text, found := p.between(drawn, lives); found {
		return text, true
	}
	decoded, err := base64.StdEncoding.DecodeString(drawn)
	livesDecoded, liveErr := base64.StdEncoding.DecodeString(lives)
	if err != nil || liveErr != nil {
		return "", false
	}
	return p.between(string(decoded), string(livesDecoded))
}

func (p part) between(drawn, live string) (string, bool) {
	if drawn == p.text {
		return live, true
	}
	before, after, found := strings.Cut(drawn, p.text)
	if !found || len(p.text) < shortestPart || len(before)+len(after) > len(live) ||
		!strings.HasPrefix(live, before) || !strings.HasSuffix(live, after) {
		return "", false
	}
	return live[len(before) : len(live)-len(after)], true
}
