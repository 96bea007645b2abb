package chart

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
)

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
	first := newDraws(nil, nil)
	made, err := r.once(ctx, first)
	if err != nil || len(first.drawn) == 0 {
		return made.done(), nil, err
	}
	second := newDraws(nil, first)
	other, err := r.once(ctx, second)
	if err != nil {
		return nil, nil, err
	}
	generated := differences(made, other)
	var fresh []string
	if !r.Renew && r.Cluster != nil && len(generated) > 0 {
		if made, fresh, err = r.recalled(ctx, made, generated, first, second); err != nil {
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
	}
	for place, one := range made {
		if other[place] == nil && !one.isHook {
			done.Unnamed = append(done.Unnamed, one.key)
		}
	}
	slices.Sort(done.Unnamed)
	return done, drawn, nil
}

// recalled renders the chart again with the values of the cluster:
//
//  1. A draw takes the value that a field on the cluster has for it, if it still is a result for its arguments.
//  2. Another draw that a field shows is new, and so is all that follows from it.
//  3. What is left follows from nothing on the cluster, a date or a checksum for instance. It stays as it is there.
//
// Whatever a text has beside generated values is that of the rendering. fresh are the objects that are not on the
// cluster, if others are, and those where no value is found, because the text around it has changed.
func (r *rendering) recalled(
	ctx context.Context, made objects, generated []leaf, first, second *draws,
) (again objects, fresh []string, err error) {
	isFresh := map[string]bool{}
	there := map[string]map[string]any{}
	for _, at := range generated {
		one := made[at.place]
		live, err := r.cluster.live(ctx, one.Identity)
		if err != nil {
			return nil, nil, err
		}
		if live != nil {
			there[at.place] = live
		} else if !one.isHook {
			isFresh[one.key] = true
		}
	}
	if len(there) == 0 {
		return made, nil, nil
	}
	known, shown := remembered(made, generated, first, second, there)
	again, drawn, err := r.with(ctx, known)
	if err != nil {
		return nil, nil, err
	}
	other := newDraws(known, drawn)
	next, err := r.once(ctx, other)
	if err != nil {
		return nil, nil, err
	}
	follows, err := r.following(ctx, again, drawn, shown)
	if err != nil {
		return nil, nil, err
	}
	marks := newMarks(drawn.parts(other))
	for _, at := range differences(again, next) {
		one := again[at.place]
		lacks, err := r.takeOver(ctx, one, at, marks, follows[at.name()])
		if err != nil {
			return nil, nil, err
		}
		if lacks && !one.isHook {
			isFresh[one.key] = true
		}
	}
	return again, slices.Sorted(maps.Keys(isFresh)), nil
}

// takeOver sets the generated pieces of a field to those of the cluster, unless the field is a new one. It returns true
// if the object has the field there, without all these pieces.
func (r *rendering) takeOver(ctx context.Context, of *object, at leaf, marks *marks, isNew bool) (bool, error) {
	live, err := r.cluster.live(ctx, of.Identity)
	if err != nil {
		return false, err
	}
	value, found := at.path.valueIn(live)
	if !found {
		return false, nil
	}
	merged, fits := marks.read(of, at).over(value)
	if !isNew {
		at.path.set(of.Object, merged)
	}
	return !fits, nil
}

// remembered returns the results of draws that are on the cluster, and all draws that fields of objects show. Where
// fields have several values, that of a Secret counts, and of these one that is nothing but the draw.
func remembered(
	made objects, generated []leaf, first, second *draws, there map[string]map[string]any,
) (known map[draw]reflect.Value, shown map[draw]bool) {
	type sight struct {
		rank int
		part part
		text string
	}
	var seen []sight
	stored := map[part]bool{}
	marks := newMarks(first.parts(second))
	for _, at := range generated {
		one := made[at.place]
		read := marks.read(one, at)
		if value, found := at.path.valueIn(there[at.place]); found {
			read.fit(value)
		}
		for _, piece := range read.pieces {
			for _, of := range piece.of {
				stored[of] = stored[of] || !one.isHook
				if piece.found {
					seen = append(seen, sight{rank(one, read), of, piece.live})
				}
			}
		}
	}
	slices.SortStableFunc(seen, func(x, y sight) int { return cmp.Compare(x.rank, y.rank) })
	known, shown = map[draw]reflect.Value{}, map[draw]bool{}
	taken := map[part]bool{}
	for _, one := range seen {
		if taken[one.part] {
			continue
		}
		of := one.part.draw
		if result, fits := one.part.with(one.text, cmp.Or(known[of], first.drawn[of])); fits {
			known[of], taken[one.part] = result, true
		}
	}
	for of, isStored := range stored {
		shown[of.draw] = shown[of.draw] || isStored
		if isStored && !taken[of] {
			delete(known, of.draw) // A certificate without its key, for instance.
		}
	}
	return known, shown
}

// rank orders the fields that show a draw.
func rank(of *object, field reading) int {
	order := 0
	if len(field.pieces) > 1 {
		order = 1
	}
	if !of.IsSecret() {
		order += 2
	}
	return order
}

// following returns the names of the fields that follow from draws that are shown, and new.
func (r *rendering) following(
	ctx context.Context, again objects, drawn *draws, shown map[draw]bool,
) (map[string]bool, error) {
	kept := maps.Clone(drawn.drawn)
	maps.DeleteFunc(kept, func(at draw, _ reflect.Value) bool { return shown[at] && drawn.fresh[at] })
	if len(kept) == len(drawn.drawn) {
		return nil, nil
	}
	other, err := r.once(ctx, newDraws(kept, drawn))
	if err != nil {
		return nil, err
	}
	follows := map[string]bool{}
	for _, at := range differences(again, other) {
		follows[at.name()] = true
	}
	return follows, nil
}

// with renders the chart with the draws that are known from the cluster. If a certificate has to sign a new one and its
// key is not on the cluster, it draws all certificates again and removes them from known.
func (r *rendering) with(
	ctx context.Context, known map[draw]reflect.Value,
) (made objects, drawn *draws, err error) {
	for {
		drawn = newDraws(known, nil)
		if made, err = r.once(ctx, drawn); err == nil {
			return made, drawn, nil
		}
		before := len(known)
		maps.DeleteFunc(known, func(_ draw, result reflect.Value) bool { return result.Kind() == reflect.Struct })
		if len(known) == before {
			return nil, nil, fmt.Errorf("with the generated values that are on the cluster: %w", err)
		}
	}
}
