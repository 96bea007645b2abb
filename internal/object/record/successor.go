package record

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// Succeed returns the rewrite that gives the claims of fieldManager, those by updates too, to the applies of successor.
// What an update has set is owned as an apply owns it: an update also claims the map around a new field, and the first
// apply of successor would give that up.
func Succeed(claims ownership.Claims, fieldManager, successor string) ownership.Rewrite {
	updated := claims.Updated(fieldManager)
	rewrite := ownership.Rewrite{
		Manager: successor, PreviousManager: fieldManager, TakeOver: []string{fieldManager}, Removed: updated,
		Add: paths.Filter(updated, func(path paths.Path) bool {
			return path[len(path)-1].FieldName == nil || !ownership.HasParts(updated, path)
		}),
	}
	for _, claim := range claims {
		if claim.IsUpdater(fieldManager) && !claim.Fields.Empty() {
			rewrite.TakeAs = ownership.Manager{
				Name: successor, Operation: metav1.ManagedFieldsOperationApply, APIVersion: claim.APIVersion,
			}
		}
	}
	return rewrite
}
