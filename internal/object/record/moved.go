package record

import (
	"context"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
)

// defaultNamespace is where resources of other providers look for namespaced objects whose namespace they do not name.
const defaultNamespace = "default"

// IsMoved reports whether the state comes from another resource, and no request has read the object since.
func (p Prior) IsMoved() bool { return p.Snapshot.Moved && !p.Snapshot.Known() }

// LocateMoved returns the identity of the object of a state that comes from another resource.
func LocateMoved(ctx context.Context, api cluster.Interface, object manifest.Identity) (manifest.Identity, error) {
	id, err := cluster.LocateExisting(ctx, api, object)
	if err == nil && object.Namespace == "" && id.Namespace != "" {
		id.Namespace = defaultNamespace
	}
	return id, err
}

// observeMoved reads an object whose state comes from another resource: one GET.
func observeMoved(ctx context.Context, api cluster.Interface, fieldManager string, prior Prior) (Observed, error) {
	id, err := LocateMoved(ctx, api, prior.Object)
	if err != nil {
		return Observed{}, err
	}
	live, err := cluster.Get(ctx, api, id)
	if err != nil {
		return Observed{}, err
	}
	return DescribeMoved(live, id, fieldManager, prior)
}

// DescribeMoved returns an object whose state comes from another resource. Fields that fieldManager owns count as
// applied by us. Those that the body of a part declares count as added, unless another manager owns a part of them. If
// fieldManager has applied nothing to a whole object, the source wrote by update: nothing counts as applied, as after
// an import.
func DescribeMoved(
	live *unstructured.Unstructured, id manifest.Identity, fieldManager string, prior Prior,
) (Observed, error) {
	claims, err := ClaimsOf(id, live)
	if err != nil {
		return Observed{}, err
	}
	own := AsData(id, claims.Own(fieldManager))
	carried := prior.Snapshot
	carried.AppliedState, carried.Sensitive = lostState, paths.Texts(prior.Arguments.Sensitive)
	fields := KnownFields{Declared: own}
	switch {
	case prior.Arguments.IsPart:
		fields.Added = prior.brought(live.Object, own, claims.Others(fieldManager))
	case own.Empty():
		carried.AppliedState = ""
		fields.Declared = prior.declared(live.Object, AsData(id, claims.Fields()))
	default:
		fields.Empty = projection.EmptyCollections(prior.LastBody(), own)
	}
	observed, err := Describe(live, Observation{
		ID: id, FieldManager: fieldManager, Fields: fields, Carried: carried, IsPart: prior.Arguments.IsPart,
	})
	observed.Snapshot.Moved, observed.Snapshot.MovedFrom = true, prior.Snapshot.MovedFrom
	if !own.Empty() && prior.isLive(live.Object, own) {
		observed.Snapshot.AppliedState = observed.Snapshot.LiveState
	}
	return observed, err
}

// brought returns the fields of own that the body in the state contains, without those of which another manager, or no
// manager, owns a part.
func (p Prior) brought(live map[string]any, own *paths.Set, others ownership.Claims) *paths.Set {
	foreign := others.Fields().Union(projection.Unowned(live, others.Fields().Union(own).Union(fixedFields(p.Object))))
	return paths.Filter(projection.WithValues(p.LastBody(), own), func(path paths.Path) bool {
		return !paths.Touches(foreign, path)
	})
}

// isLive reports whether the fields of own have the values in a live object that the body in the state gives.
func (p Prior) isLive(live map[string]any, own *paths.Set) bool {
	held := manifest.Identified(projection.Extract(live,
		projection.WithItemKeys(live, projection.WithValues(live, own))), p.Object)
	if !p.Arguments.IsPart {
		sent := manifest.Identified(p.SentBefore(p.LastBody(), own), p.Object)
		return manifest.Equal(manifest.Manifest{Object: held}, manifest.Manifest{Object: sent})
	}
	text, err := manifest.Canonical(held)
	return err == nil && text == p.Arguments.Manifest.Text
}

// declared returns those of the fields of a live object to which the body in the state gives a value other than an
// empty map or list.
func (p Prior) declared(live map[string]any, fields *paths.Set) *paths.Set {
	body := p.SentBefore(p.LastBody(), fields)
	has := projection.WithValues(live, projection.WithValues(body, fields.Leaves()))
	return has.Difference(projection.EmptyCollections(body, has))
}

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
			rewrite.TakeAs = ownership.Applier(successor, claim.APIVersion)
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
