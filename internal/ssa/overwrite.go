package ssa

import (
	"context"
	"errors"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
)

// Overwritten is a declared field to which somebody else gave another value between a plan and its apply,
// which set it back to the planned one.
type Overwritten struct {
	Field string
	// By is the manager in the API server's words: `"kubectl" with subresource "scale" using apps/v1`.
	By string
}

// applyNoticing is a forced apply that tells what it overwrites unplanned. A plan that takes nothing is
// applied without force first: a conflict is news then, and a second PATCH is forced. A plan that takes
// fields would conflict in any case, and is forced at once, as is one without a forecast. An intent that
// is to fail on conflicts is not forced, and the conflict is an *Error, unless it is with nobody: the server
// has just made the other manager up.
func applyNoticing(ctx context.Context, cluster Cluster, intent Intent, prior Prior, planned Plan, body map[string]any) (Applied, []Overwritten, error) {
	options := ApplyOptions{FieldManager: intent.FieldManager}
	options.Force = intent.OnConflict != Fail && (planned.Forecast == nil || contests(body, prior, intent, planned.Forecast.View))
	answer, err := cluster.Apply(ctx, prior.Object, body, options)
	var conflict *Error
	if ReasonOf(err) != ReasonFieldManagerConflict || !errors.As(err, &conflict) {
		return answer, nil, err
	}
	if intent.OnConflict == Fail && !isWithNobody(conflict.Causes) {
		return answer, nil, err
	}
	options.Force = true
	answer, err = cluster.Apply(ctx, prior.Object, body, options)
	fields, secrets := overwritten(conflict.Causes), intent.Secrets()
	for i := range fields {
		fields[i].Field = secrets.Scrub(fields[i].Field) // They are counted in private state.
	}
	return answer, fields, err
}

// contests says whether the body gives another value to a field that others held when the plan was made. Our
// own claim under a former name is not another's.
func contests(body map[string]any, prior Prior, intent Intent, planned ownership.View) bool {
	claims, err := ownership.Parse(prior.Snapshot.Managers)
	if err != nil {
		return true
	}
	claims = ownership.Rewrite{Manager: intent.FieldManager, Formerly: prior.formerly(intent)}.Claims(claims)
	fields, formatter := claims.Others(intent.FieldManager).Fields().Leaves(), claims.Formatter()
	paths.Walk(claims.Inner(), func(path paths.Path, _ bool) {
		if _, joined := planned.FieldOwnership[formatter.Format(path)]; joined {
			fields.Insert(path)
		}
	})
	written := prior.Snapshot.renderer().Fingerprints(body, fields)
	for id, value := range written {
		if value != prior.Snapshot.Values[id] {
			return true
		}
	}
	return false
}

// isWithNobody says whether all conflicts are with the manager that the server gives an object which has
// none, by the apply itself.
func isWithNobody(causes []metav1.StatusCause) bool {
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
