package record

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/terminating"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/additions"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
)

// Observed is an object as it was read.
type Observed struct {
	Object manifest.Identity
	UID    string
	Shown
	Snapshot Snapshot
	// Live is the object itself.
	Live map[string]any
}

// Prior holds the data about an object in the state and in private state.
type Prior struct {
	Object manifest.Identity
	// UID is the uid in the state; "" if the state contains none.
	UID string
	Shown
	Snapshot Snapshot
	// Arguments are those of the last apply, or of the import.
	Arguments arguments.Arguments
	// Live is the object as this run has read it, for the messages of a plan; nil if this run has not read it.
	Live map[string]any
}

// PriorOf returns a live object as a Prior to which we have applied nothing.
func PriorOf(live *unstructured.Unstructured, o Observation) (Prior, error) {
	observed, err := Describe(live, o)
	return Prior{Object: o.ID, Shown: observed.Shown, Snapshot: observed.Snapshot, Live: observed.Live}, err
}

// former returns the uid of the object that our last apply, or the import, was for, if it is not uid; "" otherwise.
func (p Prior) former(uid string) string {
	if last := cmp.Or(p.Snapshot.Former, p.Snapshot.UID, p.UID); last != uid {
		return last
	}
	return ""
}

// Read returns the object of the snapshot: one GET. It returns a conflict if there is another one.
func (p Prior) Read(ctx context.Context, api cluster.Interface) (*unstructured.Unstructured, error) {
	live, err := cluster.Get(ctx, api, p.Object)
	if err == nil {
		err = p.CheckUID(live)
	}
	return live, err
}

// CheckUID returns a conflict if a live object is not the one of the snapshot.
func (p Prior) CheckUID(live *unstructured.Unstructured) error {
	uid := p.Snapshot.UID
	if string(live.GetUID()) == uid {
		return nil
	}
	return &cluster.Error{
		Reason: cluster.ReasonConflict,
		Object: p.Object,
		Message: fmt.Sprintf("the object was deleted and created again since the plan: its uid was %s and is now %s",
			uid, live.GetUID()),
	}
}

// LastBody returns the body in the state, without its write-only fields: the body of our last apply together with the
// fields that it left to other managers, or the body that an import wrote. It returns nil if the state contains none.
func (p Prior) LastBody() map[string]any {
	last, pins := p.Arguments.Manifest.Object, p.Snapshot.Pins
	if last == nil || p.Arguments.Patch != nil {
		return nil
	}
	if pins.IsEmpty() {
		return last
	}
	return p.DefaultKeys().Graft(last, pins.Values,
		projection.WithItemKeys(pins.Values, pins.Fields.Intersection(p.DeclaredBefore())))
}

// DefaultKeys returns the keys that list items of our last apply left to their defaults.
func (p Prior) DefaultKeys() projection.DefaultKeys {
	return projection.DefaultKeysOf(p.Arguments.Manifest.Object, p.DeclaredBefore())
}

// keysOfPins returns DefaultKeys if values in list items may be pinned; nil otherwise.
func (p Prior) keysOfPins() projection.DefaultKeys {
	if p.Snapshot.Pins.IsEmpty() && len(p.Arguments.Pin) == 0 {
		return nil
	}
	return p.DefaultKeys()
}

// IgnoredBefore returns the patterns of the fields that our last apply left to other managers.
func (p Prior) IgnoredBefore() paths.Patterns {
	return slices.Concat(p.Arguments.Ignore, PatternsFor(p.Object, paths.PatternsOf(p.Snapshot.IgnoredByManager)))
}

// SentBefore returns the part of a body that our last apply sent, without the fields that it left to other managers.
// known are the fields of the object.
func (p Prior) SentBefore(body map[string]any, known *paths.Set) map[string]any {
	return projection.SplitBody(body, p.IgnoredBefore(), known, p.DefaultKeys()).Body
}

// KeptFields returns the fields whose values have to outlive an apply: those that earlier applies kept and that we do
// not declare, and those that this one releases.
func (p Prior) KeptFields(rewrite ownership.Rewrite) *paths.Set {
	return paths.OrEmpty(p.Snapshot.Fields.Kept).Union(paths.OrEmpty(rewrite.Release))
}

// NonEmpty returns the fields that the claims hold, without the leaves that are empty maps or lists or have no
// value. This leaf does not show whether the map or list is atomic once it has content. A leaf with content
// does: it is atomic if no manager holds a part of it.
func (p Prior) NonEmpty(claims ownership.Claims, fieldManager string) *paths.Set {
	formatter := claims.Formatter()
	values := p.Snapshot.Values
	ours := paths.Filter(claims.Own(fieldManager).Leaves(), func(path paths.Path) bool {
		return projection.IsEmptyPrint(cmp.Or(p.ManagedState[formatter.Format(path)], values[paths.ID(path)]))
	})
	theirs := paths.Filter(claims.Others(fieldManager).Fields().Leaves(), func(path paths.Path) bool {
		return projection.IsEmptyPrint(values[paths.ID(path)])
	})
	return claims.Fields().Difference(ours).Difference(theirs)
}

// DeclaredBefore returns the fields that our last apply left with us; none if there was only an import.
func (p Prior) DeclaredBefore() *paths.Set {
	if p.Snapshot.AppliedState == "" {
		return paths.NewSet()
	}
	return paths.OrEmpty(p.Snapshot.Fields.Declared)
}

// FilledBefore returns DeclaredBefore without the fields that the manifest gave as empty maps or lists.
func (p Prior) FilledBefore() *paths.Set {
	return p.DeclaredBefore().Difference(paths.OrEmpty(p.Snapshot.Fields.Empty))
}

// WithValues returns the part of fields that had our value at the last read, and the part that had none although our
// claim holds it. A value that another client has set since our last apply is not ours, unless it is the same. If other
// managers had changed what we declare, that may be why a value was missing, and our apply takes it back: stale is
// empty.
func (p Prior) WithValues(fields *paths.Set, fieldManager string) (had, stale *paths.Set) {
	claims, renderer := p.Snapshot.Claims, p.Snapshot.Renderer()
	own := claims.Own(p.PreviousManager(fieldManager))
	names, last := renderer.Names(claims.Formatter(fields)), projection.NewReader(p.LastBody())
	had = paths.Filter(fields, func(path paths.Path) bool {
		_, shown := p.ManagedState[names.Format(path)]
		print, others := p.Snapshot.Values[paths.ID(path)]
		if own.Has(path) || !others {
			return shown || others
		}
		value, _ := last.Lookup(path)
		return print == renderer.Fingerprint(path, value)
	})
	if p.Snapshot.LiveState != p.Snapshot.AppliedState {
		return had, paths.NewSet()
	}
	return had, fields.Difference(had).Intersection(own)
}

// Recorded returns the prior with the owners that the last apply left, if the state shows the owners that
// its plan had promised instead.
func (p Prior) Recorded() Prior {
	if p.Snapshot.Unshown != nil {
		p.Owners = *p.Snapshot.Unshown
	}
	return p
}

// PlansAlike reports whether plans from p and from other are the same: p and other are equal except for the times of
// writes.
func (p Prior) PlansAlike(other Prior) bool {
	return sameView(p.Owners, other.Owners) && maps.Equal(p.ManagedState, other.ManagedState) &&
		maps.Equal(p.Snapshot.Values, other.Snapshot.Values) &&
		slices.EqualFunc(p.Snapshot.Claims, other.Snapshot.Claims, sameClaim)
}

func sameClaim(a, b ownership.Claim) bool { return a.Manager == b.Manager && a.Fields.Equals(b.Fields) }

func sameView(a, b ownership.View) bool {
	return maps.Equal(a.FieldOwnership, b.FieldOwnership) && maps.EqualFunc(a.CoOwners, b.CoOwners, slices.Equal)
}

// Unshown returns the actual owners of an object if the state shows other owners; nil if it shows these.
func Unshown(shown, actual ownership.View) *ownership.View {
	if sameView(shown, actual) {
		return nil
	}
	return &actual
}

// PreviousManager returns the field manager of our last apply. An import applied nothing: what its field manager owns
// may be another configuration's.
func (p Prior) PreviousManager(fieldManager string) string {
	if p.Snapshot.AppliedState == "" {
		return fieldManager
	}
	return p.Arguments.FieldManager
}

// Locate returns the identity of a manifest whose object exists. If the manifest names no namespace, the object
// stays in its own, unless the connection itself names another one. The context of a kubeconfig does not count,
// because its user changes it. The namespace of an unserved kind, whose scope is unknown, stays too.
func (p Prior) Locate(ctx context.Context, api cluster.Interface, m manifest.Manifest) (manifest.Identity, error) {
	id, err := cluster.Locate(ctx, api, m.Identity)
	stays := m.Namespace == "" && p.Object.Namespace != "" && api.NamespaceSource() != cluster.NamespaceConfigured
	switch {
	case cluster.ReasonOf(err) == cluster.ReasonKindNotServed,
		cluster.ReasonOf(err) == cluster.ReasonAPIUnavailable:
		if m.Namespace == "" || p.Object.Namespace == "" {
			id.Namespace = p.Object.Namespace
		}
		return id, nil
	case err == nil && stays && id.Namespace != "":
		id.Namespace = p.Object.Namespace
	}
	return id, err
}

// Shown are the computed attributes that describe the fields of an object.
type Shown struct {
	// Owners are the managers of each field.
	Owners ownership.View
	// ManagedState are the values of the fields that we declare, by field.
	ManagedState map[string]string
	// Pinned are the values that pin_fields holds, by field.
	Pinned map[string]string
	// Added are the outermost fields of ours that had no value before we applied them, as sorted strings.
	Added []string
	// Unwanted are the values of the fields that are to be removed, by field.
	Unwanted map[string]string
	// Additions are the fields that other managers have added to an object that we apply as a whole; nil without any.
	Additions additions.ByField
}

// Reread returns the prior with the object as it is now, for a plan whose refresh did not get to the object: one GET.
// If the object is gone, or if its name belongs to another object now, cluster.IsGone is true for the error.
func (p Prior) Reread(ctx context.Context, api cluster.Interface, fieldManager string) (Prior, error) {
	observed, err := Observe(ctx, api, fieldManager, p)
	if err != nil {
		return p, err
	}
	if observed.UID != p.Snapshot.UID {
		return p, &cluster.Error{
			Reason: cluster.ReasonNotFound, Object: p.Object,
			Message: "another object has its name now: the uid was " + p.Snapshot.UID + " and is " + observed.UID,
		}
	}
	p.Shown, p.Snapshot, p.Live = observed.Shown, observed.Snapshot, observed.Live
	return p, nil
}

// Sameness reports whether two connections lead to the same object.
type Sameness string

// The results of Identical.
const (
	SameObject    Sameness = "SameObject"
	AnotherObject Sameness = "AnotherObject"
)

// Identical reports whether cluster has the object of prior: one GET. If the object is missing or has
// another uid, the connection leads to another object, on another cluster.
func Identical(ctx context.Context, api cluster.Interface, prior Prior) (Sameness, error) {
	live, err := cluster.Get(ctx, api, prior.Object)
	switch {
	case cluster.IsGone(err):
		return AnotherObject, nil
	case err != nil:
		return "", err
	case string(live.GetUID()) == prior.Snapshot.UID:
		return SameObject, nil
	default:
		return AnotherObject, nil
	}
}

// InVersion returns the prior of the same object in the API version of id, and false if id names another object. In the
// same group, it is the same object. In another group, the uid decides. InVersion costs a GET, which also reads the
// live object as the messages of a plan show it. The snapshot is not read again: predictions must not depend on later
// writes of other managers, and fields that both versions contain have the same paths. The dry-run shows the others.
func (p Prior) InVersion(ctx context.Context, api cluster.Interface, id manifest.Identity) (Prior, bool, error) {
	if !id.DiffersInVersion(p.Object) {
		return p, false, nil
	}
	live, err := api.Get(ctx, id)
	isGone := cluster.IsGone(err) || cluster.ReasonOf(err) == cluster.ReasonKindNotServed && p.IsInGroup(id)
	switch {
	case err == nil && string(live.GetUID()) == p.Snapshot.UID:
		p.Live = live.Object
	case err != nil && !isGone:
		return p, false, err
	case !p.IsInGroup(id):
		return p, false, nil
	default:
		p.Live = nil // The dry-run shows what is wrong, if the run does not change the definition.
	}
	return p.As(id), true, nil
}

// IsInGroup reports whether id names the same object in another version of the same group.
func (p Prior) IsInGroup(id manifest.Identity) bool {
	return id.DiffersInVersion(p.Object) && id.Group() == p.Object.Group()
}

// As returns the prior of the same object under another identity.
func (p Prior) As(id manifest.Identity) Prior {
	p.Object, p.Snapshot.Object = id, id
	return p
}

// Leaving returns the refusal of a create that has to wait until a live object of its name is gone; nil for an object
// that is not being deleted. It sends what [terminating.Of] sends.
func Leaving(ctx context.Context, api cluster.Interface, id manifest.Identity, live *unstructured.Unstructured) error {
	if live.GetDeletionTimestamp() == nil {
		return nil
	}
	ending := terminating.Of(ctx, api, live)
	return &cluster.Error{
		Reason: cluster.ReasonNotYetAdmitted, Object: id, Message: "an object of this name is being deleted",
		Details: &cluster.NotYetAdmittedError{Awaited: id.String(), Problem: "is being deleted", Ending: &ending},
	}
}

// Ending returns what the object reports about its end, and false unless another client has deleted it. It sends what
// [terminating.Of] sends.
func (o Observed) Ending(ctx context.Context, api cluster.Interface) (cluster.Ending, bool) {
	live := &unstructured.Unstructured{Object: o.Live}
	if live.GetDeletionTimestamp() == nil {
		return cluster.Ending{}, false
	}
	return terminating.Of(ctx, api, live), true
}
