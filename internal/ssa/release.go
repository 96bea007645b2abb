package ssa

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
)

// release gives up the ignored fields that we own on live, which keeps their values: an apply that
// merely left them out would remove them. It sends nothing when there are none, one PATCH otherwise,
// and a GET and another PATCH for each time that somebody wrote in between. The object is returned as
// the server holds it then; on an error, as it was last seen.
func release(ctx context.Context, cluster Cluster, intent Intent, id manifest.Identity, live *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	pause := wait.Backoff{Duration: 10 * time.Millisecond, Factor: 2, Jitter: 0.5, Steps: 1 << 20, Cap: time.Second}
	for {
		entries := live.GetManagedFields()
		claims, err := ownership.Parse(entries)
		if err != nil {
			return live, unreadable(id, err)
		}
		ignored, _ := projection.Covered(claims.Own(intent.FieldManager), intent.Ignore, intent.Manifest.Object)
		if ignored.Empty() {
			return live, nil
		}
		rewritten, err := ownership.Release(entries, intent.FieldManager, ignored)
		if err != nil {
			return live, unreadable(id, err)
		}
		released, err := cluster.ReplaceManagedFields(ctx, id, intent.FieldManager, live.GetResourceVersion(), rewritten)
		if err == nil {
			return released, nil
		}
		if ReasonOf(err) != ReasonConflict {
			return live, err
		}
		fresh, err := cluster.Get(ctx, id)
		if err != nil {
			return live, err
		}
		if fresh.GetUID() != live.GetUID() {
			return live, &Error{Reason: ReasonConflict, Object: id, Message: "the object was deleted and created anew in the meantime"}
		}
		live = fresh
		select {
		case <-ctx.Done():
			return live, &Error{Reason: ReasonTimeout, Object: id, Message: "others kept writing to the object", Cause: ctx.Err()}
		case <-time.After(pause.Step()):
		}
	}
}
