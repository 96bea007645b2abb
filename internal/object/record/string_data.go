package record

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// If a manager applies stringData of a Secret, the server stores it as data, but records a claim on stringData, which
// has no value. We send data. Other clients, and other resources of a moved state, have such claims.

// PatternsFor returns patterns for the fields of one object. Those of the stringData of a Secret cover the data.
func PatternsFor(id manifest.Identity, patterns paths.Patterns) paths.Patterns {
	if !id.IsSecret() {
		return patterns
	}
	return patterns.Renamed(manifest.SecretStringData, manifest.SecretData)
}

// DataOf returns the fields of data that claims on stringData refer to.
func DataOf(fields *paths.Set) *paths.Set {
	data := paths.NewSet()
	paths.Walk(paths.Children(fields, paths.Field(manifest.SecretStringData)), func(path paths.Path, _ bool) {
		data.Insert(append(paths.Path{paths.Field(manifest.SecretData)}, path...))
	})
	return data
}

// AsData returns fields of an object, with the data of a Secret instead of its stringData.
func AsData(id manifest.Identity, fields *paths.Set) *paths.Set {
	if !id.IsSecret() {
		return fields
	}
	stringData := paths.NewSet(paths.Path{paths.Field(manifest.SecretStringData)})
	return fields.RecursiveDifference(stringData).Union(DataOf(fields))
}

// ClaimsAsData returns claims with AsData applied to their fields. claims is not mutated.
func ClaimsAsData(id manifest.Identity, claims ownership.Claims) ownership.Claims {
	renamed := make(ownership.Claims, len(claims))
	for i, claim := range claims {
		claim.Fields = AsData(id, claim.Fields)
		renamed[i] = claim
	}
	return renamed
}
