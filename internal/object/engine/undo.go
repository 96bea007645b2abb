package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
)

// Undone is an object after an undo.
type Undone struct {
	Updated
	// Back are the fields to which the undo has given other values: Was is the value before the undo, Becomes the one
	// after it.
	Back []ownership.Change
	// Kept are the fields that others have written since the apply, or own beside us, with these others as Owners.
	// Becomes is [ownership.RemovedValue] for one that they have removed.
	Kept []ownership.Change
}

// undoAttempts is how often an undo reads the object again because others have written to it in between.
const undoAttempts = 5

// Undo applies the arguments of the work once more, to an object to which others have been applied since: before is the
// object before that apply, and applied the object after it. It takes no field from others: what they have written
// since the apply keeps its value. That costs a GET and a PATCH. If the object was deleted or created again, it returns
// a *cluster.Error with ReasonNotFound or ReasonConflict.
func (w Work) Undo(ctx context.Context, before, applied record.Prior) (undone Undone, err error) {
	manager := applied.Arguments.FieldManager
	for range undoAttempts {
		now := applied
		observed, err := record.Observe(ctx, w.API, manager, applied)
		if err == nil && observed.UID != applied.UID {
			err = &cluster.Error{Reason: cluster.ReasonConflict, Object: applied.Object, Message: fmt.Sprintf(
				"the object was deleted and created again since the apply: its uid was %s and is now %s",
				applied.UID, observed.UID)}
		}
		if err != nil {
			return undone, err
		}
		now.Snapshot, now.Shown, now.Live = observed.Snapshot, observed.Shown, observed.Live
		kept := writtenSince(before, applied, now)
		back := w
		back.Args = withoutTaking(w.Args, kept, now)
		undone.Updated, err = back.Update(ctx, now, ssa.Plan{Object: before.Object})
		if _, raced := errors.AsType[*ssa.ConflictsError](err); raced {
			continue
		}
		if err == nil {
			undone.describe(before, now, kept)
		}
		return undone, err
	}
	return undone, &cluster.Error{Reason: cluster.ReasonConflict, Object: applied.Object,
		Message: "others kept writing to the object"}
}

// withoutTaking returns arguments whose apply leaves alone what others have written.
func withoutTaking(args arguments.Arguments, kept *paths.Set, now record.Prior) arguments.Arguments {
	var fields []paths.Path
	paths.Each(kept, func(path paths.Path) { fields = append(fields, path.Copy()) })
	covered := paths.Covering(fields, now.Snapshot.Claims.Formatter(kept))
	args.Ignore = append(args.Ignore[:len(args.Ignore):len(args.Ignore)], covered...)
	args.OnConflict, args.OnAddition = arguments.Fail, arguments.Allow
	args.TakeOver, args.Remove, args.Lengths = nil, nil, nil
	return args
}

// writtenSince returns the outermost fields that others have written since an apply: those that the apply has set and
// that are not ours any more, and those that it has removed and that have come back with other values.
func writtenSince(before, applied, now record.Prior) *paths.Set {
	declared, own := paths.OrEmpty(applied.Snapshot.Fields.Declared), now.Snapshot.Claims.Own(manager(applied))
	taken := declared.Difference(own)
	last, live := projection.NewReader(before.LastBody()), projection.NewReader(now.Live)
	removed := before.DeclaredBefore().Leaves().Difference(declared)
	returned := paths.Filter(removed, func(path paths.Path) bool {
		value, presence := live.Lookup(path)
		was, _ := last.Lookup(path)
		return presence == projection.Present && projection.JSON(value) != projection.JSON(was)
	})
	return paths.Outermost(taken.Union(returned))
}

func manager(applied record.Prior) string { return applied.Arguments.FieldManager }

// describe says what an undo has done. now is the object before the undo, and kept what others have written to it.
func (u *Undone) describe(before, now record.Prior, kept *paths.Set) {
	claims, renderer := now.Snapshot.Claims, now.Snapshot.Renderer()
	fields := paths.OrEmpty(now.Snapshot.Fields.Declared).Leaves().Union(before.DeclaredBefore().Leaves()).Union(kept)
	names := renderer.Names(claims.Formatter(fields))
	was, is := renderer.State(now.Live, fields, names), renderer.State(u.Live, fields, names)
	told := map[string]bool{}
	paths.Walk(fields, func(path paths.Path, _ bool) {
		change := ownership.Change{Field: names.Format(path), Path: path.Copy()}
		change.Was, change.Becomes = was[change.Field], cmp.Or(is[change.Field], ownership.RemovedValue)
		switch others := u.Snapshot.Claims.Holders(path); {
		case paths.IsKeyField(path), told[change.Field]: // Fields that share the visible part of their path share a line.
			return
		case kept.Has(path):
			change.Owners = claims.Others(manager(now)).HoldersWithin(path)
			u.Kept = append(u.Kept, change)
		case paths.Touches(kept, path):
		case change.Was != change.Becomes:
			u.Back = append(u.Back, change)
		case !before.DeclaredBefore().Has(path) && len(others) > 0: // The apply has added it, and others have it, too.
			change.Owners = others
			u.Kept = append(u.Kept, change)
		}
		told[change.Field] = true
	})
}
