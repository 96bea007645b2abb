package importing

import (
	"context"
	"errors"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// importDryRun creates variants of a live object under a name of its own, as dry-runs.
type importDryRun struct {
	id   manifest.Identity
	live map[string]any
}

// withoutDefaults returns fields without those of doubtful that the server fills in with the same value when they are
// left out. If the server refuses every dry-run of the object, or does not answer in time, all fields stay.
func (r importDryRun) withoutDefaults(
	ctx context.Context, api cluster.Interface, fields, doubtful *paths.Set,
) (*paths.Set, error) {
	limited, cancel := context.WithTimeout(ctx, dryRunTime)
	defer cancel()
	kept, omitted := fields, doubtful.Intersection(fields)
	for range mostDryRuns {
		if omitted.Empty() {
			break
		}
		result, body, err := r.create(limited, api, fields.Difference(omitted))
		if err != nil && ctx.Err() != nil {
			return fields, err
		}
		needed := demanded(err, omitted, body)
		kept = fields
		switch {
		case err == nil:
			// A default may depend on a field that had been left out, so the rest is tried again with all of them.
			needed = omitted.Difference(r.unchanged(result, omitted))
			kept = fields.Difference(omitted).Union(needed)
		case needed.Empty() && cluster.ReasonOf(err) == cluster.ReasonInvalid:
			// The remaining fields may refer to an omitted item by its key, as a mount does to its volume.
			needed = paths.Filter(omitted, paths.IsKeyField)
		}
		if needed.Empty() {
			break
		}
		omitted = omitted.Difference(needed)
	}
	return kept, nil
}

func (r importDryRun) create(
	ctx context.Context, api cluster.Interface, fields *paths.Set,
) (result, body map[string]any, err error) {
	body = projection.Extract(r.live, projection.WithItemKeys(r.live, fields))
	dry, err := r.apply(ctx, api, body)
	if err != nil {
		return nil, body, err
	}
	return dry.Object.Object, body, nil
}

// apply returns the answer to a dry-run create of body, which gets the identity of the variant.
func (r importDryRun) apply(ctx context.Context, api cluster.Interface, body map[string]any) (cluster.Applied, error) {
	id := r.id
	id.Name = cluster.DryRunName(id.Name)
	return applyDry(ctx, api, id, body)
}

func applyDry(
	ctx context.Context, api cluster.Interface, id manifest.Identity, body map[string]any,
) (cluster.Applied, error) {
	return api.Apply(ctx, id, manifest.Identified(body, id),
		cluster.ApplyOptions{FieldManager: dryRunManager, DryRun: true, Force: true})
}

// unchanged returns the omitted fields to which the server gave the values of the live object.
func (r importDryRun) unchanged(result map[string]any, omitted *paths.Set) *paths.Set {
	same, live := paths.NewSet(), projection.NewReader(r.live)
	projection.Walk(result, omitted, func(field projection.Field) {
		value, presence := live.Lookup(field.Path)
		if field.Presence == presence && projection.Fingerprint(field.Value) == projection.Fingerprint(value) {
			same.Insert(field.Path)
		}
	})
	return same
}

// demanded returns the omitted fields without which the server refuses the object as invalid. For a list, it
// returns only the key fields of the items if there are any, which may be enough.
func demanded(err error, omitted *paths.Set, body map[string]any) *paths.Set {
	needed := paths.NewSet()
	invalid, is := errors.AsType[*cluster.InvalidError](err)
	if !is {
		return needed
	}
	for _, cause := range invalid.Causes {
		pattern, err := paths.Parse(cause.Field)
		if err != nil {
			continue
		}
		covered, _ := projection.Covered(omitted, paths.Patterns{pattern}, body)
		keys := paths.Filter(covered, paths.IsKeyField)
		if keys.Empty() {
			keys = covered
		}
		needed = needed.Union(keys)
	}
	return needed
}

const (
	// dryRunManager is the field manager of those dry-runs.
	dryRunManager = "k8sconnect" + cluster.DryRunSuffix
	// mostDryRuns bounds the dry-runs of one import: each that the server refuses names fields to keep.
	mostDryRuns = 12
	// dryRunTime bounds them, too: half of the time that a resource has for an import.
	dryRunTime = 30 * time.Second
)

// identity are the fields of every object.
var identity = metadata.Union(paths.NewSet(paths.FieldPath("apiVersion"), paths.FieldPath("kind")))

// ofOthers are fields of the metadata that no author of a manifest writes.
var ofOthers = paths.NewSet(paths.FieldPath("metadata", "finalizers"), paths.FieldPath("metadata", "ownerReferences"))

// withUnowned returns claims with a further one if no person or tool owns any of the object's content: a destroy has
// released it, or managedFields was cleared. That claim is an update of all fields that no manager owns. A dry-run of
// the object as it is shows them; if the server refuses it, they are not divided.
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
