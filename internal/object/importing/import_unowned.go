package importing

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// identity are the fields that every object has.
var identity = metadata.Union(paths.NewSet(paths.Path{paths.Field("apiVersion")}, paths.Path{paths.Field("kind")}))

// ofOthers are fields of the metadata that no author of a manifest writes.
var ofOthers = paths.NewSet(paths.Path{paths.Field("metadata"), paths.Field("finalizers")},
	paths.Path{paths.Field("metadata"), paths.Field("ownerReferences")})

// withUnowned returns claims with a further one if no person or tool owns any of the object's content: a destroy has
// released it, or managedFields was cleared. That claim is an update of all fields that nobody owns. A dry-run of the
// object as it is shows them; if the server refuses it, they are not divided.
func (r importDryRun) withUnowned(
	ctx context.Context, api cluster.Interface, claims ownership.Claims,
) (ownership.Claims, error) {
	body, _ := projection.Strip(r.live, record.ServerFields(r.id).Union(ofOthers)).(map[string]any)
	owned := claims.Fields()
	fields := projection.Unowned(body, owned.Union(identity))
	if !claims.Authored().RecursiveDifference(metadata).Empty() || fields.Empty() || r.id.IsNamespace() {
		return claims, nil
	}
	dry, err := applyDry(ctx, api, r.id, body)
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	if err == nil {
		answered, err := record.ClaimsOf(r.id, dry.Object)
		if err != nil {
			return nil, err
		}
		fields = answered.Own(dryRunManager).Difference(owned)
	}
	return append(slices.Clone(claims), ownership.Claim{
		Manager: ownership.Manager{Name: dryRunManager, Operation: metav1.ManagedFieldsOperationUpdate}, Fields: fields,
	}), nil
}
