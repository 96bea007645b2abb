package record

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
)

// claimsOf returns the claims on a live object. Fields that the field manager of a patch owns by updates count as
// applied.
func (o Observation) claimsOf(live *unstructured.Unstructured) (ownership.Claims, error) {
	if o.Patch == nil {
		return ClaimsOf(o.ID, live)
	}
	return ClaimsOnPatched(o.ID, live, o.FieldManager, *o.Patch, o.Fields.Declared)
}

// patched returns what is known of the effect of the patch on a live object, and the claims as ClaimsWith returns them.
// Without a patch, it returns the claims unchanged.
func (o Observation) patched(
	live map[string]any, claims ownership.Claims, renderer rendering.Renderer, declared *paths.Set,
) (Patched, ownership.Claims) {
	if o.Patch == nil {
		return Patched{}, claims
	}
	seen := Patched{Left: o.Carried.Patched.Left, Now: remaining(live, o, claims, renderer)}
	return seen, seen.ClaimsWith(claims, o.FieldManager, declared)
}

// remaining returns the digest of the fields that the patch of an observation would change, with their live values.
func remaining(live map[string]any, o Observation, claims ownership.Claims, renderer rendering.Renderer) string {
	result, err := o.Patch.Apply(live, schema.FromAPIVersionAndKind(o.ID.APIVersion, o.ID.Kind))
	switch {
	case err != nil:
		return doesNotFit
	case result.InEffect:
		return ""
	}
	values := map[string]string{}
	for _, change := range projection.Changes(result.Before, result.After, claims.Fields()) {
		values[paths.ID(renderer.MaskPath(change.Path))] = renderer.Fingerprint(change.Path, change.Before)
	}
	return DigestOf(values)
}
