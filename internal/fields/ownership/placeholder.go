package ownership

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// An object without managers is a trap: the API server records no owner of what is written to it, and the next
// server-side apply makes BeforeFirstApply the owner of all that the object has, so that nothing that the applier drops
// later leaves it. A claim of BeforeFirstApply on the object's name, which nobody can change and no apply claims, keeps
// the server recording: a field without an owner stays one, and the applier owns alone what it applies.

var placeholderFields = paths.NewSet(paths.Path{paths.Field("metadata"), paths.Field("name")})

// IsPlaceholder reports whether the claim stands for no owner of any field; see [Rewrite.Tracks].
func (c Claim) IsPlaceholder() bool {
	return c.IsUpdater(BeforeFirstApply) && c.Fields.Equals(placeholderFields)
}

// placeholder returns the entry of a claim for which [Claim.IsPlaceholder] is true.
func placeholder(apiVersion string) (metav1.ManagedFieldsEntry, error) {
	raw, err := paths.MarshalSet(placeholderFields)
	return metav1.ManagedFieldsEntry{
		Manager: BeforeFirstApply, Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: apiVersion,
		FieldsType: "FieldsV1", FieldsV1: metav1.NewFieldsV1(string(raw)),
	}, err
}
