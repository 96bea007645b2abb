package ssa

import (
	"context"
	"errors"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// applyNoticing applies the body, and returns the fields of others that it overwrites or removes and that the plan did not show.
// If the plan takes nothing, the first PATCH is not forced: a conflict then means a write since the plan, and a second PATCH is
// forced. A plan that takes fields would conflict in any case, and no server refuses to remove a list item with what others put
// into it. So such plans are forced at once, as is a plan without a planned state; see applyPlanned. With on_conflict = "fail",
// the apply is not forced, and a conflict is an error, unless the other manager is one that the server has just created itself.
func (u *update) applyNoticing(ctx context.Context, api cluster.Interface) (cluster.Applied, []Overwritten, error) {
	removes := !u.meets.Leaving(u.staying(u.meets)).Empty()
	forced := u.planned.State == nil || removes || contests(u.Body, u.Prior, u.Intent, u.planned.State.View)
	options := cluster.ApplyOptions{FieldManager: u.Intent.FieldManager, Force: forced && u.Intent.OnConflict != intents.Fail}
	if !options.Force && !removes {
		u.version = ""
	}
	answer, fields, err := u.applyPlanned(ctx, api, options)
	if options.Force {
		return answer, fields, err
	}
	var conflict *cluster.FieldManagerConflictError
	if !errors.As(err, &conflict) || u.Intent.OnConflict == intents.Fail && !isOnlyWithBeforeFirstApply(conflict.Causes) {
		return answer, nil, err
	}
	options.Force = true
	answer, err = api.Apply(ctx, u.Prior.Object, u.Body, options)
	secrets := u.Intent.Secrets()
	fields = overwritten(conflict.Causes)
	for i := range fields {
		fields[i].Field = secrets.Scrub(fields[i].Field) // They are counted in private state.
	}
	return answer, fields, err
}

// mostLooks is how often an apply looks at an object that others keep writing to.
const mostLooks = 3

// applyPlanned applies to the version of the object that the plan knows, if u.version is set: one PATCH. If the object has changed
// since, a GET tells which fields others gave other values, and the next PATCH is for the new version. Without force, it returns
// an error if others wrote fields that the apply would remove.
func (u *update) applyPlanned(ctx context.Context, api cluster.Interface, options cluster.ApplyOptions) (cluster.Applied, []Overwritten, error) {
	fields := u.overwritten
	for range mostLooks {
		answer, err := api.Apply(ctx, u.Prior.Object, intents.WithMetadata(u.Body, "resourceVersion", u.version), options)
		if u.version == "" || cluster.ReasonOf(err) != cluster.ReasonConflict {
			return answer, fields, err
		}
		live, missing := api.Get(ctx, u.Prior.Object)
		if missing != nil || string(live.GetUID()) != u.Prior.Snapshot.UID {
			return answer, nil, err
		}
		claims, unreadable := record.ClaimsOf(u.Prior.Object, live)
		if unreadable != nil {
			return cluster.Applied{}, nil, unreadable
		}
		u.renew(live, claims)
		fields = withNews(fields, u.writtenSince(live, claims))
		if !options.Force && slices.ContainsFunc(fields, func(o Overwritten) bool { return o.With != "" }) {
			return answer, nil, err
		}
		u.version = live.GetResourceVersion()
	}
	answer, err := api.Apply(ctx, u.Prior.Object, u.Body, options)
	return answer, fields, err
}

// renew makes a later look at the object what a part has found before its first apply: a destroy removes or restores what the
// apply changes there. If we own more of the object than before, the look shows the work of an apply whose answer was lost.
func (u *update) renew(live *unstructured.Unstructured, claims ownership.Claims) {
	if u.Prior.Live != nil && claims.Own(u.Intent.FieldManager).Difference(u.meets.Own(u.Intent.FieldManager)).Empty() {
		u.Prior.Live = live.Object
	}
}

// withNews returns what others wrote: what was known, and what the last look at the object tells. The last look alone is not
// enough, because an apply whose answer was lost has already overwritten what was known.
func withNews(known, news []Overwritten) []Overwritten {
	isNew := func(o Overwritten) bool {
		return slices.ContainsFunc(news, func(n Overwritten) bool { return n.Field == o.Field && n.By == o.By })
	}
	return append(slices.DeleteFunc(slices.Clone(known), isNew), news...)
}

// staying returns the apply of the fields that we owned before and that stay in the body.
func (u *update) staying(claims ownership.Claims) ownership.Apply {
	return ownership.Apply{
		Manager: u.Intent.Manager(),
		Fields:  projection.WithValues(u.Body, claims.Own(u.Intent.FieldManager)),
		Differs: func(paths.Path) bool { return false },
	}
}

// writtenSince returns the fields of the body to which others gave other values after the object was read for the
// plan, and those that they wrote since then and that the apply removes.
func (u *update) writtenSince(live *unstructured.Unstructured, claims ownership.Claims) []Overwritten {
	others := claims.Others(u.Intent.FieldManager)
	leaves := others.Fields().Leaves()
	renderer := u.Prior.Snapshot.Renderer()
	written, now := renderer.Fingerprints(u.Body, leaves), renderer.Fingerprints(live.Object, leaves)
	shown := u.Intent.Renderer(u.Prior.Object, u.Prior.Snapshot)
	names, reader := shown.Names(claims.Formatter()), projection.NewReader(live.Object)
	seen := u.Prior
	seen.Live = live.Object
	differs, known := prediction.WriteOnlyDiffers(u.Intent, seen, u.Body), u.Claims.Others(u.Intent.FieldManager).Fields()
	var fields []Overwritten
	note := func(path, with paths.Path, holders []ownership.Holder) {
		value, _ := reader.Lookup(path)
		for _, holder := range holders {
			field := Overwritten{Field: names.Format(path), By: holder.String(), Was: shown.Text(path, value)}
			if with != nil {
				field.With = names.Format(with)
			}
			fields = append(fields, field)
		}
	}
	paths.Walk(leaves, func(path paths.Path, _ bool) {
		id := paths.ID(path)
		wanted, isOurs := written[id]
		value, _ := reader.Lookup(path)
		isUnstored := wanted == rendering.UnstoredPrint && now[id] == rendering.UnstoredPrint
		isKnown := !isOurs || now[id] == wanted || now[id] == u.Prior.Snapshot.Values[id]
		if isUnstored {
			isKnown = known.Has(path) || !differs(path)
		}
		if isKnown {
			return
		}
		if projection.IsEmptyCollection(value) || givenEmpty(u.Body)(path) {
			return
		}
		note(path, nil, others.Holders(path))
	})
	for _, lost := range claims.Predict(u.staying(claims)).Removed {
		if id := paths.ID(lost.Path); now[id] != u.Prior.Snapshot.Values[id] {
			note(lost.Path, lost.With, lost.From)
		}
	}
	return fields
}

// contests reports whether the body gives another value to a field that others held when the plan was made. Our
// own claim under a former name is not another's.
func contests(body map[string]any, prior record.Prior, intent intents.Intent, planned ownership.View) bool {
	claims := ownership.Rewrite{Manager: intent.FieldManager, PreviousManager: prior.PreviousManager(intent.FieldManager)}.Claims(prior.Snapshot.Claims)
	others, formatter := claims.Others(intent.FieldManager).Fields(), claims.Formatter()
	if prediction.ReplacesAny(body, others) {
		return true
	}
	isOwned := func(path paths.Path) bool {
		_, owned := planned.FieldOwnership[formatter.Format(path)]
		return owned
	}
	fields := others.Leaves().Difference(prior.Snapshot.MergedMaps(body, others, isOwned))
	held := claims.Fields()
	paths.Walk(claims.Inner(), func(path paths.Path, _ bool) {
		if isOwned(path) && paths.Filter(intents.Within(held, []paths.Path{path}), isOwned).Empty() {
			fields.Insert(path)
		}
	})
	written := prior.Snapshot.Renderer().Fingerprints(body, fields)
	differs, contested := prediction.WriteOnlyDiffers(intent, prior, body), false
	paths.Walk(fields, func(path paths.Path, _ bool) {
		value, isGiven := written[paths.ID(path)]
		isSame := value == prior.Snapshot.Values[paths.ID(path)] && (value != rendering.UnstoredPrint || !differs(path))
		contested = contested || isGiven && !isSame
	})
	return contested
}

// opponentsOf returns the managers from which an apply took fields back, or removed list items, as planned or not.
func opponentsOf(changes []prediction.Change, overwritten []Overwritten) []record.Opponent {
	var opponents []record.Opponent
	for _, change := range changes {
		if change.Transition != ownership.Retaking && !change.IsExplicit {
			continue
		}
		for _, manager := range change.Others {
			opponents = append(opponents, record.Opponent{Field: change.Field, Manager: manager.String()})
		}
	}
	for _, field := range overwritten {
		if field.With != "" {
			continue
		}
		opponents = append(opponents, record.Opponent{Field: field.Field, Manager: field.By})
	}
	return opponents
}

// isOnlyWithBeforeFirstApply reports whether all conflicts are with before-first-apply, the manager that the apply itself
// makes the server add to an object without managers.
func isOnlyWithBeforeFirstApply(causes []metav1.StatusCause) bool {
	return !slices.ContainsFunc(overwritten(causes), func(o Overwritten) bool {
		return !strings.HasPrefix(o.By, `"before-first-apply"`)
	})
}

func overwritten(causes []metav1.StatusCause) []Overwritten {
	var fields []Overwritten
	for _, cause := range causes {
		if cause.Type == metav1.CauseTypeFieldManagerConflict {
			fields = append(fields, Overwritten{
				Field: strings.TrimPrefix(cause.Field, "."),
				By:    strings.TrimPrefix(cause.Message, "conflict with "),
			})
		}
	}
	slices.SortFunc(fields, func(a, b Overwritten) int { return strings.Compare(a.Field+"\n"+a.By, b.Field+"\n"+b.By) })
	return fields
}

// givenEmpty returns a function that reports whether a body gives a field as an empty map or list.
func givenEmpty(body map[string]any) func(paths.Path) bool {
	reader := projection.NewReader(body)
	return func(path paths.Path) bool {
		value, _ := reader.Lookup(path)
		return projection.IsEmptyCollection(value)
	}
}
