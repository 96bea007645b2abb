package prediction

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/additions"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// undeclared returns the fields that an import or an adoption has found on the object, that the body does not declare,
// and that keep their values and owners, sorted by path. A list item of which the body declares no part counts as one
// field. Later applies do not report these fields: the user has seen them once.
func (in Inputs) undeclared(after ownership.Claims, formatter *paths.Formatter) []ownership.Change {
	prior := in.Wanted.Prior
	if prior.Snapshot.AppliedState != "" || in.Wanted.IsPart {
		return nil
	}
	// An empty map or list of the body sets nothing if other managers own parts of it.
	in.Applied = in.Applied.Difference(record.OwnedInParts(projection.EmptyCollections(in.Body, in.Applied), after,
		in.Wanted.FieldManager))
	renderer := in.Wanted.LiveRenderer().Knowing(prior.Live)
	names, before := renderer.Names(formatter), prior.Snapshot.Renderer().Names(formatter)
	outcome, ignored := projection.NewReader(in.Final()), in.Wanted.Ignored()
	live := projection.NewReader(prior.Live)
	var changes []ownership.Change
	listed := map[string]bool{}
	paths.Walk(in.found().Leaves(), func(leaf paths.Path, _ bool) {
		path := in.outermostItem(leaf)
		isKey := paths.IsKeyField(leaf) && len(path) == len(leaf) // The item around it is declared.
		goes := paths.Touches(paths.OrEmpty(in.Removes), path)
		if isKey || goes || paths.Touches(in.Applied, path) || ignored.Match(leaf) {
			return
		}
		value, presence := outcome.Lookup(path)
		if presence != projection.Present {
			return
		}
		change := ownership.Change{
			Field: names.Format(path), What: ownership.Undeclared, Owners: after.HoldersWithin(path),
		}
		if len(path) == len(leaf) {
			change.Was = valueBefore(prior, live, before.Format(path), renderer, path)
			if !renderer.Hides(path, value) && change.Was != renderer.Text(path, value) {
				return // The apply changes it.
			}
		} else if len(renderer.RedactedPath(path)) == len(path) {
			change.Was = shownValue(path, value, renderer, prior.Snapshot.Renderer())
		}
		if !listed[change.Field] {
			listed[change.Field] = true
			changes = append(changes, change)
		}
	})
	return changes
}

// Final returns the object as the apply leaves it, without what the server drops by itself, if it was asked about that.
func (in Inputs) Final() map[string]any {
	if in.Tried != nil {
		return in.Tried
	}
	return in.Outcome()
}

// found returns the fields of an object without a first apply of ours that people wrote: those that an import wrote
// into the body, else what an adoption finds.
func (in Inputs) found() *paths.Set {
	if imported := paths.OrEmpty(in.Wanted.Prior.Snapshot.Fields.Declared); !imported.Empty() {
		return imported
	}
	claims := in.Wanted.Claims().Others(in.Wanted.FieldManager).OfPeople()
	applied := claims.Applied()
	return paths.Filter(claims.Fields(), func(path paths.Path) bool {
		return applied.Has(path) || in.isNoDefault(path)
	}).Difference(serverLabels)
}

// isNoDefault reports whether the server does not fill in a field by itself: parts of list items with keys of which the
// apply sets nothing, labels and annotations, and entries of maps such as data. A manager that updates owns the
// defaults of all other fields, too.
func (in Inputs) isNoDefault(path paths.Path) bool {
	if item := in.outermostItem(path); item[len(item)-1].Key != nil {
		return true
	}
	switch name := *path[0].FieldName; {
	case len(path) == 2:
		return name != "metadata" && name != "spec"
	case len(path) == 3:
		return name == "metadata" && path[2].FieldName != nil
	default:
		return false
	}
}

// serverLabels are labels and annotations that the server and tools write on each object for their own use.
var serverLabels = paths.NewSet(
	paths.FieldPath("metadata", "labels", corev1.LabelMetadataName),
	paths.FieldPath("metadata", "annotations", corev1.LastAppliedConfigAnnotation))

// outermostItem returns the outermost list item around a field of which the apply sets nothing; the field itself
// without one.
func (in Inputs) outermostItem(field paths.Path) paths.Path {
	for length, element := range field {
		if item := field[:length+1]; element.FieldName == nil && !paths.Touches(in.Applied, item) {
			return item.Copy()
		}
	}
	return field
}

// itemsAmongUndeclared returns the list items that the first apply to an object adds to lists with items that the body
// does not declare, sorted by path: a typing error in a key would add one. For later applies, these are the items that
// the last apply had added and that are gone: another client may have changed a key, which leaves the item there.
func (in Inputs) itemsAmongUndeclared() []ownership.Change {
	prior := in.Wanted.Prior
	if prior.Live == nil {
		return nil
	}
	isFirst, declared := prior.Snapshot.AppliedState == "", prior.DeclaredBefore()
	live := projection.NewReader(prior.Live)
	names := in.Wanted.LiveRenderer().Names(in.Wanted.Claims().Formatter(in.Applied))
	return NewItems(in.Applied, live, names, func(path paths.Path) bool {
		return !live.Has(path) && (isFirst || paths.Touches(declared, path)) &&
			in.hasUndeclaredItem(live, path[:len(path)-1])
	})
}

// hasUndeclaredItem reports whether a live list contains an item that stays and of which the apply sets no field.
func (in Inputs) hasUndeclaredItem(live *projection.Reader, path paths.Path) bool {
	value, _ := live.Lookup(path)
	list, _ := value.([]any)
	known := paths.PartsOf(in.Applied, path)
	return slices.ContainsFunc(projection.NameItems(list, known), func(element paths.PathElement) bool {
		goes := paths.Touches(paths.OrEmpty(in.Obstacles), paths.Below(path, element))
		return !goes && !paths.Has(known, element) && paths.Children(known, element) == nil
	})
}

// IsWrittenByOwn reports whether our field manager wrote something to the object since our last apply that neither that
// apply nor this one declares: other fields, or another value that no other manager owns.
func (in Inputs) IsWrittenByOwn(changes []ownership.Change) bool {
	snapshot, w := in.Wanted.Prior.Snapshot, in.Wanted
	if !snapshot.WrittenByOwn || w.PreviousManager() != w.FieldManager {
		return false
	}
	own := w.Claims().Own(w.FieldManager)
	return !own.Equals(paths.OrEmpty(snapshot.Fields.Declared)) && !own.Equals(in.Applied) ||
		slices.ContainsFunc(changes, func(c ownership.Change) bool { return c.What.IsConflict() && len(c.Owners) == 0 })
}

// Addition is a field that other managers have added to an object, as a plan reports it.
type Addition = additions.Named

// Reason is why an addition is not removed, one of these.
type Reason = additions.Reason

// The reasons, as package additions describes them.
const (
	OfController = additions.OfController
	PartLeft     = additions.PartLeft
	SecretKey    = additions.SecretKey
)

// additionsAfter returns the additions of other managers to the object after the apply, when its claims are after. The
// values are those that the last read recorded. An addition is returned without a value if the apply removes a part of
// it, and if it is a list item or a map that leaves the configuration but stays because other managers own it, too.
func additionsAfter(in Inputs, after ownership.Claims, names rendering.Formatter) []Addition {
	w := in.Wanted
	if w.IsPart {
		return nil
	}
	found := wanted.AdditionsBeside(w, after, in.Applied)
	values, removes := knownValues(w), in.removes()
	all := additions.Name(found, names, func(path paths.Path, field string) *string {
		if ownership.Holds(removes, path) {
			return nil
		}
		return values(path, field)
	})
	if w.Manifest.APIVersion != w.Prior.Object.APIVersion {
		// The claims are about the fields of the version in the state.
		all = slices.DeleteFunc(all, func(a Addition) bool { return w.Prior.Additions[a.Field].Owners == nil })
	}
	return all
}

// Additions returns the fields that other managers have added, by the last read, to an object that needs no apply.
func Additions(w wanted.Wanted) []Addition {
	renderer := w.LiveRenderer()
	return additions.Name(wanted.Additions(w), renderer.Names(w.Claims().Formatter()), knownValues(w))
}

// knownValues returns the values of fields that the last read has noted, in the state or in its snapshot. Both of
// Terraform's plans have them. No value is known if it was noted with other secret fields than the configuration has.
func knownValues(w wanted.Wanted) additions.Values {
	prior := w.Prior
	if !slices.Equal(paths.Texts(w.Sensitive), prior.Snapshot.Sensitive) {
		return func(paths.Path, string) *string { return nil }
	}
	return func(path paths.Path, field string) *string {
		if was, has := prior.Additions[field]; has {
			return was.Value
		}
		if was, has := prior.Snapshot.Candidates[paths.ID(path)]; has {
			return &was
		}
		if was, has := prior.ManagedState[field]; has {
			return &was
		}
		return nil
	}
}
