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
// fields would conflict in any case, and is forced at once, as is one without a forecast.
func applyNoticing(ctx context.Context, cluster Cluster, intent Intent, prior Prior, planned Plan, body map[string]any) (Applied, []Overwritten, error) {
	options := ApplyOptions{FieldManager: intent.FieldManager}
	options.Force = planned.Forecast == nil || takes(*planned.Forecast, prior, intent.FieldManager)
	answer, err := cluster.Apply(ctx, prior.Object, body, options)
	if ReasonOf(err) != ReasonFieldManagerConflict {
		return answer, nil, err
	}
	var conflict *Error
	errors.As(err, &conflict)
	options.Force = true
	answer, err = cluster.Apply(ctx, prior.Object, body, options)
	return answer, overwritten(conflict.Causes), err
}

// takes says whether the forecast leaves a field to us alone that others held before. Another manager of
// our own name cannot be told from us by a forecast, and counts as evicted.
func takes(planned Forecast, prior Prior, fieldManager string) bool {
	claims, err := ownership.Parse(prior.Snapshot.Managers)
	if err != nil {
		return true
	}
	formatter := claims.Formatter()
	taken := false
	paths.Walk(claims.Others(fieldManager).Fields(), func(path paths.Path, _ bool) {
		field := formatter.Format(path)
		taken = taken || planned.View.FieldOwnership[field] == fieldManager && planned.View.CoOwners[field] == nil
	})
	return taken
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
