package record

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
)

// Editing says what to edit of a live object, by the claims as they will be.
type Editing func(live map[string]any, claims ownership.Claims) []cluster.Edit

// NoEdits is an Editing that edits nothing.
func NoEdits(map[string]any, ownership.Claims) []cluster.Edit { return nil }

// RewriteClaims rewrites the managedFields of live, which keeps every value.
func RewriteClaims(ctx context.Context, api cluster.Interface, id manifest.Identity, live *unstructured.Unstructured, wanted func(ownership.Claims) ownership.Rewrite) (*unstructured.Unstructured, error) {
	return RewriteAndEdit(ctx, api, id, live, wanted, NoEdits)
}

// RewriteAndEdit rewrites the managedFields of live and edits values. wanted says what to rewrite
// of the claims as they are, edits what to edit. It sends nothing where that changes nothing, one PATCH
// otherwise, and a GET and another PATCH for each time that somebody wrote in between. The object is returned
// as the server holds it then; on an error, as it was last seen.
func RewriteAndEdit(ctx context.Context, api cluster.Interface, id manifest.Identity, live *unstructured.Unstructured, wanted func(ownership.Claims) ownership.Rewrite, edits Editing) (*unstructured.Unstructured, error) {
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
			return live, Unreadable(id, err)
		}
		answer, err := api.Patch(ctx, id, cluster.Patch{
			FieldManager: rewrite.Manager, ResourceVersion: live.GetResourceVersion(),
			Edits: append([]cluster.Edit{cluster.SetManagedFields(rewritten)}, edited...),
		})
		if err == nil {
			return answer, nil
		}
		if cluster.ReasonOf(err) != cluster.ReasonConflict {
			return live, err
		}
		fresh, err := api.Get(ctx, id)
		if err != nil {
			return live, err
		}
		if fresh.GetUID() != live.GetUID() {
			return live, &cluster.Error{Reason: cluster.ReasonConflict, Object: id, Message: "the object was deleted and created again in the meantime"}
		}
		live = fresh
		select {
		case <-ctx.Done():
			return live, &cluster.Error{Reason: cluster.ReasonTimeout, Object: id, Message: "others kept writing to the object", Cause: ctx.Err()}
		case <-time.After(pause.Step()):
		}
	}
}
