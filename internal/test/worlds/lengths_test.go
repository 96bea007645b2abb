package worlds_test

import (
	"maps"
	"math/rand/v2"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// limit gives the steps of a world limits of lists. They come from numbers of their own, so that a seed has the same
// writes and the same other arguments with and without them.
func limit(k kind, seed, world uint64, all []step) {
	r := rand.New(rand.NewPCG(seed, world+1000))
	limits := map[string]int{}
	for i := range all {
		if len(k.countable) > 0 && r.IntN(4) == 0 {
			list := k.countable[r.IntN(len(k.countable))]
			if _, has := limits[list]; has && r.IntN(2) == 0 {
				delete(limits, list)
			} else {
				limits[list] = 1 + r.IntN(3)
			}
		}
		all[i].configuration.limits = maps.Clone(limits)
	}
}

// lengths returns the limits that a body does not exceed: the others are refused, so a user takes them out for as long as
// that is so.
func (c configuration) lengths(body map[string]any) map[string]int {
	kept := maps.Clone(c.limits)
	maps.DeleteFunc(kept, func(list string, limit int) bool {
		declared, _, _ := unstructured.NestedSlice(body, strings.Split(list, ".")...)
		return len(declared) > limit
	})
	return kept
}

// encodeLengths returns list_lengths.
func encodeLengths(kind tftypes.Type, limits map[string]int) tftypes.Value {
	attribute, _ := kind.(tftypes.Map)
	elements := map[string]tftypes.Value{}
	for list, limit := range limits {
		elements[list] = tftypes.NewValue(attribute.ElementType, map[string]tftypes.Value{
			"min": tftypes.NewValue(tftypes.Number, nil), "max": tftypes.NewValue(tftypes.Number, limit),
		})
	}
	return tftypes.NewValue(kind, elements)
}
