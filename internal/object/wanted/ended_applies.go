package wanted

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// EndedApplies returns what managers that apply lose to an apply of the fields of applied, because they are taken over.
// A tool that is still in use claims the fields again when it next applies the object.
func EndedApplies(w Wanted, applied *paths.Set) ownership.Claims {
	var ended ownership.Claims
	rewrite := ownership.Rewrite{Manager: w.FieldManager, PreviousManager: w.PreviousManager(), TakeOver: w.TakeOver}
	for _, claim := range w.Claims() {
		if claim.Operation != metav1.ManagedFieldsOperationApply || !rewrite.TakesOver(claim.Manager) ||
			claim.IsOwn(rewrite.Manager) || claim.IsOwn(rewrite.PreviousManager) {
			continue
		}
		if claim.Fields = claim.Fields.Intersection(applied); !claim.Fields.Empty() {
			ended = append(ended, claim)
		}
	}
	return ended
}
