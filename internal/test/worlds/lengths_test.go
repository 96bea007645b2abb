package worlds_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/livediff"
)

// listLength limits how many entries a list has.
type listLength struct {
	max     int
	enforce bool
}

// limit gives the steps of a world limits of lists. They come from numbers of their own, so that a seed has the same
// writes and the same other arguments with and without them.
func limit(k kind, seed, world uint64, all []step) {
	r := rand.New(rand.NewPCG(seed, world+1000))
	limits := map[string]listLength{}
	for i := range all {
		if len(k.countable) > 0 && r.IntN(4) == 0 {
			list := k.countable[r.IntN(len(k.countable))]
			if _, has := limits[list]; has && r.IntN(2) == 0 {
				delete(limits, list)
			} else {
				limits[list] = listLength{max: 1 + r.IntN(3), enforce: r.IntN(3) > 0}
			}
		}
		all[i].configuration.limits = maps.Clone(limits)
	}
}

// lengths returns the limits that a body does not exceed: the others are refused, so a user takes them out for as long as
// that is so.
func (c configuration) lengths(body map[string]any) map[string]listLength {
	kept := maps.Clone(c.limits)
	maps.DeleteFunc(kept, func(list string, limit listLength) bool {
		declared, _, _ := unstructured.NestedSlice(body, strings.Split(list, ".")...)
		return len(declared) > limit.max
	})
	return kept
}

// encodeLengths returns list_lengths.
func encodeLengths(kind tftypes.Type, limits map[string]listLength) tftypes.Value {
	attribute, _ := kind.(tftypes.Map)
	elements := map[string]tftypes.Value{}
	for list, limit := range limits {
		elements[list] = tftypes.NewValue(attribute.ElementType, map[string]tftypes.Value{
			"min": tftypes.NewValue(tftypes.Number, nil), "max": tftypes.NewValue(tftypes.Number, limit.max),
			"enforce": tftypes.NewValue(tftypes.Bool, limit.enforce),
		})
	}
	return tftypes.NewValue(kind, elements)
}

// checkLengths checks the enforced limits for an object after an apply: only entries that must be kept may exceed them.
// Which of them the API server has given no owner is known from the next read on.
func (w *world) checkLengths(s step, after *unstructured.Unstructured) error {
	now, err := at(after)
	if err != nil {
		return err
	}
	var wrong []string
	c := s.configuration
	for list, limit := range c.lengths(w.body(c).Object) {
		values, _, _ := unstructured.NestedSlice(after.Object, strings.Split(list, ".")...)
		if !limit.enforce || len(values) <= limit.max || w.isSecret(c, now, list) {
			continue
		}
		for entry := range w.entries(now, list) {
			owners := now.claims.OwnersOf(entry)
			if slices.Equal(owners, []string{"before-first-apply"}) {
				continue // It may have had no owner before the apply.
			}
			if !slices.Contains(owners, c.manager()) && !c.leaves(entry, owners) && !w.hasPart(c, now, entry) {
				wrong = append(wrong, fmt.Sprintf("%s has %d entries, and may have %d: %s of %q", list, len(values), limit.max, entry, owners))
			}
		}
	}
	slices.Sort(wrong)
	return broke(s, "the entries of others that are too many go", wrong...)
}

// entries yields the paths of the entries of a list that have owners.
func (w *world) entries(m moment, list string) func(yield func(livediff.Path) bool) {
	path := livediff.Path{}
	for name := range strings.SplitSeq(list, ".") {
		path = append(path, "f:"+name)
	}
	found := map[string]livediff.Path{}
	m.claims.Each(func(field livediff.Path, _ []string, _ bool) {
		if len(field) > len(path) && field.HasPrefix(path) {
			entry := slices.Clone(field[:len(path)+1])
			found[entry.String()] = entry
		}
	})
	return maps.Values(found)
}

// isSecret reports whether an entry of a list is secret, keys included: no plan could name what an apply removes.
func (w *world) isSecret(c configuration, m moment, list string) bool {
	for entry := range w.entries(m, list) {
		if covered(c.sensitive, entry) {
			return true
		}
	}
	return false
}

// hasPart reports whether our manager, or one that is ignored, has a part of an entry.
func (w *world) hasPart(c configuration, m moment, entry livediff.Path) bool {
	has := false
	m.claims.Each(func(field livediff.Path, owners []string, _ bool) {
		if field.HasPrefix(entry) && (slices.Contains(owners, c.manager()) || c.leaves(entry, owners)) {
			has = true
		}
	})
	return has
}

// isInExcess reports whether a value went with an entry of a list that is too long, and that is not left to others as a
// whole.
func (w *world) isInExcess(c configuration, loss livediff.Loss) bool {
	for list, limit := range c.lengths(w.body(c).Object) {
		depth := strings.Count(list, ".") + 1
		if limit.enforce && len(loss.Path) > depth && strings.HasPrefix(loss.Path.String(), list+"[") && !covered(c.ignore, loss.Path[:depth+1]) {
			return loss.Gone >= len(loss.Path)-depth
		}
	}
	return false
}
