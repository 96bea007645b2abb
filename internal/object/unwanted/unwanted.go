// Package unwanted finds what remove_fields covers on an object that an apply has read or written, and tells what of it
// the plan of the apply did not show. It sends nothing.
package unwanted

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// Finder finds the unwanted fields of one apply.
type Finder struct {
	Wanted wanted.Wanted
	// Read is the object as the plan of a first apply has read it; nil for later applies.
	Read map[string]any
}

// Refuses reports whether the apply must remove nothing that other managers have written since its plan.
func (f Finder) Refuses() bool {
	return f.Wanted.OnConflict == arguments.Fail && len(f.Wanted.Remove) > 0
}

// On returns the outermost unwanted fields of an object, without values that the API server has put back before.
func (f Finder) On(live map[string]any, claims ownership.Claims) *paths.Set {
	snapshot := f.Wanted.Prior.Snapshot
	return snapshot.Refilled.Without(record.Unwanted(live, f.Wanted.Remove, claims), live, snapshot.Renderer())
}

// Unforeseen returns the removals of those fields of On whose values the plan did not show as ones to remove, sorted by
// path.
func (f Finder) Unforeseen(live map[string]any, claims ownership.Claims) []ownership.Change {
	renderer := f.Wanted.LiveRenderer().Knowing(live)
	names, reader := renderer.Names(claims.Formatter()), projection.NewReader(live)
	others := claims.Others(f.Wanted.FieldManager)
	var fields []ownership.Change
	paths.Walk(f.On(live, claims), func(path paths.Path, _ bool) {
		value, _ := reader.Lookup(path)
		if f.foresaw(path, value, live, others) {
			return
		}
		field := ownership.Change{
			Field: names.Format(path), Path: path.Copy(), What: ownership.Removing, Why: ownership.Unwanted,
			Was: renderer.Text(path, value), Becomes: ownership.RemovedValue, With: names.Format(path),
			Owners: others.HoldersWithin(path),
		}
		if len(renderer.RedactedPath(path)) < len(path) {
			field.Was = rendering.Redacted
		}
		fields = append(fields, field)
	})
	return fields
}

// foresaw reports whether the plan showed that a field with this value is removed. If the pattern is new, the plan knew
// the values of other managers, and those without an owner.
func (f Finder) foresaw(path paths.Path, value any, live map[string]any, others ownership.Claims) bool {
	switch {
	case f.Read != nil:
		was, presence := projection.Lookup(f.Read, path)
		return presence == projection.Present && projection.Fingerprint(was) == projection.Fingerprint(value)
	case value == nil:
		return true
	case f.Wanted.Prior.Arguments.Remove.Match(path):
		return f.showed(path, live)
	case len(others.HoldersWithin(path)) == 0:
		return true
	}
	return f.knew(path, live, others)
}

// showed reports whether the state shows the value that a field has, as one to remove.
func (f Finder) showed(path paths.Path, live map[string]any) bool {
	prior := f.Wanted.Prior
	before := prior.Snapshot.Renderer()
	now := before.State(live, paths.NewSet(path), before.Names(prior.Snapshot.Claims.Formatter()))
	for name, text := range now {
		if was, has := prior.Unwanted[name]; !has || was != text {
			return false
		}
	}
	return len(now) > 0
}

// knew reports whether the snapshot contains the value that other managers have given a field.
func (f Finder) knew(path paths.Path, live map[string]any, others ownership.Claims) bool {
	snapshot, field := f.Wanted.Prior.Snapshot, paths.NewSet(path)
	leaves := paths.Filter(others.Fields().Leaves(),
		func(leaf paths.Path) bool { return paths.Touches(field, leaf) })
	for id, print := range snapshot.Renderer().Fingerprints(live, leaves) {
		if snapshot.Values[id] != print {
			return false
		}
	}
	return !leaves.Empty()
}

// Refilled returns the values that the API server has put back before and those that it has put back now: the fields of
// live that a request has just removed.
func (f Finder) Refilled(live map[string]any, claims ownership.Claims, removed *paths.Set) record.Refilled {
	snapshot := f.Wanted.Prior.Snapshot
	back := paths.Filter(f.On(live, claims), func(path paths.Path) bool { return paths.Touches(removed, path) })
	return snapshot.Refilled.With(back, live, snapshot.Renderer())
}
