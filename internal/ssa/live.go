package ssa

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
)

// rewriteLive rewrites claims on the object as it is now, makes edits, and returns the object.
func (u *update) rewriteLive(ctx context.Context, api cluster.Interface, wanted func(ownership.Claims, string) ownership.Rewrite, edits record.Editing) (*unstructured.Unstructured, error) {
	live, err := api.Get(ctx, u.Prior.Object)
	if err != nil {
		return nil, err
	}
	if uid := string(live.GetUID()); uid != u.Prior.Snapshot.UID {
		return nil, recreated(u.Prior.Object, u.Prior.Snapshot.UID, live)
	}
	return record.RewriteAndEdit(ctx, api, u.Prior.Object, live, record.Rewriting{
		Claims: func(claims ownership.Claims) ownership.Rewrite { return wanted(claims, u.PreviousManager()) },
		Edits:  edits,
	})
}

func recreated(id manifest.Identity, uid string, live *unstructured.Unstructured) *cluster.Error {
	return &cluster.Error{
		Reason:  cluster.ReasonConflict,
		Object:  id,
		Message: fmt.Sprintf("the object was deleted and created again since the plan: its uid was %s and is now %s", uid, live.GetUID()),
	}
}
