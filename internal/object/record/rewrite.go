package record

import (
	"cmp"
	"context"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Editing returns the edits of a live object. claims are those after the rewrite.
type Editing func(live map[string]any, claims ownership.Claims) []cluster.Edit

// NoEdits returns no edits. It is an Editing.
func NoEdits(map[string]any, ownership.Claims) []cluster.Edit { return nil }

// Rewriting is a rewrite of an object's managedFields together with edits of its fields in the same request.
type Rewriting struct {
	// Claims returns the rewrite of the current claims.
	Claims func(ownership.Claims) ownership.Rewrite
	Edits  Editing
	// Probes is true if the rewrite also has to make managedFields convertible for the write that follows.
	Probes bool
}

// RewriteClaims rewrites the managedFields of live, which keeps every value. It costs and returns what RewriteAndEdit
// does.
func RewriteClaims(
	ctx context.Context, api cluster.Interface, id manifest.Identity, live *unstructured.Unstructured,
	wanted func(ownership.Claims) ownership.Rewrite,
) (*unstructured.Unstructured, error) {
	return RewriteAndEdit(ctx, api, id, live, Rewriting{Claims: wanted, Edits: NoEdits})
}

// RewriteApplied is RewriteClaims for an object that we have applied. If no manager owns anything of it, such as of a
// Namespace without labels, the server would record no owner of later writes, so the object gets a placeholder.
func RewriteApplied(
	ctx context.Context, api cluster.Interface, id manifest.Identity, live *unstructured.Unstructured,
	wanted func(ownership.Claims) ownership.Rewrite,
) (*unstructured.Unstructured, error) {
	placeholder, err := ownership.Placeholder(id.APIVersion)
	if err != nil {
		return live, Unreadable(id, err)
	}
	edits := func(_ map[string]any, claims ownership.Claims) []cluster.Edit {
		if len(claims) > 0 {
			return nil
		}
		return []cluster.Edit{cluster.SetManagedFields([]metav1.ManagedFieldsEntry{placeholder})}
	}
	return RewriteAndEdit(ctx, api, id, live, Rewriting{Claims: wanted, Edits: edits})
}

// Disclaim ends the claim of fieldManager on live, which keeps every value. It costs and returns what RewriteAndEdit
// does.
func Disclaim(
	ctx context.Context, api cluster.Interface, id manifest.Identity, live *unstructured.Unstructured,
	fieldManager string,
) (*unstructured.Unstructured, error) {
	return RewriteClaims(ctx, api, id, live, func(claims ownership.Claims) ownership.Rewrite {
		return ownership.Rewrite{Manager: fieldManager, Release: claims.Own(fieldManager)}
	})
}

// GiveBack returns the object of another client that a create has found, without the claim that the create has left on
// it. If no other manager owns anything of it, the claim may be that of another run with the same manager, so it stays.
func GiveBack(
	ctx context.Context, api cluster.Interface, found *cluster.TakenError, fieldManager string,
) *unstructured.Unstructured {
	claims, err := ClaimsOf(found.Object, found.Live)
	if !found.IsClaimed || err != nil || claims.Others(fieldManager).Fields().Empty() {
		return found.Live
	}
	live, err := Disclaim(ctx, api, found.Object, found.Live, fieldManager)
	if err != nil {
		return found.Live
	}
	return live
}

// RewriteAndEdit rewrites the managedFields of live and edits values. It sends nothing if that changes nothing, one
// PATCH otherwise, and a GET and another PATCH for each time that another client wrote in between. For a custom
// resource with entries in several versions, dry-runs come before the PATCH; see convertible. It returns the object as
// the server holds it then; on an error, as it was last seen.
func RewriteAndEdit(
	ctx context.Context, api cluster.Interface, id manifest.Identity, live *unstructured.Unstructured, wanted Rewriting,
) (*unstructured.Unstructured, error) {
	if version := live.GetAPIVersion(); version != "" {
		id.APIVersion = version // That of id may not be served any more.
	}
	err := cluster.Contend(ctx, id, func() (again bool, err error) {
		patch, _, err := wanted.convertible(ctx, api, id, live)
		if patch == nil || err != nil {
			return false, err
		}
		answer, err := api.Patch(ctx, id, *patch)
		switch {
		case err == nil:
			live = answer
			return false, nil
		case cluster.ReasonOf(err) != cluster.ReasonConflict:
			return false, err
		}
		live, err = fresh(ctx, api, id, live)
		return err == nil, err
	})
	return live, err
}

// patch returns the request that rewrites live, and the managedFields that it leaves. The entries in versions get the
// version of id. The request is nil if there is nothing to rewrite, and on an error.
func (r Rewriting) patch(
	id manifest.Identity, live *unstructured.Unstructured, versions []string,
) (*cluster.Patch, []metav1.ManagedFieldsEntry, error) {
	entries := live.GetManagedFields()
	claims, err := claimsIn(id, entries)
	if err != nil {
		return nil, nil, err
	}
	rewrite := r.Claims(claims)
	if len(versions) > 0 {
		rewrite.Versions, rewrite.Convertible = slices.Concat(rewrite.Versions, versions), id.APIVersion
	}
	edited := r.Edits(live.Object, rewrite.Claims(claims))
	if !rewrite.Changes(claims) && len(edited) == 0 {
		return nil, entries, nil
	}
	patch := &cluster.Patch{FieldManager: rewrite.Manager, ResourceVersion: live.GetResourceVersion(), Edits: edited}
	if len(edited) == 0 {
		// A policy may allow only the owner to give up its claims. The request changes no value, so it makes none.
		patch.FieldManager = cmp.Or(rewrite.PreviousManager, rewrite.Manager)
	}
	if !rewrite.Changes(claims) {
		return patch, entries, nil
	}
	rewrite.Subresource, rewrite.Now = id.Subresource, time.Now()
	rewritten, err := rewrite.Entries(entries)
	if err != nil {
		return nil, nil, Unreadable(id, err)
	}
	patch.Edits = append([]cluster.Edit{cluster.SetManagedFields(rewritten)}, edited...)
	return patch, rewritten, nil
}

// fresh reads the object again; on an error it returns live.
func fresh(
	ctx context.Context, api cluster.Interface, id manifest.Identity, live *unstructured.Unstructured,
) (*unstructured.Unstructured, error) {
	now, err := api.Get(ctx, id)
	switch {
	case err != nil:
		return live, err
	case now.GetUID() != live.GetUID():
		return live, &cluster.Error{
			Reason: cluster.ReasonConflict, Object: id, Message: "the object was deleted and created again in the " +
				"meantime",
		}
	default:
		return now, nil
	}
}
