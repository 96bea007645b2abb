package changes

import (
	"cmp"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
)

// byLoss returns changes in the order in which a reader has to see them: what controllers set, autoscalers among
// them, what people set by hand, what tools set, and labels and annotations last. Equal ones stay in the order of
// their paths.
func byLoss(changes []prediction.Change) []prediction.Change {
	return slices.SortedStableFunc(slices.Values(changes), func(a, b prediction.Change) int {
		return cmp.Compare(loss(a), loss(b))
	})
}

// loss returns the position of a change in that order.
func loss(change prediction.Change) ownership.Writer {
	if strings.HasPrefix(change.Field, "metadata.labels") || strings.HasPrefix(change.Field, "metadata.annotations") {
		return ownership.Tool + 1
	}
	first := ownership.Tool
	for _, owner := range change.Others {
		first = min(first, owner.Writer())
	}
	return first
}
