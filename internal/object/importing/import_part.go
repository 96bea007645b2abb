package importing

import (
	"context"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// OwnsNothingError reports that a manager owns nothing of the object of which its part was to be imported.
type OwnsNothingError struct {
	Object  manifest.Identity
	Manager string
	// Managers are those who own fields, sorted.
	Managers []string
}

func (e *OwnsNothingError) Error() string {
	return fmt.Sprintf("%s: %q owns nothing", e.Object, e.Manager)
}

// ImportPart reads an object and writes a manifest of the fields that one manager owns: one GET. Body contains no
// identity. Fields that the manager owns by server-side apply count as applied. The next apply takes over fields that
// it owns by updates.
func ImportPart(ctx context.Context, api cluster.Interface, id manifest.Identity, manager string) (Imported, error) {
	return importOwned(ctx, api, id, manager, true)
}

// ImportApplied reads an object and writes the manifest that one manager has applied: one GET.
func ImportApplied(ctx context.Context, api cluster.Interface, id manifest.Identity, manager string) (Imported, error) {
	return importOwned(ctx, api, id, manager, false)
}

func importOwned(
	ctx context.Context, api cluster.Interface, id manifest.Identity, manager string, isPart bool,
) (Imported, error) {
	at, err := locate(ctx, api, id)
	if err != nil {
		return Imported{}, err
	}
	id, live, claims := at.id, at.live, at.claims
	owned, others := paths.NewSet(), []string{}
	for _, claim := range record.ClaimsAsData(id, claims) {
		if claim.Name == manager && (isPart || claim.Operation == metav1.ManagedFieldsOperationApply) {
			owned = owned.Union(claim.Fields)
		} else {
			others = append(others, claim.Name)
		}
	}
	fields := projection.WithValues(live.Object, owned.Leaves().Difference(bookkeepingOf(id, live)))
	if fields.Empty() {
		slices.Sort(others)
		return Imported{}, &OwnsNothingError{Object: id, Manager: manager, Managers: slices.Compact(others)}
	}
	if isPart {
		fields = projection.WithItemKeys(live.Object, fields)
	}
	body := projection.Extract(live.Object, fields)
	if !isPart {
		body = manifest.Identified(body, id)
	}
	applied := fields.Intersection(record.AsData(id, claims.Own(manager)))
	var copied []string // What the manager owns was not applied by us.
	for _, path := range secretCopies(id, live) {
		copied = append(copied, paths.Format(path))
	}
	observed, err := record.Describe(live, record.Observation{
		ID: id, FieldManager: manager, IsPart: isPart,
		Carried: record.Snapshot{Secrecy: record.Secrecy{Copied: copied}},
		Fields:  record.KnownFields{Declared: applied, Empty: projection.EmptyCollections(body, applied)},
	})
	if err != nil {
		return Imported{}, err
	}
	// Fields that the manager owns by updates keep an apply pending: the first one takes them over.
	if fields.Leaves().Difference(applied).Empty() {
		observed.Snapshot.AppliedState = observed.Snapshot.LiveState
	}
	text, err := manifest.Canonical(body)
	if err != nil {
		return Imported{}, record.Unreadable(id, err)
	}
	return Imported{Observed: observed, Body: text}, nil
}
