package worlds_test

import (
	"context"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/livediff"
)

// checkLosses checks the lost values of an apply against the plan, the apply's own warnings, and the fields that are
// left to other managers.
func (w *world) checkLosses(s step, prior state, shown plan, told []string, before, after *unstructured.Unstructured) error {
	losses, err := livediff.Losses(before.Object, after.Object, s.configuration.manager(), nil)
	if err != nil {
		return err
	}
	var ignored, unshown []string
	for _, loss := range losses {
		if covered(s.configuration.ignore, loss.Path) && !w.dropsItself(loss) && !w.goesWithItem(loss) {
			ignored = append(ignored, loss.String())
		}
	}
	if err := broke(s, "what ignore_fields covers stays", ignored...); err != nil {
		return err
	}
	owned, err := w.ownedItself(losses, before, after)
	if err != nil {
		return err
	}
	if err := w.checkConflicts(s, prior, shown, owned); err != nil {
		return err
	}
	plan := livediff.Shown{
		State: attribute(prior.value, "managed_state"), Planned: attribute(shown.value, "managed_state"),
		Warnings: shown.warnings, Applied: told,
	}
	for _, loss := range plan.Unshown(before.Object, losses) {
		if !w.changedUnowned(s, loss) && !showsSource(plan, loss) {
			unshown = append(unshown, loss.String())
		}
	}
	if len(unshown) > 0 {
		unshown = append(unshown, "warnings: "+strings.Join(shown.warnings, "\n"))
	}
	return broke(s, "a plan shows every value that its apply changes or removes", unshown...)
}

// ownedItself returns the losses without those in a map that a manager owned by itself, and without its parts: the
// apply owns the part, so the map is not atomic, and no manager owned the value. In definitions that change, such a map
// may have been atomic.
func (w *world) ownedItself(losses []livediff.Loss, before, after *unstructured.Unstructured) ([]livediff.Loss, error) {
	was, err := at(before)
	if err != nil {
		return nil, err
	}
	is, err := at(after)
	return slices.DeleteFunc(slices.Clone(losses), func(loss livediff.Loss) bool {
		return err == nil && !w.kind.defined && was.claims.At(loss.Path) == nil && is.claims.At(loss.Path) != nil
	}), err
}

// dropsItself reports whether the server itself drops a value with the body, whoever applies it: node ports for instance,
// with another type of the Service.
func (w *world) dropsItself(loss livediff.Loss) bool {
	return slices.ContainsFunc(w.tried, func(tried *unstructured.Unstructured) bool {
		_, stays := livediff.Lookup(tried.Object, loss.Path)
		return !stays
	})
}

// tryBodies remembers what the server makes of a body, without and with what is pinned, and without what is left to
// other managers: it may refuse the whole of it beside a field of theirs.
func (w *world) tryBodies(ctx context.Context, c configuration) {
	w.tried = nil
	for _, body := range []map[string]any{w.body(c).Object, w.withPins(c, w.body(c).Object), w.withoutLeft(c)} {
		if tried, err := w.try(ctx, "nobody", body); err == nil {
			w.tried = append(w.tried, tried)
		}
	}
}

// goesWithItem reports whether a value that no manager owns goes with the item of a patch that it is in: a default, for
// instance.
func (w *world) goesWithItem(loss livediff.Loss) bool {
	return w.isPart && len(loss.Owners) == 0 && loss.Gone > 1
}

// changedUnowned reports whether another client has changed a value of ours since the last read and does not own it: by
// the stringData of a Secret, or by a scale to 0, of which the API server records no owner. No apply meets a conflict
// there.
func (w *world) changedUnowned(s step, loss livediff.Loss) bool {
	if w.seen == nil || len(s.between) == 0 || slices.ContainsFunc(loss.Owners, func(owner string) bool { return owner != s.configuration.manager() }) {
		return false
	}
	was, had := livediff.Lookup(w.seen.Object, loss.Path)
	return had && livediff.Text(was) != livediff.Text(loss.Was)
}

// showsSource reports whether a value is an annotation in which autoscaling/v1 has a field of autoscaling/v2, and the plan shows
// that a part of the field goes: what else is in the field has no other name in the version of the plan.
func showsSource(plan livediff.Shown, loss livediff.Loss) bool {
	name, is := strings.CutPrefix(loss.Path.String(), "metadata.annotations.autoscaling.alpha.kubernetes.io/")
	return is && len(loss.Owners) == 0 && slices.ContainsFunc(slices.Collect(maps.Keys(plan.State)), func(field string) bool {
		_, stays := plan.Planned[field]
		return !stays && (field == "spec."+name || strings.HasPrefix(field, "spec."+name+"."))
	})
}
