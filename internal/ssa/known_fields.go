package ssa

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
)

// knownFields are the fields that a snapshot remembers beside the claims. A nil set is empty.
type knownFields struct {
	// declared are the fields that we owned after our last apply, empty those of them that the manifest gives
	// as empty maps or lists.
	declared, empty *paths.Set
	// kept are the fields that our applies left to others or released.
	kept *paths.Set
}

// each returns the fields after change, which gets no nil set.
func (k knownFields) each(change func(*paths.Set) *paths.Set) knownFields {
	k.declared, k.empty, k.kept = change(some(k.declared)), change(some(k.empty)), change(some(k.kept))
	return k
}

func some(fields *paths.Set) *paths.Set {
	if fields == nil {
		return paths.NewSet()
	}
	return fields
}

// in returns the fields as a live object has them: with its list items instead of their digests, and without what
// was kept and has no value any more.
func (k knownFields) in(live map[string]any, renderer projection.Renderer) knownFields {
	k = k.each(func(fields *paths.Set) *paths.Set { return renderer.UnmaskSet(fields, live) })
	k.kept = present(live, k.kept)
	return k
}

// fields returns the fields that the snapshot remembers.
func (s Snapshot) fields() (knownFields, error) {
	var k knownFields
	var err error
	if k.declared, err = s.declared(); err != nil {
		return k, err
	}
	if k.empty, err = s.emptyFields(); err != nil {
		return k, err
	}
	k.kept, err = s.kept()
	return k, err
}

func (s *Snapshot) setFields(k knownFields) error {
	var err error
	if s.Declared, err = paths.MarshalSet(k.declared); err != nil {
		return err
	}
	if s.EmptyFields, err = marshalSome(k.empty); err != nil {
		return err
	}
	s.Kept, err = marshalSome(k.kept)
	return err
}

// emptyIn returns the leaves of fields that object gives as a map or list without content.
func emptyIn(object map[string]any, fields *paths.Set) *paths.Set {
	empty := paths.NewSet()
	projection.Walk(object, fields, func(field projection.Field) {
		if field.Leaf && isEmpty(field.Value) {
			empty.Insert(field.Path)
		}
	})
	return empty
}

// withoutEmpty returns those of empty, the fields that a manifest gives as empty maps or lists, that have no value
// to show. Such a field declares nothing of what is in it: what others put there is theirs, and the server
// may drop the field. One that others took as a whole is atomic, and shows what they put there.
func withoutEmpty(empty *paths.Set, claims ownership.Claims, fieldManager string) *paths.Set {
	if empty.Empty() {
		return empty
	}
	own, others := claims.Own(fieldManager), claims.Others(fieldManager).Fields()
	return sift(empty, func(path paths.Path) bool {
		return own.Has(path) || !others.Has(path) || ownership.HasParts(others, path)
	})
}

// heldInParts returns those of empty in which others own parts. Whether we own such a field ourselves says nothing:
// the first part that somebody puts into a map which the server had dropped takes the map from us.
func heldInParts(empty *paths.Set, claims ownership.Claims, fieldManager string) *paths.Set {
	if empty.Empty() {
		return empty
	}
	others := claims.Others(fieldManager).Fields()
	return sift(empty, func(path paths.Path) bool { return ownership.HasParts(others, path) })
}

// sift returns the members of fields that keep says to keep.
func sift(fields *paths.Set, keep func(paths.Path) bool) *paths.Set {
	sifted := paths.NewSet()
	paths.Walk(fields, func(path paths.Path, _ bool) {
		if keep(path) {
			sifted.Insert(path)
		}
	})
	return sifted
}

// keptBy returns the fields that an apply left to others or released, together with those that the applies
// before it did, without what we declare. answered are the claims in the answer of the apply.
func (i Intent) keptBy(answered ownership.Claims, before Snapshot, declared *paths.Set) (*paths.Set, error) {
	fields, err := before.fields()
	if err != nil {
		return nil, err
	}
	held := answered.Fields().Union(fields.declared).Union(fields.kept)
	ignored, _ := projection.Covered(held, i.ignored(), i.Manifest.Object)
	return fields.kept.Union(ignored).Difference(declared), nil
}
