package ownership

import (
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
)

// Release is managedFields with the given fields taken out of fieldManager's own entry. Written to the
// object it ends our ownership and leaves every value as it is. An entry that holds nothing any more is
// left out. entries is not mutated.
//
// The result may be an empty list, never nil. The server takes a list without entries, and one with a
// single empty entry, for a reset, and forgets every owner; null, or no list at all, it takes for a
// writer that knows nothing of managedFields, and restores what was there. After a reset it records
// nobody until the next apply, which gives all that the object then holds to a manager named
// before-first-apply.
func Release(entries []metav1.ManagedFieldsEntry, fieldManager string, fields *paths.Set) ([]metav1.ManagedFieldsEntry, error) {
	rewritten := make([]metav1.ManagedFieldsEntry, 0, len(entries))
	for _, entry := range entries {
		if !managerOf(entry).IsOwn(fieldManager) {
			rewritten = append(rewritten, entry)
			continue
		}
		held, err := parseFields(entry)
		if err != nil {
			return nil, fmt.Errorf("managedFields entry of %q: %w", entry.Manager, err)
		}
		kept := held.Difference(fields)
		if kept.Empty() {
			continue
		}
		raw, err := paths.MarshalSet(kept)
		if err != nil {
			return nil, fmt.Errorf("managedFields entry of %q: %w", entry.Manager, err)
		}
		entry.FieldsV1 = metav1.NewFieldsV1(string(raw))
		rewritten = append(rewritten, entry)
	}
	return slices.Clip(rewritten), nil
}
