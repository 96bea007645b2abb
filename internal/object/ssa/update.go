package ssa

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// update is an apply to an object that exists, as a plan tries it and as the apply does it.
type update struct {
	prediction.Attempt
	// meets are the claims on the object when the apply is sent.
	meets ownership.Claims

	// asked is the dry-run that a plan sends.
	asked prediction.DryRun

	// planned is the plan that an apply carries out.
	planned Plan
	// version is the resourceVersion of the object that the plan knows, or that was looked at since; "" where it
	// is not known. overwritten is what others wrote in between.
	version     string
	overwritten []Overwritten
	// done is the object if nothing is left to apply and nobody owns anything of it; nil otherwise. An apply would
	// make the server add a manager to it.
	done *unstructured.Unstructured
}

// newUpdate returns the apply of an intent to an object as the last read saw it.
func newUpdate(intent intents.Intent, prior record.Prior) *update {
	attempt := prediction.NewAttempt(intent, prior)
	return &update{Attempt: attempt, meets: attempt.Rewrite.Claims(attempt.Claims)}
}

// Overwritten is a field to which somebody else gave another value between a plan and its apply. The apply set it back to
// the planned value, or removed it with a list item or map entry that left the manifest.
type Overwritten struct {
	Field string
	// By is the manager in the API server's words: `"kubectl" with subresource "scale" using apps/v1`.
	By string
	// Was is the value that was overwritten; "" where nobody has seen it.
	Was string
	// With is the list item or map entry that the field was removed with; "" where it was set back.
	With string
}

// rewriteLive rewrites claims on the live object, makes edits, and returns the object.
func (u *update) rewriteLive(ctx context.Context, api cluster.Interface, wanted func(ownership.Claims, string) ownership.Rewrite, edits record.Editing) (*unstructured.Unstructured, error) {
	live, err := api.Get(ctx, u.Prior.Object)
	if err != nil {
		return nil, err
	}
	if err := u.Prior.CheckUID(live); err != nil {
		return nil, err
	}
	renderer := u.Prior.Snapshot.Renderer()
	u.Intent = u.Intent.WithLeavingAs(func(fields *paths.Set) *paths.Set { return renderer.UnmaskSet(fields, live.Object) })
	return record.RewriteAndEdit(ctx, api, u.Prior.Object, live, record.Rewriting{
		Claims: func(claims ownership.Claims) ownership.Rewrite { return wanted(claims, u.PreviousManager()) },
		Edits:  edits,
	})
}
