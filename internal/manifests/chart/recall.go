package chart

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// recalled renders the chart again with the values of the cluster:
//
//  1. A draw takes the value that a field on the cluster has for it, if it still is a result for its arguments.
//  2. Another draw that a field shows is new, and so is all that follows from it.
//  3. What is left follows from nothing on the cluster, a date or a checksum for instance. It stays as it is there.
//
// The parts of a string that are not generated are those of the rendering. fresh are the objects that are not on the
// cluster, if others are, and those in which no value is found, because the string around it has changed.
func (r *rendering) recalled(
	ctx context.Context, first decision, generated []leaf,
) (again decision, fresh []string, err error) {
	isFresh := map[string]bool{}
	there := map[string]map[string]any{}
	for _, at := range generated {
		one := first.made[at.place]
		live, err := r.cluster.live(ctx, one.Identity)
		if err != nil {
			return decision{}, nil, err
		}
		if live != nil {
			there[at.place] = live
		} else if !one.isHook {
			isFresh[one.key] = true
		}
	}
	known, shown := remembered(first, generated, there)
	maps.Copy(known, first.drawn.kept)
	if again, err = r.decided(ctx, known, shown); err != nil || len(there) == 0 {
		return again, nil, err
	}
	for at := range again.isNew {
		for _, key := range shown[at] {
			isFresh[key] = true
		}
	}
	follows, err := r.following(ctx, again)
	if err != nil {
		return decision{}, nil, err
	}
	marks := newMarker(again.drawn.parts(again.other))
	for _, at := range differences(again.made, again.next) {
		one := again.made[at.place]
		lacks, err := r.takeOver(ctx, one, at, marks, follows[at.name()])
		if err != nil {
			return decision{}, nil, err
		}
		if lacks && !one.isHook {
			isFresh[one.key] = true
		}
	}
	return again, slices.Sorted(maps.Keys(isFresh)), nil
}

// takeOver sets the generated pieces of a field to those of the cluster, unless the field is a new one. It returns true
// if the object contains the field, without all these pieces.
func (r *rendering) takeOver(ctx context.Context, of *object, at leaf, marks *marker, isNew bool) (bool, error) {
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

// remembered returns the results of draws that are on the cluster, and all draws that fields show, with the keys of
// objects whose strings have changed so that they are not found. Where fields have several values, that of a Secret
// counts, and of these one that is nothing but the draw.
func remembered(
	first decision, generated []leaf, there map[string]map[string]any,
) (known map[draw]reflect.Value, shown map[draw][]string) {
	type sight struct {
		rank int
		of   part
		text string
	}
	var seen []sight
	known, shown = map[draw]reflect.Value{}, map[draw][]string{}
	stored := map[part]bool{}
	marks := newMarker(first.drawn.parts(first.other))
	for _, at := range generated {
		one := first.made[at.place]
		read := marks.read(one, at)
		value, exists := at.path.valueIn(there[at.place])
		if exists {
			read.fit(value)
		}
		for _, cut := range read.pieces {
			for _, of := range cut.of {
				if !one.isHook {
					stored[of] = true
				}
				switch {
				case cut.found:
					seen = append(seen, sight{rank(one, read), of, cut.live})
				case exists && !one.isHook:
					shown[of.draw] = append(shown[of.draw], one.key)
				}
			}
		}
	}
	slices.SortStableFunc(seen, func(x, y sight) int { return cmp.Compare(x.rank, y.rank) })
	taken := map[part]bool{}
	for _, one := range seen {
		if taken[one.of] {
			continue
		}
		at := one.of.draw
		if result, fits := one.of.with(one.text, cmp.Or(known[at], first.drawn.drawn[at])); fits {
			known[at], taken[one.of] = result, true
		}
	}
	for of := range stored {
		shown[of.draw] = append([]string{}, shown[of.draw]...)
		if !taken[of] {
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

// decision is a rendering, and another one with the same results of the draws that are decided, and other ones of the
// rest.
type decision struct {
	made, next   objects
	drawn, other *draws
	// isNew are the decided draws whose results are not those of the cluster.
	isNew map[draw]bool
}

// decided renders the chart with the draws that are known from the cluster, and new ones for others that fields show.
// A known one that does not belong to its arguments is new, unless these follow from what is stored nowhere.
func (r *rendering) decided(
	ctx context.Context, known map[draw]reflect.Value, shown map[draw][]string,
) (d decision, err error) {
	d.isNew = map[draw]bool{}
	for {
		if d.made, d.drawn, err = r.with(ctx, known); err != nil {
			return decision{}, err
		}
		for at, result := range d.drawn.drawn {
			_, isShown := shown[at]
			if _, isKnown := known[at]; isShown && !isKnown {
				known[at], d.isNew[at] = result, true
			}
		}
		d.other = newDraws(known, d.drawn)
		if d.next, err = r.once(ctx, d.other); err != nil {
			return decision{}, err
		}
		if !d.renew(known) {
			return d, nil
		}
	}
}

// renew draws the results again that do not belong to their arguments, and reports whether it has drawn any.
func (d decision) renew(known map[draw]reflect.Value) bool {
	renewed := false
	for at, result := range known {
		made, isMade := d.drawn.made[at]
		if d.isNew[at] || !isMade || !made.isLike(d.other.made[at]) || fits(at.function, result, made.args) {
			continue
		}
		results := made.results()
		switch failed := len(results) > 1 && !results[1].IsNil(); {
		case failed:
			delete(known, at) // Its authority has no key.
		case fits(at.function, results[0], made.args):
			known[at] = results[0]
		default:
			continue // No result fits, a name that is no host for instance.
		}
		d.isNew[at], renewed = true, true
	}
	return renewed
}

// following returns the names of the fields that follow from new draws.
func (r *rendering) following(ctx context.Context, d decision) (map[string]bool, error) {
	if len(d.isNew) == 0 {
		return nil, nil
	}
	kept := maps.Clone(d.drawn.drawn)
	maps.DeleteFunc(kept, func(at draw, _ reflect.Value) bool { return d.isNew[at] })
	other, err := r.once(ctx, newDraws(kept, d.drawn))
	if err != nil {
		return nil, err
	}
	follows := map[string]bool{}
	for _, at := range differences(d.made, other) {
		follows[at.name()] = true
	}
	return follows, nil
}

// with renders the chart with the draws that are known from the cluster. If a certificate has to sign a new one and its
// key is not on the cluster, it draws all certificates again and removes them from known.
func (r *rendering) with(ctx context.Context, known map[draw]reflect.Value) (made objects, drawn *draws, err error) {
	for {
		drawn = newDraws(known, nil)
		if made, err = r.once(ctx, drawn); err == nil {
			return made, drawn, nil
		}
		before := len(known)
		maps.DeleteFunc(known, func(_ draw, result reflect.Value) bool {
			_, isCertificate := textsOf(result)["Cert"]
			return isCertificate
		})
		if len(known) == before {
			return nil, nil, fmt.Errorf("with the generated values that are on the cluster: %w", err)
		}
	}
}
