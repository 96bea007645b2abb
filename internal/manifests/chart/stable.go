package chart

import (
	"context"
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
	first, second, made, other, err := r.twice(ctx)
	if err != nil || len(first.drawn) == 0 {
		return made.done(), nil, err
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
