package registry

import (
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Share is what one resource of a run applies to an object that several resources may apply to.
type Share struct {
	FieldManager string
	// IsPart is true if the resource applies part of an object that it did not create.
	IsPart bool
	// Fields are the paths of the fields that it applies.
	Fields []string
}

// SharedError reports that two resources of a run apply the same fields to an object, or apply to it under the same
// field manager.
type SharedError struct {
	Object manifest.Identity
	// This is the resource that was planned last, Other the one before.
	This, Other Share
	// Fields are the paths of the fields that both apply, sorted. The list is empty if only the names are equal.
	Fields []string
}

func (e *SharedError) Error() string {
	return e.Object.String() + ": two resources apply " + strings.Join(e.Fields, ", ")
}

// Share notes what a resource applies to the object with this uid. It returns a *SharedError if two resources apply the
// same field or share a field manager, and at least one of them applies a part.
func (r *Run) Share(id manifest.Identity, uid string, share Share) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if uid == "" {
		return nil // The uid is not known.
	}
	for _, other := range r.shares[uid] {
		if !other.IsPart && !share.IsPart {
			continue
		}
		common := commonFields(share.Fields, other.Fields)
		if len(common) > 0 || other.FieldManager == share.FieldManager {
			return &SharedError{Object: id, This: share, Other: other, Fields: common}
		}
	}
	if r.shares == nil {
		r.shares = map[string][]Share{}
	}
	r.shares[uid] = append(r.shares[uid], share)
	return nil
}

// commonFields returns the fields of some that are in the other list, are part of a field there, or have a part there,
// sorted.
func commonFields(some, others []string) []string {
	var common []string
	for _, one := range some {
		if slices.ContainsFunc(others, func(other string) bool { return isWithin(one, other) || isWithin(other, one) }) {
			common = append(common, one)
		}
	}
	slices.Sort(common)
	return common
}

// isWithin reports whether a field is another one, or a part of it.
func isWithin(field, whole string) bool {
	rest, is := strings.CutPrefix(field, whole)
	return is && (rest == "" || rest[0] == '.' || rest[0] == '[')
}
