package worlds_test

import (
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/livediff"
)

const (
	handOver = "hand_over"
	// successor is the manager to whom resources hand their fields over.
	successor = "successor"
	// turnsOfHandOvers is how many steps the worlds of each kind have in all.
	turnsOfHandOvers = 20
)

// A destroy that hands over changes no value, and the successor then owns what the resource owned.
func TestWorldsOfHandOvers(t *testing.T) {
	t.Run("several", func(t *testing.T) {
		playWorldsOfSeveral(t, turnsOfHandOvers, func(s script) {
			for _, turn := range s.turns {
				for i := range turn.leases {
					handOverInstead(&turn.leases[i].onDestroy)
				}
			}
		})
	})
	t.Run("sets", func(t *testing.T) {
		playWorldsOfSets(t, turnsOfHandOvers, func(s setScript) {
			for i := range s.turns {
				turn := &s.turns[i]
				handOverInstead(&turn.patch.onDestroy)
				for at := range turn.sets {
					handOverInstead(&turn.sets[at].onDestroy)
				}
			}
		})
	})
}

// handOverInstead makes a destroy hand over that would release or restore.
func handOverInstead(onDestroy *string) {
	if *onDestroy != "" {
		*onDestroy = handOver
	}
}

// destroyedWith adds what a destroy of the resource does.
func destroyedWith(values map[string]tftypes.Value, onDestroy string) {
	if onDestroy != "" {
		values["on_destroy"] = text(onDestroy)
	}
	if onDestroy == handOver {
		values["successor"] = text(successor)
	}
}

// onDestroy returns what a destroy of the resource does; "" for the default.
func (s state) onDestroy() string {
	var attributes map[string]tftypes.Value
	var onDestroy string
	if s.value.IsNull() || s.value.As(&attributes) != nil || attributes["on_destroy"].As(&onDestroy) != nil {
		return ""
	}
	return onDestroy
}

// handedOver returns what is wrong after a destroy that hands over: values that it changed, and fields of the resource
// that the successor does not own.
func handedOver(prior state, losses []livediff.Loss, before, after *unstructured.Unstructured) ([]string, error) {
	if prior.onDestroy() != handOver {
		return nil, nil
	}
	var wrong []string
	for _, loss := range losses {
		wrong = append(wrong, loss.String())
	}
	was, err := livediff.ReadClaims(before.Object)
	if err != nil {
		return nil, err
	}
	is, err := livediff.ReadClaims(after.Object)
	if err != nil {
		return nil, err
	}
	was.Each(func(path livediff.Path, owners []string, leaf bool) {
		// An apply does not own a map or list with parts, as an update does.
		if !leaf || !slices.Contains(owners, prior.manager()) {
			return
		}
		if now := is.At(path); now == nil || !slices.Contains(now.Owners, successor) {
			wrong = append(wrong, path.String()+" has not got the successor")
		}
	})
	return wrong, nil
}
