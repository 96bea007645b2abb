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
// server refuses what would remain of a map, it removes the map. If it refuses that, too, because others have a part of
// a list item for instance, the fields stay.
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
