package ssa

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// unwanted finds the fields that remove_fields covers on the object of one apply, and tells what of it the plan did not
// show. It sends nothing.
type unwanted struct {
	wanted wanted.Wanted
	// read is the object as the plan of a first apply has read it; nil for later applies.
	read map[string]any
}

// refuses reports whether the apply must remove nothing that other managers have written since its plan.
func (u unwanted) refuses() bool {
	return u.wanted.OnConflict == arguments.Fail && len(u.wanted.Remove) > 0
}

// on returns the outermost unwanted fields of an object, without values that the API server has put back before.
func (u unwanted) on(live map[string]any, claims ownership.Claims) *paths.Set {
	snapshot := u.wanted.Prior.Snapshot
	return snapshot.Refilled.Without(record.Unwanted(live, u.wanted.Remove, claims), live, snapshot.Renderer())
}

// unforeseen returns the removals of those fields of on whose values the plan did not show as ones to remove, sorted by
// path.
func (u unwanted) unforeseen(live map[string]any, claims ownership.Claims) []ownership.Change {
	renderer := u.wanted.LiveRenderer().Knowing(live)
	names, reader := renderer.Names(claims.Formatter()), projection.NewReader(live)
	others := claims.Others(u.wanted.FieldManager)
	var fields []ownership.Change
	paths.Walk(u.on(live, claims), func(path paths.Path, _ bool) {
		value, _ := reader.Lookup(path)
		if u.foresaw(path, value, live, others) {
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
func (u unwanted) foresaw(path paths.Path, value any, live map[string]any, others ownership.Claims) bool {
	switch {
	case u.read != nil:
		was, presence := projection.Lookup(u.read, path)
		return presence == projection.Present && projection.Fingerprint(was) == projection.Fingerprint(value)
	case value == nil:
		return true
	case u.wanted.Prior.Arguments.Remove.Match(path):
		return u.showed(path, live)
	case len(others.HoldersWithin(path)) == 0:
		return true
	}
	return u.knew(path, live, others)
}

// showed reports whether the state shows the value that a field has, as one to remove.
func (u unwanted) showed(path paths.Path, live map[string]any) bool {
	prior := u.wanted.Prior
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
func (u unwanted) knew(path paths.Path, live map[string]any, others ownership.Claims) bool {
	snapshot, field := u.wanted.Prior.Snapshot, paths.NewSet(path)
	leaves := paths.Filter(others.Fields().Leaves(),
		func(leaf paths.Path) bool { return paths.Touches(field, leaf) })
	for id, print := range snapshot.Renderer().Fingerprints(live, leaves) {
		if snapshot.Values[id] != print {
			return false
		}
	}
	return !leaves.Empty()
}

// refilled returns the fields that the API server has filled in again in a live object: those that a request has just
// removed.
func (u unwanted) refilled(live *unstructured.Unstructured, removed *paths.Set) (*paths.Set, error) {
	claims, err := record.ClaimsOf(u.wanted.Prior.Object, live)
	if err != nil {
		return nil, err
	}
	return paths.Filter(u.on(live.Object, claims), func(path paths.Path) bool {
		return paths.Touches(removed, path)
	}), nil
}
