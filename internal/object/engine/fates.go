package engine

import (
	"encoding/json"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// NotRead stands for the value of a field that the run has not read.
const NotRead = "(not read)"

// FatesOf returns what happens to each field of a part when the part is taken back, and to the fields that are removed
// with them, sorted by path: fields are removed, restored, or left with their values. A field that no manager owns and
// no attribute shows is unclaimed, with its value or [NotRead]. releases is true if every value stays.
func FatesOf(prior record.Prior, releases bool) []ownership.Change {
	snapshot, w := prior.Snapshot, wanted.For(prior.Arguments, prior)
	own, others := snapshot.Claims.Own(w.FieldManager), snapshot.Claims.Others(w.FieldManager).Fields()
	forgotten, ours := wanted.ForgottenPart(prior), paths.NewSet()
	gone, obstacles := paths.NewSet(), paths.NewSet()
	if !releases {
		still := forgotten
		if prior.Live != nil {
			still = wanted.StillForgotten(w, forgotten, prior.Live, snapshot.Claims)
		}
		ours = paths.Filter(own, func(path paths.Path) bool { return !ownership.Holds(others, path) }).Union(still)
		gone = wanted.Withdrawn(ours, snapshot.Fields.Added)
		known := snapshot.Claims.Fields().Union(paths.OrEmpty(snapshot.Fields.Unowned))
		obstacles = wanted.Restorable(snapshot.Obstacles, func(path paths.Path) bool {
			return paths.Touches(known, path) && !wanted.Inside(gone, path)
		})
	}
	names := snapshot.Renderer().Names(snapshot.Claims.Formatter(own, gone, obstacles,
		paths.OrEmpty(snapshot.Fields.Unowned)))
	with := paths.Filter(paths.OrEmpty(snapshot.Fields.Unowned).Leaves(), func(path paths.Path) bool {
		return wanted.Inside(gone, path)
	}).Difference(own.Union(forgotten))
	var fates []ownership.Change
	paths.Walk(own.Union(forgotten).Leaves().Union(with).Union(obstacles), func(path paths.Path, _ bool) {
		fate := ownership.Change{Field: names.Format(path), Path: path.Copy(), What: ownership.Leaving}
		switch {
		// A key only names its list item, and is removed or stays with it.
		case paths.IsKeyField(path):
			return
		case obstacles.Has(path):
			value, _ := projection.Lookup(snapshot.Obstacles.Values, path)
			fate.What, fate.Becomes = ownership.Restoring, projection.JSON(value)
		case with.Has(path):
			fate.What, fate.Was = ownership.Unclaimed, valueWith(w, path)
		case wanted.Inside(gone, path):
			fate.What = ownership.Removing
		case ours.Has(path):
			if fate.Becomes = asWritten(snapshot.Before[paths.ID(path)]); fate.Becomes != "" {
				fate.What = ownership.Restoring
			}
		}
		fates = append(fates, fate)
	})
	return fates
}

// valueWith returns the live value of a field that no manager owns.
func valueWith(w wanted.Wanted, path paths.Path) string {
	value, presence := projection.Lookup(w.Prior.Live, path)
	if presence != projection.Present {
		return NotRead
	}
	return w.LiveRenderer().Knowing(w.Prior.Live).Text(path, value)
}

// asWritten returns a value from before as people write it, "" without one: "<" may be stored as "\u003c".
func asWritten(stored json.RawMessage) string {
	var value any
	if len(stored) == 0 {
		return ""
	}
	if err := utiljson.Unmarshal(stored, &value); err != nil {
		return string(stored)
	}
	return projection.JSON(value)
}

// leftToOthers returns the fields that the plan of a destroy removes or restores, by the snapshot of prior, and that
// other managers own on the object as the destroy has left it. It returns nil if the owners cannot be read.
func leftToOthers(prior record.Prior, live *unstructured.Unstructured) []ownership.Change {
	claims, err := record.ClaimsOf(prior.Object, live)
	if patch := prior.Arguments.Patch; patch != nil {
		claims, err = record.ClaimsOnPatched(prior.Object, live, prior.Arguments.FieldManager, *patch, nil)
	}
	if err != nil {
		return nil
	}
	var left []ownership.Change
	for _, fate := range FatesOf(prior.Unmasked(live.Object), false) {
		fate.Owners = claims.Others(prior.Arguments.FieldManager).HoldersWithin(fate.Path)
		if fate.What != ownership.Leaving && len(fate.Owners) > 0 {
			left = append(left, fate)
		}
	}
	return left
}

// notTakenBack returns the fields that the plan of a destroy removes or restores, by the snapshot of prior, without
// those that have their earlier value in live, the object as the refused destroy has left it; nil if it is not known.
func notTakenBack(prior record.Prior, live *unstructured.Unstructured) []ownership.Change {
	return slices.DeleteFunc(FatesOf(prior, false), func(fate ownership.Change) bool {
		if fate.What != ownership.Restoring || live == nil {
			return fate.What == ownership.Leaving
		}
		value, presence := projection.Lookup(live.Object, fate.Path)
		return presence == projection.Present && projection.JSON(value) == fate.Becomes
	})
}

// OwnedFields returns how many fields the object of prior has that the resource owns.
func OwnedFields(prior record.Prior) int {
	claims, manager := prior.Snapshot.Claims, prior.Arguments.FieldManager
	return ownership.CountOf(claims.Own(manager).Union(claims.Updated(manager)))
}
