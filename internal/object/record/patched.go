package record

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// Patched is what is known of the effect of a patch on an object.
type Patched struct {
	// Left is the digest of what the patch would still change after its last apply: the server writes some values in
	// another way, for example 1000m of cpu as 1. It is "" if the patch would change nothing.
	Left string `json:"left,omitempty"`
	// Now is the same digest after the last read.
	Now string `json:"now,omitempty"`
}

// IsPending reports whether the patch would change the object.
func (p Patched) IsPending() bool { return p.Now != p.Left }

// Applied returns what is known after an apply.
func (p Patched) Applied() Patched { return Patched{Left: p.Now, Now: p.Now} }

// ClaimsWith returns the claims on the object of a patch, in which fields that the field manager owns by updates count
// as applied. If the patch is in effect on the object, the values of declared are ours, even where the API server has
// forgotten who wrote them.
func (p Patched) ClaimsWith(claims ownership.Claims, fieldManager string, declared *paths.Set) ownership.Claims {
	claims = claims.AsApplied(fieldManager)
	if p.IsPending() {
		return claims
	}
	return claims.WithForgotten(fieldManager, declared)
}
