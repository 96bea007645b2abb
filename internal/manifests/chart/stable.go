package chart

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"time"

	release "helm.sh/helm/v4/pkg/release/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// settled renders the chart as the next plan will render it: a chart that looks up a Secret of its own, and draws its
// values only if it does not exist, sees the one that it makes.
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

// stable renders the chart so that generated values are those of the objects on the cluster, if they exist. drawn are
// the objects with generated values that are not hooks.
func (r *rendering) stable(ctx context.Context) (done *Rendering, drawn []*object, err error) {
	d, err := r.twice(ctx)
	if err != nil || len(d.drawn.drawn) == 0 {
		return d.made.done(), nil, err
	}
	generated := differences(d.made, d.next)
	var fresh []string
	if !r.Renew && r.Cluster != nil && len(generated) > 0 {
		if d, fresh, err = r.recalled(ctx, d, generated); err != nil {
			return nil, nil, err
		}
	}
	made, varies := d.made, differences(d.made, d.next)
	if err := r.replaceNamed(ctx, d); err != nil {
		return nil, nil, err
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
	for _, at := range varies {
		if one := made[at.place]; one.goes() && !slices.Contains(done.Rerun, one.key) {
			done.Rerun = append(done.Rerun, one.key)
		}
	}
	for place, one := range made {
		switch {
		case d.next[place] != nil || one.isLeft():
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

// replaceNamed makes hooks whose names are drawn replace what a failed run has left under the same name. In Helm, the
// next run has another name.
func (r *rendering) replaceNamed(ctx context.Context, d decision) error {
	runs := maps.Clone(d.made)
	maps.DeleteFunc(runs, func(_ string, o *object) bool {
		hook, is, _ := hookOf(o.key, o.Manifest)
		return !o.isHook || !is || hook.IsLeft() || hook.HasPolicy(release.HookBeforeHookCreation)
	})
	if len(runs) == 0 {
		return nil
	}
	other, err := r.once(ctx, newDraws(nil, d.drawn))
	for place, one := range runs {
		if err != nil || other[place] != nil {
			continue
		}
		hook, _, _ := hookOf(one.key, one.Manifest)
		policies := joined(append(hook.Policies, string(release.HookBeforeHookCreation)))
		path := []string{"metadata", "annotations", release.HookDeleteAnnotation}
		one.Object = runtime.DeepCopyJSON(one.Object) // Texts that are equal share it.
		if err = unstructured.SetNestedField(one.Object, policies, path...); err == nil {
			err = one.rewrite()
		}
	}
	return err
}

const (
	digits  = "0123456789"
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// twice renders the chart with two different results of each draw that is not fixed.
func (r *rendering) twice(ctx context.Context) (d decision, err error) {
	var kept map[draw]reflect.Value
	for {
		d.drawn = newDraws(kept, nil)
		if d.made, err = r.once(ctx, d.drawn); err != nil || len(d.drawn.drawn) == 0 {
			return d, err
		}
		d.other = newDraws(kept, d.drawn)
		if d.next, err = r.once(ctx, d.other); err != nil || kept != nil || !d.made.hooksDiffer(d.next) {
			return d, err
		}
		if kept = r.fixed(ctx, d.made, d.drawn); len(kept) == 0 {
			return d, nil
		}
	}
}

// hooksDiffer reports whether hooks are other ones in another rendering.
func (o objects) hooksDiffer(other objects) bool {
	for place, one := range o {
		if one.isHook && (other[place] == nil || !reflect.DeepEqual(one.Object, other[place].Object)) {
			return true
		}
	}
	return false
}

// fixed returns results for the draws that decide nothing but metadata of hooks, names for instance, and hooks that
// nothing runs: the same in each rendering of the same values. Other values may be passwords, which must not be
// guessed.
func (r *rendering) fixed(ctx context.Context, made objects, drawn *draws) map[draw]reflect.Value {
	found := map[draw]reflect.Value{}
	for at, result := range drawn.drawn {
		value := r.fixedResult(at, result)
		if !value.IsValid() {
			continue
		}
		kept := maps.Clone(drawn.drawn)
		kept[at] = value
		again, err := r.once(ctx, newDraws(kept, nil))
		if err == nil && slices.Equal(made.beyondHooks(), again.beyondHooks()) {
			found[at] = value
		}
	}
	return found
}

// fixedResult returns the result of a draw that follows from the chart, its release and its values; the zero Value for
// a draw whose result has a form of its own, a key for instance.
func (r *rendering) fixedResult(at draw, result reflect.Value) reflect.Value {
	metadata := r.Chart.Metadata
	digest := sha256.Sum256(fmt.Append(nil, r.Release, metadata.Name, metadata.Version, r.values["Values"], at))
	source := rand.New(rand.NewChaCha8(digest)) //nolint:gosec // It is no secret.
	text := func(alphabet, like string) reflect.Value {
		made := []byte(like)
		for i := range made {
			made[i] = alphabet[source.IntN(len(alphabet))]
		}
		return reflect.ValueOf(string(made))
	}
	switch at.function {
	case "now":
		return reflect.ValueOf(time.Unix(source.Int64N(1<<30), 0).UTC())
	case "randNumeric":
		return text(digits, result.String())
	case "randAlpha":
		return text(letters, result.String())
	case "randAlphaNum", "randAscii":
		return text(digits+letters, result.String())
	case "uuidv4":
		return reflect.ValueOf(fmt.Sprintf("%x-%x-4%03x-a%03x-%x", digest[:4], digest[4:6], source.IntN(1<<12),
			source.IntN(1<<12), digest[6:12]))
	}
	return reflect.Value{}
}

// beyondHooks returns the objects as strings, sorted, without the hooks that nothing runs, and without the metadata of
// the others.
func (o objects) beyondHooks() []string {
	var all []string
	for place, one := range o {
		var rest any = one.Object
		if one.isHook && !one.IsSecret() {
			if one.isLeft() {
				continue
			}
			place, rest = "", withoutMetadata(one.Object)
		}
		text, _ := json.Marshal(rest) // It was read from YAML.
		all = append(all, place+string(text))
	}
	slices.Sort(all)
	return all
}

func withoutMetadata(value any) any {
	switch value := value.(type) {
	case map[string]any:
		rest := map[string]any{}
		for name, below := range value {
			if name != "metadata" {
				rest[name] = withoutMetadata(below)
			}
		}
		return rest
	case []any:
		var rest []any
		for _, item := range value {
			rest = append(rest, withoutMetadata(item))
		}
		return rest
	}
	return value
}

// isLeft reports whether an object is a hook that nothing runs.
func (o *object) isLeft() bool {
	hook, is, _ := hookOf(o.key, o.Manifest)
	return o.isHook && is && hook.IsLeft()
}

// goes reports whether an object is a hook that runs, and that is not on the cluster once it has ended well.
func (o *object) goes() bool {
	hook, is, _ := hookOf(o.key, o.Manifest)
	_, expires, _ := unstructured.NestedFieldNoCopy(o.Object, "spec", "ttlSecondsAfterFinished")
	return o.isHook && is && !hook.IsLeft() && (expires || hook.HasPolicy(release.HookSucceeded))
}
