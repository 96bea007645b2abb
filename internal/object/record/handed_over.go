package record

import (
	"context"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
)

// suffix ends the name of the manager of a claim that was handed over.
const suffix = "+unfinished"

// HandedOver returns the manager that holds the claim of fieldManager while the object is in no state: between the two
// halves of a replacement that keeps it. Only a create of fieldManager takes the claim over. It returns "" if the name
// would be too long.
func HandedOver(fieldManager string) string {
	name := strings.TrimSuffix(fieldManager, suffix) + suffix
	if len(name) > validation.FieldManagerMaxLength {
		return ""
	}
	return name
}

// IsHandedOver reports whether claims has one that a create of fieldManager takes over.
func IsHandedOver(claims ownership.Claims, fieldManager string) bool {
	name := HandedOver(fieldManager)
	return name != "" && !claims.Own(name).Empty()
}

// HandOver returns the rewrite that hands the claim of fieldManager over.
func HandOver(fieldManager string) ownership.Rewrite {
	return ownership.Rewrite{Manager: HandedOver(fieldManager), PreviousManager: fieldManager}
}

// HandedOver returns the prior after its claim was handed over. Without one, as of a Namespace whose manifest has no
// field, it stays as it is.
func (p Prior) HandedOver() Prior {
	manager := p.Arguments.FieldManager
	if p.Snapshot.Claims.Own(manager).Empty() {
		return p
	}
	p.Snapshot.Claims = HandOver(manager).Claims(p.Snapshot.Claims)
	p.Arguments.FieldManager = HandedOver(manager)
	return p
}

// ObserveAs reads an object of which fieldManager owns fields, and returns it as one whose snapshot is lost.
func ObserveAs(ctx context.Context, api cluster.Interface, id manifest.Identity, fieldManager string) (Prior, error) {
	prior := Prior{Object: id, Arguments: arguments.Arguments{FieldManager: fieldManager}}
	observed, err := Observe(ctx, api, fieldManager, prior)
	prior.UID, prior.Shown, prior.Snapshot, prior.Live = observed.UID, observed.Shown, observed.Snapshot, observed.Live
	return prior, err
}

// Succeed returns the rewrite that gives the claims of fieldManager, those by updates too, to the applies of successor.
// Fields owned by updates are claimed as an apply would claim them, without the map around a new field: an update
// claims that too, and the first apply of successor would give it up.
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

// Adopted lists the reasons against the adoption of an object.
type Adopted struct {
	// BySameManager is true if our field manager owns fields of it: another configuration may manage it.
	BySameManager bool
	// ByControllers is true if only controllers wrote it.
	ByControllers bool
	// HandedOver is true if an interrupted replacement has left the object to us; then nothing speaks against it.
	HandedOver bool
	// Giver is the field manager of the resource of the same run that gives the object up; "" without one.
	Giver string
	// Resumed is the object if an apply of ours has created it and ended before a state had it; nil otherwise.
	Resumed *Prior
}

// Adopted returns what speaks against the adoption of the object by fieldManager.
func (p Prior) Adopted(fieldManager string) Adopted {
	claims := p.Snapshot.Claims
	if IsHandedOver(claims, fieldManager) {
		return Adopted{HandedOver: true}
	}
	references, _, _ := unstructured.NestedSlice(p.Live, "metadata", "ownerReferences")
	return Adopted{
		BySameManager: !claims.Own(fieldManager).Empty(),
		ByControllers: len(references) > 0 || len(claims) > 0 && claims.Authored().Empty(),
	}
}
