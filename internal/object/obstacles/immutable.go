package obstacles

import (
	"errors"
	"maps"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
)

// Immutable returns the fields whose change the server refused by err, with their values. If err names a field
// with parts, such as the spec of a StatefulSet, these are the declared parts that differ from the object, or the field
// itself if none differs.
func (a Apply) Immutable(err error) []prediction.Change {
	var refusal *cluster.InvalidError
	if !errors.As(err, &refusal) {
		return nil
	}
	changed := prediction.ChangedFields(a.Wanted, a.Body)
	fields := map[string]prediction.Change{}
	for _, cause := range refusal.Causes {
		below := refusals.Changed(cause, changed)
		for _, path := range below {
			change := prediction.Between(a.Wanted, a.Body, path)
			fields[change.Field] = change
		}
		if len(below) == 0 {
			fields[cause.Field] = prediction.Change{Field: cause.Field}
		}
	}
	sorted := make([]prediction.Change, 0, len(fields))
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		sorted = append(sorted, fields[name])
	}
	return sorted
}
