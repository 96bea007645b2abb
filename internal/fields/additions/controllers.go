package additions

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
)

// Controllers returns the names of the managers that update the status of an object, sorted, as far as their names do
// not tell that they are controllers. entries are its managedFields.
func Controllers(entries []metav1.ManagedFieldsEntry) []string {
	var names []string
	for _, entry := range entries {
		isUpdate := entry.Operation == metav1.ManagedFieldsOperationUpdate && entry.Subresource == "status"
		whole := ownership.Manager{Name: entry.Manager, Operation: entry.Operation}
		if isUpdate && whole.Writer() == ownership.Tool {
			names = append(names, entry.Manager)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
