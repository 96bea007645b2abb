package operations

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// disownManager is the field manager of the requests. It owns nothing, because the requests change no value.
const disownManager = "k8sconnect-disown"

// Managers selects the managers whose claims end.
type Managers struct {
	// Names may end in *.
	Names []string
	// Spared are names whose claims stay, even if one of Names matches them.
	Spared []string
}

// Include reports whether the claims of a manager end.
func (m Managers) Include(manager ownership.Manager) bool {
	return !slices.Contains(m.Spared, manager.Name) && manager.Subresource != manifest.Status &&
		slices.ContainsFunc(m.Names, func(name string) bool { return ownership.IsCalled(manager.Name, name) })
}

// HoldAny reports whether a manager whose claims end holds a field outside of status.
func (m Managers) HoldAny(claims ownership.Claims) bool {
	return slices.ContainsFunc(claims, func(claim ownership.Claim) bool {
		return m.Include(claim.Manager) && len(leaves(claim.Fields)) > 0
	})
}

// leaves returns the innermost fields of a claim outside of status.
func leaves(fields *paths.Set) []paths.Path {
	var all []paths.Path
	paths.Walk(fields, func(path paths.Path, isLeaf bool) {
		if isLeaf && paths.ElementID(path[0]) != status {
			all = append(all, path)
		}
	})
	return all
}

var status = paths.ElementID(paths.Field("status"))

// Loss lists the fields that one manager loses.
type Loss struct {
	Manager ownership.Manager
	// Fields are their paths as strings, in order.
	Fields []string
}

// Losses are what the managers of one object lose.
type Losses struct {
	Of []Loss
	// Unowned is true if no manager owns any field of the object afterwards.
	Unowned bool
}

// Look returns what the managers would lose of an object: one GET.
func (m Managers) Look(ctx context.Context, api cluster.Interface, id manifest.Identity) (Losses, error) {
	live, err := api.Get(ctx, id)
	if err != nil {
		return Losses{}, err
	}
	claims, err := record.ClaimsOf(id, live)
	return m.losses(claims), err
}

// Disown ends the claims: one GET and one PATCH, and both again each time that another client wrote in between. It
// sends no PATCH if no claim is to end.
func (m Managers) Disown(ctx context.Context, api cluster.Interface, id manifest.Identity) (Losses, error) {
	live, err := api.Get(ctx, id)
	if err != nil {
		return Losses{}, err
	}
	return m.end(ctx, api, id, live)
}

func (m Managers) end(
	ctx context.Context, api cluster.Interface, id manifest.Identity, live *unstructured.Unstructured,
) (Losses, error) {
	var lost Losses
	_, err := record.RewriteClaims(ctx, api, id, live, func(claims ownership.Claims) ownership.Rewrite {
		lost = lost.and(m.losses(claims))
		return ownership.Rewrite{Manager: disownManager, Disown: m.Include, Tracks: true}
	})
	return lost, err
}

// and returns the losses of two attempts. If only the answer of the first attempt was lost, the second attempt does not
// see the claims that the first one ended.
func (l Losses) and(later Losses) Losses {
	for _, before := range l.Of {
		at := slices.IndexFunc(later.Of, func(now Loss) bool { return now.Manager == before.Manager })
		if at < 0 {
			later.Of = append(later.Of, before)
		} else {
			later.Of[at].Fields = slices.Compact(slices.Sorted(slices.Values(append(later.Of[at].Fields,
				before.Fields...))))
		}
	}
	later.Unowned = later.Unowned || l.Unowned
	return later
}

func (m Managers) losses(claims ownership.Claims) Losses {
	var lost Losses
	formatter := claims.Formatter()
	kept := claims.Where(func(claim ownership.Claim) bool { return !m.Include(claim.Manager) }).Fields()
	for _, claim := range claims {
		fields := leaves(claim.Fields)
		if !m.Include(claim.Manager) || len(fields) == 0 {
			continue
		}
		loss := Loss{Manager: claim.Manager}
		for _, field := range fields {
			loss.Fields = append(loss.Fields, formatter.Format(field))
		}
		lost.Of = append(lost.Of, loss)
	}
	lost.Unowned = len(lost.Of) > 0 && kept.Empty()
	return lost
}
