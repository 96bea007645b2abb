package ssa

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
)

// beforeApply returns the rewrite of managedFields before an apply. A renamed manager's claim moves to the new name.
// Ignored fields are released, because an apply that only omits them would remove them. Managers to take over lose the
// fields that leave the body, because these would stay otherwise. Data that we claimed as stringData is claimed by its own
// name, so that the apply can remove it.
func (i Intent) beforeApply(claims ownership.Claims, previousManager string) ownership.Rewrite {
	own := claims.Own(i.FieldManager)
	if previousManager != i.FieldManager {
		own = own.Union(claims.Own(previousManager))
	}
	released, _ := projection.Covered(own, i.ignored(), i.Manifest.Object)
	rewrite := ownership.Rewrite{
		Manager:         i.FieldManager,
		PreviousManager: previousManager,
		Release:         released,
		TakeOver:        i.TakeOver,
		Declared:        missing(i.Manifest.Object, own.Difference(released)),
	}
	if outlived := i.orphanedStringData(own); !outlived.Empty() {
		rewrite.Add, rewrite.Declared = outlived, rewrite.Declared.Union(outlived)
	}
	return rewrite
}

// afterApply returns what has to be rewritten once we own what we declare: ignored fields that were sent as
// initial values are released, and managers to be taken over lose their share.
func (i Intent) afterApply(claims ownership.Claims) ownership.Rewrite {
	own := claims.Own(i.FieldManager)
	released, _ := projection.Covered(own, i.ignored(), i.Manifest.Object)
	return ownership.Rewrite{
		Manager:  i.FieldManager,
		Release:  released,
		TakeOver: i.TakeOver,
		Declared: own.Difference(released),
	}
}

// missing returns the part of fields that has no value in object.
func missing(object map[string]any, fields *paths.Set) *paths.Set {
	return fields.Difference(present(object, fields))
}

// editing says what to edit of a live object, by the claims as they will be.
type editing func(live map[string]any, claims ownership.Claims) []Edit

func noEdits(map[string]any, ownership.Claims) []Edit { return nil }

// rewriteClaims rewrites the managedFields of live, which keeps every value.
func rewriteClaims(ctx context.Context, cluster Cluster, id manifest.Identity, live *unstructured.Unstructured, wanted func(ownership.Claims) ownership.Rewrite) (*unstructured.Unstructured, error) {
	return rewriteAndEdit(ctx, cluster, id, live, wanted, noEdits)
}

// rewriteAndEdit rewrites the managedFields of live and edits values. wanted says what to rewrite
// of the claims as they are, edits what to edit. It sends nothing where that changes nothing, one PATCH
// otherwise, and a GET and another PATCH for each time that somebody wrote in between. The object is returned
// as the server holds it then; on an error, as it was last seen.
func rewriteAndEdit(ctx context.Context, cluster Cluster, id manifest.Identity, live *unstructured.Unstructured, wanted func(ownership.Claims) ownership.Rewrite, edits editing) (*unstructured.Unstructured, error) {
	pause := wait.Backoff{Duration: 10 * time.Millisecond, Factor: 2, Jitter: 0.5, Steps: 1 << 20, Cap: 200 * time.Millisecond}
	for {
		entries := live.GetManagedFields()
		claims, err := claimsIn(id, entries)
		if err != nil {
			return live, err
		}
		rewrite := wanted(claims)
		edited := edits(live.Object, rewrite.Claims(claims))
		if !rewrite.Changes(claims) && len(edited) == 0 {
			return live, nil
		}
		rewritten, err := rewrite.Entries(entries)
		if err != nil {
			return live, unreadable(id, err)
		}
		answer, err := cluster.ReplaceManagedFields(ctx, id, rewrite.Manager, live.GetResourceVersion(), rewritten, edited...)
		if err == nil {
			return answer, nil
		}
		if ReasonOf(err) != ReasonConflict {
			return live, err
		}
		fresh, err := cluster.Get(ctx, id)
		if err != nil {
			return live, err
		}
		if fresh.GetUID() != live.GetUID() {
			return live, &Error{Reason: ReasonConflict, Object: id, Message: "the object was deleted and created again during the apply"}
		}
		live = fresh
		select {
		case <-ctx.Done():
			return live, &Error{Reason: ReasonTimeout, Object: id, Message: "others kept changing the object", Cause: ctx.Err()}
		case <-time.After(pause.Step()):
		}
	}
}
