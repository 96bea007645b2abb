package creating

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// TakenError reports that another client has created the object, and that the create has left it alone.
type TakenError struct {
	Object manifest.Identity
	// Live is that object.
	Live *unstructured.Unstructured
}

func (e *TakenError) Error() string { return e.Object.String() + " was created by another client" }

// isConflict reports whether a create has failed because the object exists. The server also answers so if the create conflicts with
// another object, for example a quota.
func isConflict(err error) bool {
	reason := cluster.ReasonOf(err)
	return reason == cluster.ReasonConflict || reason == cluster.ReasonFieldManagerConflict
}

// giveBack returns the error of a create to which the server has applied an existing object, because it does not compare
// resourceVersions. It ends the claim of fieldManager, which keeps every value. If no other manager owns anything, the claim may be
// that of another run with the same manager, so it stays.
func giveBack(ctx context.Context, api cluster.Interface, id manifest.Identity, live *unstructured.Unstructured, fieldManager string) error {
	taken := &TakenError{Object: id, Live: live}
	claims, err := record.ClaimsOf(id, live)
	if err != nil || claims.Others(fieldManager).Fields().Empty() {
		return taken
	}
	if released, err := record.Disclaim(ctx, api, id, live, fieldManager); err == nil {
		taken.Live = released
	}
	return taken
}
