package obstacles

import (
	"errors"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// Apply is an apply to an existing object that the server refuses.
type Apply struct {
	Wanted wanted.Wanted
	// Rewrite is the rewrite of claims before the apply. Body is the body of the apply.
	Rewrite ownership.Rewrite
	Body    map[string]any
	// ClaimsBefore are the claims on the object when the apply is sent.
	ClaimsBefore ownership.Claims
}

// named returns the fields that tell how list items are identified if managedFields was reset: those of our last apply,
// and those that it left to other managers.
func (a Apply) named() *paths.Set {
	return a.Wanted.Prior.DeclaredBefore().Union(paths.OrEmpty(a.Wanted.Prior.Snapshot.Fields.Kept))
}

// takeOver returns what takeOverAny does; nil if one of the owners applies: while it is in use, it would claim the
// fields again.
func takeOver(owners []ownership.Holder, names []string) []string {
	if slices.ContainsFunc(owners, applies) {
		return nil
	}
	return takeOverAny(owners, names)
}

func applies(owner ownership.Holder) bool {
	return owner.Operation != metav1.ManagedFieldsOperationUpdate
}

// takeOverAny returns names, those of managers that are taken over, and the owners. It returns nil if names has all the
// owners, or if one of them cannot be taken over.
func takeOverAny(owners []ownership.Holder, names []string) []string {
	taking := ownership.Rewrite{TakeOver: slices.Clone(names)}
	for _, owner := range owners {
		if !taking.TakesOver(owner.Manager) {
			taking.TakeOver = append(taking.TakeOver, owner.Name)
		}
		if !taking.TakesOver(owner.Manager) {
			return nil
		}
	}
	if len(taking.TakeOver) == len(names) {
		return nil
	}
	isPrefix := func(name string) bool { return strings.HasSuffix(name, "*") } // No argument may have one.
	return slices.DeleteFunc(taking.TakeOver, isPrefix)
}

// TakeOverShared is takeOver for the managers that own obstacles among changes together with us.
func TakeOverShared(changes []ownership.Change, names []string) []string {
	var owners []ownership.Holder
	for _, change := range changes {
		if change.Why == ownership.Obstacle && change.Owned {
			owners = append(owners, change.Owners...)
		}
	}
	return takeOver(owners, names)
}

func ownersOf(fields []ownership.Change) []ownership.Holder {
	var owners []ownership.Holder
	for _, field := range fields {
		owners = append(owners, field.Owners...)
	}
	return owners
}

// Immutable returns the fields whose change the server refused by err, with their values. If err names a field
// with parts, such as the spec of a StatefulSet, these are the declared parts that differ from the object, or the field
// itself if none differs. For a field that the object does not have, they are the ones that the server may mean.
func (a Apply) Immutable(err error) []ownership.Change {
	var refusal *cluster.InvalidError
	if !errors.As(err, &refusal) {
		return nil
	}
	changed := prediction.ChangedFields(a.Wanted, a.Body)
	between := prediction.Between(a.Wanted, a.Body, paths.NewSet(changed...))
	fields := map[string]ownership.Change{}
	for _, cause := range refusal.Causes {
		below := refusals.Changed(cause, changed)
		if len(below) == 0 && !a.contains(cause.Field) {
			below = nearest(cause.Field, changed)
		}
		for _, path := range below {
			change := between(path)
			fields[change.Field] = change
		}
		if len(below) == 0 {
			fields[cause.Field] = ownership.Change{Field: cause.Field}
		}
	}
	sorted := make([]ownership.Change, 0, len(fields))
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		sorted = append(sorted, fields[name])
	}
	return sorted
}

// contains reports whether the body declares, or a manager owns, a field that a cause names.
func (a Apply) contains(field string) bool {
	names := refusals.NamesIn(field)
	return declares(a.Body, names) || !paths.Filter(a.ClaimsBefore.Fields(), func(path paths.Path) bool {
		return startsWith(refusals.NamesOf(path), names)
	}).Empty()
}

// nearest returns those of changed that the server may mean by a field that the object does not have: it names some as
// its own code does, nodeAffinity or spec.persistentvolumesource. They are the ones with this name, or else those in
// the innermost field around it that has any.
func nearest(field string, changed []paths.Path) []paths.Path {
	names := refusals.NamesIn(field)
	within := func(holds func(names []string) bool) []paths.Path {
		return slices.DeleteFunc(slices.Clone(changed), func(path paths.Path) bool {
			return !holds(refusals.NamesOf(path))
		})
	}
	found := within(func(of []string) bool { return slices.Contains(of, names[len(names)-1]) })
	for n := len(names) - 1; n > 0 && len(found) == 0; n-- {
		found = within(func(of []string) bool { return startsWith(of, names[:n]) })
	}
	return found
}
