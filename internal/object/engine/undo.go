package engine

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
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
	// Kept are the fields that other managers have written since the apply, or own together with us, with these
	// managers as Owners. Becomes is [ownership.RemovedValue] for one that they have removed.
	Kept []ownership.Change
}

// Undo goes back from an apply to an object: before is the object that it has found, with Live, and applied the object
// that it has left. Undo applies the arguments of the work again, which are those of before. It takes no field from
// other managers: fields that they have written since the apply keep their values. A field that the apply has taken
// from them gets its former value back, and has no owner then. Undo costs a GET and a PATCH, and another PATCH for
// taken fields. If the object was deleted or created again, Undo returns a *cluster.Error with ReasonNotFound or
// ReasonConflict.
func (w Work) Undo(ctx context.Context, before, applied record.Prior) (undone Undone, err error) {
	// The snapshots have digests instead of secret list items. Only live objects tell which items those are.
	before = before.Seen(before.Live)
	applied = applied.Unmasked(before.Live).Seen(applied.Live)
	if w.Args, err = withPins(w.Args, before); err != nil {
		return undone, err
	}
	// The second attempt forces: the remaining conflicts are about fields whose value it does not change, an empty map
	// for instance, and the obstacles exist since the apply.
	for w.Args.OnConflict = arguments.Fail; ; w.Args.OnConflict = arguments.Force {
		now, err := nowOf(ctx, w.API, applied)
		if err != nil {
			return undone, err
		}
		kept := writtenSince(before, applied, now)
		undone.Updated, err = w.back(ctx, before, now, kept)
		reason := cluster.ReasonOf(err)
		isRefused := reason == cluster.ReasonFieldManagerConflict || reason == cluster.ReasonInvalid
		if isRefused && w.Args.OnConflict == arguments.Fail {
			continue
		}
		if err == nil {
			undone.describe(before, now, kept)
		}
		return undone, err
	}
}

// withPins returns arguments with the values that pins held on the object before.
func withPins(args arguments.Arguments, before record.Prior) (arguments.Arguments, error) {
	pins := before.Snapshot.Pins
	args.Pin = nil
	if pins.IsEmpty() {
		return args, nil
	}
	held := projection.WithValues(before.Live, pins.Fields.Intersection(before.DeclaredBefore()))
	fields := projection.WithItemKeys(pins.Values, held)
	var err error
	args.Manifest, err = manifest.Of(projection.Graft(args.Manifest.Object, pins.Values, fields))
	return args, err
}

// nowOf reads an object after an apply.
func nowOf(ctx context.Context, api cluster.Interface, applied record.Prior) (record.Prior, error) {
	observed, err := record.Observe(ctx, api, manager(applied), applied)
	if err == nil && observed.UID != applied.UID {
		err = &cluster.Error{Reason: cluster.ReasonConflict, Object: applied.Object, Message: fmt.Sprintf(
			"the object was deleted and created again since the apply: its uid was %s and is now %s",
			applied.UID, observed.UID)}
	}
	return priorOf(observed, applied.Arguments), err
}

func priorOf(observed record.Observed, args arguments.Arguments) record.Prior {
	prior := record.Prior{
		Object: observed.Object, UID: observed.UID, Shown: observed.Shown, Snapshot: observed.Snapshot, Arguments: args,
	}
	return prior.Seen(observed.Live)
}

// back applies the arguments of the work to an object, but for the fields in kept.
func (w Work) back(ctx context.Context, before, now record.Prior, kept *paths.Set) (updated Updated, err error) {
	to, taken := ssa.Plan{Object: before.Object}, takenBy(before, now, kept)
	args := withoutTaking(w.Args, kept, now)
	if !sameValues(taken, before.Live, now.Live) {
		given := w
		given.Args = args
		covers := func(pattern paths.Pattern) bool { return !paths.Filter(taken, pattern.Match).Empty() }
		given.Args.Ignore = slices.DeleteFunc(slices.Clone(args.Ignore), covers)
		// What else these patterns cover stays with its owners.
		covering := slices.DeleteFunc(slices.Clone(args.Ignore), func(p paths.Pattern) bool { return !covers(p) })
		known := now.Snapshot.Claims.Fields()
		sent := projection.SplitBody(args.Manifest.Object, covering, known, now.DefaultKeys()).Body
		given.Args.Manifest, err = manifest.Of(projection.Graft(sent, before.Live,
			projection.WithItemKeys(before.Live, taken)))
		if err == nil {
			updated, err = given.Update(ctx, now, to)
		}
		if err != nil {
			return updated, err
		}
		now = priorOf(updated.Observed, given.Args)
	}
	w.Args = withoutTaking(args, taken, now)
	return w.Update(ctx, now, to)
}

// bytesOf returns the bytes of a value below data of a Secret. The API server stores null as no bytes, and base64
// without its line breaks.
func bytesOf(value any) []byte {
	text, _ := value.(string)
	decoded, _ := base64.StdEncoding.DecodeString(text)
	return decoded
}

// takenBy returns the fields that are ours now, and that had a value before which was not ours. If another client
// applies stringData of a Secret, the API server changes data and keeps us as its owner: that value was not ours.
func takenBy(before, now record.Prior, kept *paths.Set) *paths.Set {
	fields := paths.OrEmpty(now.Snapshot.Fields.Declared).Leaves().Union(before.DeclaredBefore().Leaves())
	own, had := before.Snapshot.Claims.Own(before.Arguments.FieldManager), projection.NewReader(before.Live)
	last, isSecret := projection.NewReader(before.LastBody()), before.Object.IsSecret()
	return paths.Filter(fields, func(path paths.Path) bool {
		value, presence := had.Lookup(path)
		was, given := last.Lookup(path)
		isData := isSecret && *path[0].FieldName == "data"
		isChanged := isData && given == projection.Present && !slices.Equal(bytesOf(value), bytesOf(was))
		isOurs := own.Has(path) && !isChanged
		return presence == projection.Present && !isOurs && !paths.IsKeyField(path) && !paths.Touches(kept, path)
	})
}

// sameValues reports whether two objects have the same values of some fields.
func sameValues(fields *paths.Set, one, other map[string]any) bool {
	a, b := projection.NewReader(one), projection.NewReader(other)
	return paths.Filter(fields, func(path paths.Path) bool {
		value, _ := a.Lookup(path)
		another, _ := b.Lookup(path)
		return projection.JSON(value) != projection.JSON(another)
	}).Empty()
}

// withoutTaking returns arguments whose apply leaves some fields alone, and takes none from other managers.
func withoutTaking(args arguments.Arguments, left *paths.Set, now record.Prior) arguments.Arguments {
	var fields []paths.Path
	paths.Each(left, func(path paths.Path) { fields = append(fields, path.Copy()) })
	args.Ignore = slices.Concat(args.Ignore, paths.Covering(fields, now.Snapshot.Claims.Formatter(left)))
	args.OnAddition, args.TakeOver, args.Remove, args.Lengths = arguments.Allow, nil, nil, nil
	return args
}

// writtenSince returns the outermost fields that other managers have written since an apply: those that the apply has
// set and that are not ours any more, and those that it has removed and that exist again with other values.
func writtenSince(before, applied, now record.Prior) *paths.Set {
	claims := now.Snapshot.Claims
	declared, own := paths.OrEmpty(applied.Snapshot.Fields.Declared), claims.Own(manager(applied))
	taken := declared.Difference(own)
	last, live := projection.NewReader(before.LastBody()), projection.NewReader(now.Live)
	removed := before.DeclaredBefore().Leaves().Difference(declared)
	returned := paths.Filter(removed, func(path paths.Path) bool {
		value, presence := live.Lookup(path)
		was, _ := last.Lookup(path)
		return presence == projection.Present && len(claims.Holders(path)) > 0 &&
			projection.JSON(value) != projection.JSON(was)
	})
	return paths.Outermost(taken.Union(returned))
}

func manager(applied record.Prior) string { return applied.Arguments.FieldManager }

// describe sets the fields of u that report the undo. now is the object before the undo, and kept are the fields that
// other managers have written to it.
func (u *Undone) describe(before, now record.Prior, kept *paths.Set) {
	claims, renderer := now.Snapshot.Claims, now.Snapshot.Renderer().Knowing(now.Live).Knowing(u.Live)
	fields := paths.OrEmpty(now.Snapshot.Fields.Declared).Leaves().Union(before.DeclaredBefore().Leaves())
	fields = fields.Union(kept)
	names := renderer.Names(claims.Formatter(fields))
	was, is := renderer.State(now.Live, fields, names), renderer.State(u.Live, fields, names)
	told := map[string]bool{}
	paths.Walk(fields, func(path paths.Path, _ bool) {
		change := ownership.Change{Field: names.Format(path), Path: path.Copy()}
		change.Was, change.Becomes = was[change.Field], cmp.Or(is[change.Field], ownership.RemovedValue)
		switch others := u.Snapshot.Claims.Holders(path); {
		case paths.IsKeyField(path), told[change.Field]: // Fields whose paths look alike share a line.
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
