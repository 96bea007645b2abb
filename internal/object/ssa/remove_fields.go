package ssa

import (
	"cmp"
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// removeFields removes fields from an object that was just applied: one PATCH if it has any of them. choose returns
// which of them to remove from the live object. On an error, removeFields returns the object as it was last seen, and
// the next plan removes the fields.
func (a *apply) removeFields(
	ctx context.Context, api cluster.Interface, answer cluster.Applied, fields *paths.Set, choose chooseFields,
) (cluster.Applied, error) {
	if fields.Empty() {
		return answer, nil
	}
	live, err := record.RewriteAndEdit(ctx, api, a.wanted.Prior.Object, answer.Object, record.Rewriting{
		Claims: func(ownership.Claims) ownership.Rewrite { return ownership.Rewrite{Manager: a.wanted.FieldManager} },
		Edits: func(live map[string]any, claims ownership.Claims) []cluster.Edit {
			noteUpdated(a, claims)
			return wanted.WithoutFields(live, choose(a.wanted, fields, live, claims))
		},
	})
	answer.Object = live
	return answer, err
}

// removeForgotten removes what our last apply left with us and managedFields does not record as ours any more. If the
// server refuses what would remain of a map, it removes the map. If it refuses that, too, for instance because other
// managers own a part of a list item, the fields stay.
func removeForgotten(
	ctx context.Context, api cluster.Interface, a *apply, answer cluster.Applied,
) (cluster.Applied, error) {
	forgotten := wanted.ForgottenOf(a.wanted)
	answer, err := a.removeFields(ctx, api, answer, forgotten.Removed, wanted.StillForgotten)
	if !refusals.IsOfObject(err) {
		return answer, err
	}
	claims, unreadable := record.ClaimsOf(a.wanted.Prior.Object, answer.Object)
	if unreadable != nil {
		return answer, unreadable
	}
	whole := forgotten.Whole(a.wanted, claims.Own(a.wanted.FieldManager)).Removed
	refusal := err
	answer, err = a.removeFields(ctx, api, answer, whole, wanted.StillForgotten)
	// Keeping takes at least one field out of those to remove. Without any, nothing is sent, and the loop ends.
	for refusals.IsOfObject(err) {
		forgotten = forgotten.Keeping(refusal)
		answer, err = a.removeFields(ctx, api, answer, forgotten.Removed, wanted.StillForgotten)
		refusal = err
	}
	return answer, err
}

// chooseFields returns the fields of a set that are to be removed from a live object; [wanted.StillForgotten] is one.
type chooseFields func(w wanted.Wanted, fields *paths.Set, live map[string]any, claims ownership.Claims) *paths.Set

// unwantedRemoval chooses the fields that are removed because of remove_fields.
type unwantedRemoval struct {
	unwanted
	// chosen are the fields that are removed, writtenSince those that other clients have written since the plan.
	chosen       *paths.Set
	writtenSince []ownership.Change
	// spared are fields that stay, because on_conflict is "fail" and other managers have written them since the plan.
	spared []ownership.Change
}

// choose is a chooseFields: it chooses all but the spared fields.
func (r *unwantedRemoval) choose(
	_ wanted.Wanted, fields *paths.Set, live map[string]any, claims ownership.Claims,
) *paths.Set {
	r.chosen, r.writtenSince, r.spared = fields, nil, nil
	for _, field := range r.unforeseen(live, claims) {
		switch {
		case !fields.Has(field.Path):
		case r.refuses() && len(field.Owners) > 0:
			r.spared, r.chosen = append(r.spared, field), r.chosen.RecursiveDifference(paths.NewSet(field.Path))
		default:
			r.writtenSince = append(r.writtenSince, field.ByOwner()...)
		}
	}
	return r.chosen
}

// warning returns a sentence about what is spared; "" if nothing is.
func (r *unwantedRemoval) warning() string {
	if len(r.spared) == 0 {
		return ""
	}
	text := "The object was applied, but these fields stay, because others wrote them during the apply:\n"
	for _, field := range r.spared {
		text += fmt.Sprintf("\n  %s: %q", field.Field, field.Was)
	}
	return text
}

// refuseWrittenSince returns a *ConflictsError if the arguments refuse conflicts and remove_fields covers what other
// managers have written to live since the plan.
func refuseWrittenSince(a *apply, live *unstructured.Unstructured) error {
	if !a.unwanted.refuses() {
		return nil
	}
	claims, err := record.ClaimsOf(a.wanted.Prior.Object, live)
	return cmp.Or(err, refuseUnwanted(a.unwanted, live.Object, claims))
}

// refuseUnwanted returns a *ConflictsError if remove_fields covers what other managers have written since the plan.
func refuseUnwanted(find unwanted, live map[string]any, claims ownership.Claims) error {
	plan := Plan{Object: find.wanted.Prior.Object, Lines: Lines{Removed: paths.Texts(find.wanted.Remove)}}
	for _, field := range find.unforeseen(live, claims) {
		if len(field.Owners) > 0 {
			plan.Changes = append(plan.Changes, field)
		}
	}
	if len(plan.Changes) == 0 {
		return nil
	}
	return &ConflictsError{Plan: plan}
}

// unwanted finds the fields that remove_fields covers on the object of one apply, and tells what of it the plan did not
// show. It sends nothing.
type unwanted struct {
	wanted wanted.Wanted
	// read is the object as the plan of a first apply has read it; nil for later applies.
	read *projection.Reader
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
		was, presence := u.read.Lookup(path)
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
