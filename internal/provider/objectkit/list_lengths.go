package objectkit

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
)

// ListLengthsAttribute is the name of the attribute with the limits of lists.
const ListLengthsAttribute = "list_lengths"

// listLengths returns the limits in order of their paths, without those whose path validation refuses.
func (m Model) listLengths() []intents.ListLength {
	var limits []intents.ListLength
	elements := m.ListLengths.Elements()
	for _, text := range slices.Sorted(maps.Keys(elements)) {
		limit, _ := elements[text].(types.Object)
		pattern, err := paths.Parse(text)
		if err != nil || limit.IsNull() {
			continue
		}
		number := func(name string) int {
			value, _ := limit.Attributes()[name].(types.Int64)
			return int(value.ValueInt64())
		}
		enforce, _ := limit.Attributes()["enforce"].(types.Bool)
		limits = append(limits, intents.ListLength{Pattern: pattern, Min: number("min"), Max: number("max"), Enforce: enforce.ValueBool()})
	}
	return limits
}

// limitsKnown reports whether all of list_lengths is known.
func (m Model) limitsKnown() bool {
	return !isUnknown(m.ListLengths) && !slices.ContainsFunc(slices.Collect(maps.Values(m.ListLengths.Elements())), isUnknown)
}

// isUnknown reports whether a value, or an attribute of it, is unknown.
func isUnknown(value attr.Value) bool {
	object, _ := value.(types.Object)
	return value.IsUnknown() || slices.ContainsFunc(slices.Collect(maps.Values(object.Attributes())), attr.Value.IsUnknown)
}
