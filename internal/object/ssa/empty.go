package ssa

import (
	"cmp"
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// empty empties the maps and lists that the apply would make null according to refusal: a GET and a PATCH. If the
// server refuses them without their parts, it removes them: another PATCH. If other managers own parts of all of them,
// our parts leave them, and the rest stays. If we own nothing there, it returns refusal.
func (a *apply) empty(ctx context.Context, api cluster.Interface, refusal error) error {
	prior, own := a.wanted.Prior, a.wanted.FieldManager
	live, err := prior.Read(ctx, api)
	if err != nil {
		return err
	}
	held, err := record.ClaimsOf(prior.Object, live)
	if err != nil {
		return err
	}
	if len(wanted.Emptied(live.Object, held, own, a.emptiedFields(refusal))) == 0 {
		return leaveToOthers(ctx, api, a, live, refusal)
	}
	for _, removes := range []bool{false, true} {
		live, err = record.RewriteAndEdit(ctx, api, prior.Object, live, record.Rewriting{
			Claims: func(ownership.Claims) ownership.Rewrite { return ownership.Rewrite{Manager: own} },
			Edits: func(live map[string]any, claims ownership.Claims) []cluster.Edit {
				edits := wanted.Emptied(live, claims, own, a.emptiedFields(refusal))
				for i := range edits {
					edits[i].Remove = removes
				}
				return edits
			},
		})
		if !refusals.IsOfObject(err) {
			break
		}
	}
	if err == nil {
		a.mended(live, held)
	}
	return err
}

// leaveToOthers ends our claims on the parts of the fields that refusal names, and removes those that no other manager
// owns.
func leaveToOthers(
	ctx context.Context, api cluster.Interface, a *apply, live *unstructured.Unstructured, refusal error,
) error {
	own, fields := a.wanted.FieldManager, a.emptiedFields(refusal)
	held, err := record.ClaimsOf(a.wanted.Prior.Object, live)
	if err != nil || wanted.Filled(held, own, fields).Empty() {
		return cmp.Or(err, refusal)
	}
	live, err = record.RewriteAndEdit(ctx, api, a.wanted.Prior.Object, live, record.Rewriting{
		Claims: func(claims ownership.Claims) ownership.Rewrite {
			return ownership.Rewrite{Manager: own, Release: wanted.Filled(claims, own, fields)}
		},
		Edits: func(live map[string]any, claims ownership.Claims) []cluster.Edit {
			return wanted.Stripped(live, claims, own, fields)
		},
	})
	if err != nil {
		return err
	}
	a.mended(live, held)
	a.claimsBefore, err = record.ClaimsOf(a.wanted.Prior.Object, live)
	return err
}

func (a *apply) emptiedFields(refusal error) []paths.Path {
	return refusals.Emptied(refusal, a.wanted.Claims().Own(a.wanted.PreviousManager()))
}
