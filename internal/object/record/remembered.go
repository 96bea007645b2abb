package record

import (
	"maps"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// KnownFields are the fields that a snapshot remembers in addition to the claims. A nil set is empty.
type KnownFields struct {
	// Declared are the fields that we owned after our last apply, Empty those of them that the manifest gives
	// as empty maps or lists.
	Declared, Empty *paths.Set
	// Kept are the fields that our applies left to other managers or released.
	Kept *paths.Set
	// Added are the fields of ours that had no value before we applied them, and Unowned the outermost fields that have
	// a value and no owner. Hollow are the maps and lists of others, or of nobody, that have no part of their owner:
	// parts that are added to them did not exist. These are known only where we apply part of an object.
	Added, Unowned, Hollow *paths.Set
	// Unwanted are the outermost fields of other managers that are to be removed; see the function Unwanted.
	Unwanted *paths.Set
	// Filled are fields of other managers that no client has written: the API server has filled them in.
	Filled *paths.Set
}

// each returns the fields with change applied to each set. change never gets a nil set.
func (k KnownFields) each(change func(*paths.Set) *paths.Set) KnownFields {
	k.Declared, k.Empty, k.Kept = change(
		paths.OrEmpty(k.Declared)), change(paths.OrEmpty(k.Empty)), change(paths.OrEmpty(k.Kept))
	k.Added, k.Unowned, k.Hollow = change(
		paths.OrEmpty(k.Added)), change(paths.OrEmpty(k.Unowned)), change(paths.OrEmpty(k.Hollow))
	k.Unwanted, k.Filled = change(paths.OrEmpty(k.Unwanted)), change(paths.OrEmpty(k.Filled))
	return k
}

// in returns the fields as they are in a live object: with its list items instead of their digests, and without kept
// fields that have no value any more.
func (k KnownFields) in(live map[string]any, renderer rendering.Renderer) KnownFields {
	k = k.each(func(fields *paths.Set) *paths.Set { return renderer.UnmaskSet(fields, live) })
	k.Kept = projection.WithValues(live, k.Kept)
	return k
}

// withoutEmpty returns the fields of empty that have no value to show. empty are the fields that a manifest gives
// as empty maps or lists. They declare nothing of their content: other managers own what they put there, and the
// server may drop the field. A field that other managers took as a whole is atomic, and shows what they put there.
func withoutEmpty(empty *paths.Set, claims ownership.Claims, fieldManager string) *paths.Set {
	if empty == nil || empty.Empty() {
		return paths.NewSet()
	}
	own, others := claims.Own(fieldManager), claims.Others(fieldManager).Fields()
	return paths.Filter(empty, func(path paths.Path) bool {
		return own.Has(path) || !others.Has(path) || ownership.HasParts(others, path)
	})
}

// OwnedInParts returns the fields of empty of which other managers own parts, whether we own the field itself or not:
// if the server has dropped a map, the first part that another client puts into it takes the map from us.
func OwnedInParts(empty *paths.Set, claims ownership.Claims, fieldManager string) *paths.Set {
	if empty == nil || empty.Empty() {
		return paths.NewSet()
	}
	others := claims.Others(fieldManager).Fields()
	return paths.Filter(empty, func(path paths.Path) bool { return ownership.HasParts(others, path) })
}

// Refilled are the fingerprints of values that the API server has put back after an apply removed them, by paths.ID:
// defaults, for instance. To remove them again changes nothing.
type Refilled map[string]string

// Without returns fields without those that have in live the value that the API server puts back.
func (r Refilled) Without(fields *paths.Set, live map[string]any, renderer rendering.Renderer) *paths.Set {
	if len(r) == 0 {
		return fields
	}
	object := projection.NewReader(live)
	return paths.Filter(fields, func(path paths.Path) bool {
		value, _ := object.Lookup(path)
		return r[maskedID(path, renderer)] != renderer.Fingerprint(path, value)
	})
}

// With returns r with the values that fields have in live. r is not mutated.
func (r Refilled) With(fields *paths.Set, live map[string]any, renderer rendering.Renderer) Refilled {
	if fields.Empty() {
		return r
	}
	more, object := Refilled{}, projection.NewReader(live)
	maps.Copy(more, r)
	paths.Walk(fields, func(path paths.Path, _ bool) {
		value, _ := object.Lookup(path)
		more[maskedID(path, renderer)] = renderer.Fingerprint(path, value)
	})
	return more
}

// of returns those of r that are about fields.
func (r Refilled) of(fields *paths.Set, renderer rendering.Renderer) Refilled {
	var known Refilled
	paths.Walk(fields, func(path paths.Path, _ bool) {
		id := maskedID(path, renderer)
		if print, has := r[id]; has {
			if known == nil {
				known = Refilled{}
			}
			known[id] = print
		}
	})
	return known
}

func maskedID(path paths.Path, renderer rendering.Renderer) string {
	return paths.ID(renderer.MaskPath(path))
}

// RepeatedConflicts counts how often in a row our applies took the same field back from the same manager.
type RepeatedConflicts map[string]int

func (o Opponent) key() string { return o.Field + " " + o.Manager }

// With returns the highest of the counts of conflicts about a field with each of these managers; 0 if none is recorded.
func (f RepeatedConflicts) With(field string, managers []ownership.Holder) int {
	most := 0
	for _, manager := range managers {
		most = max(most, f[Opponent{field, manager.String()}.key()])
	}
	return most
}

// Opponent is a manager from which an apply took a field back.
type Opponent struct {
	Field string
	// Manager is written as the API server's conflicts write it.
	Manager string
}

// Next returns the count after an apply that took fields back from opponents. All other counts end.
func (f RepeatedConflicts) Next(opponents []Opponent) RepeatedConflicts {
	next := RepeatedConflicts{}
	for _, o := range opponents {
		next[o.key()] = f[o.key()] + 1
	}
	return next
}

// ServerFields returns what the server and controllers write into an object by themselves with any change: the status,
// the fields of metadata that no one else may write, and the annotation in which the server counts the templates of a
// DaemonSet. For a resource that manages the status, the status is not among them.
func ServerFields(id manifest.Identity) *paths.Set {
	fields := paths.NewSet()
	if id.Subresource != manifest.Status {
		fields.Insert(paths.FieldPath(manifest.Status))
	}
	for _, name := range manifest.ServerMetadata() {
		fields.Insert(paths.FieldPath("metadata", name))
	}
	if id.Group() == appsv1.GroupName && id.Kind == "DaemonSet" {
		fields.Insert(paths.FieldPath("metadata", "annotations", appsv1.DeprecatedTemplateGeneration))
	}
	return fields
}
