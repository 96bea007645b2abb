package record

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Hidden are the patterns of the secret fields of an object, as strings.
type Hidden struct {
	// Sensitive covers fields whose values are secret, WriteOnly those whose values are stored nowhere, and Copied
	// annotations and labels with secret values in them; see rendering.Renderer.
	Sensitive, WriteOnly, Copied []string
}

// RendererOf returns the renderer of an object with these secret fields.
func RendererOf(id manifest.Identity, hidden Hidden, key []byte) rendering.Renderer {
	return rendering.Renderer{
		Secret:    id.IsSecret(),
		Sensitive: slices.Concat(paths.PatternsOf(hidden.Sensitive), paths.PatternsOf(hidden.WriteOnly)).Cautious(),
		WriteOnly: paths.PatternsOf(hidden.WriteOnly).AnyPosition(), Copied: paths.PatternsOf(hidden.Copied),
		DigestKey: key,
	}
}

// Renderer returns the renderer that shows values as they were shown when the snapshot was made.
func (s Snapshot) Renderer() rendering.Renderer { return RendererOf(s.Object, s.hidden(), s.DigestKey) }

func (s Snapshot) hidden() Hidden {
	return Hidden{Sensitive: s.Sensitive, WriteOnly: slices.Concat(s.WriteOnly, s.Doubtful), Copied: s.Copied}
}

// renderer returns the renderer of a live object, and the strings of the annotations and labels that it hides because
// they contain secret values. Annotations and labels that we applied are as our configuration declares them, so they
// are not searched, unless they come from a patch, which can copy values, or were hidden before.
func (o Observation) renderer(live map[string]any, claims ownership.Claims) (rendering.Renderer, []string) {
	hidden, ours := o.Carried.hidden(), paths.NewSet()
	if o.FieldManager != "" && o.Patch == nil {
		ours = claims.Own(o.FieldManager)
	}
	renderer := RendererOf(o.ID, hidden, o.Carried.DigestKey)
	var copied []string
	for _, pattern := range renderer.Copied {
		if len(projection.Named(live, pattern)) > 0 {
			copied = append(copied, pattern.String())
		}
	}
	for _, path := range renderer.CopiesIn(live) {
		if !ours.Has(path) {
			copied = append(copied, paths.Format(path))
		}
	}
	slices.Sort(copied)
	hidden.Copied = slices.Compact(copied)
	return keyed(RendererOf(o.ID, hidden, o.Carried.DigestKey)), hidden.Copied
}

// Unmasked returns prior with the list items of a manifest instead of their digests. Its snapshot can then be compared
// with the server's response to the manifest. Items that remain digests are not in the manifest.
func (p Prior) Unmasked(object map[string]any) Prior {
	renderer := p.Snapshot.Renderer()
	if len(renderer.Sensitive) == 0 {
		return p
	}
	unmask := func(fields *paths.Set) *paths.Set { return renderer.UnmaskSet(fields, object) }
	p.Snapshot.Claims, p.Snapshot.Fields = p.UnmaskedClaims(p.Snapshot.Claims, object), p.Snapshot.Fields.each(unmask)
	p.Snapshot.Values, p.Snapshot.Kinds = renderer.UnmaskIDs(p.Snapshot.Values,
		object), renderer.UnmaskIDs(p.Snapshot.Kinds, object)
	p.Snapshot.Candidates = renderer.UnmaskIDs(p.Snapshot.Candidates, object)
	return p
}

// UnmaskedClaims returns claims of the snapshot with the list items of an object instead of their digests.
func (p Prior) UnmaskedClaims(claims ownership.Claims, object map[string]any) ownership.Claims {
	renderer := p.Snapshot.Renderer()
	if len(renderer.Sensitive) == 0 {
		return claims
	}
	return claims.WithFields(func(fields *paths.Set) *paths.Set { return renderer.UnmaskSet(fields, object) })
}

// HidesItems reports whether the claims of the snapshot have digests instead of list items.
func (s Snapshot) HidesItems() bool {
	renderer := s.Renderer()
	return len(renderer.Sensitive) > 0 && !paths.Filter(s.Claims.Fields(), func(path paths.Path) bool {
		return len(renderer.RedactedPath(path)) < len(path)
	}).Empty()
}

// Seen returns prior with the live object that this run has read, and with its list items instead of their digests.
func (p Prior) Seen(live map[string]any) Prior {
	p.Live = live
	return p.Unmasked(live)
}

// mask replaces the secret values in the paths of the snapshot by digests: the keys and values of list items.
func (s *Snapshot) mask(renderer rendering.Renderer) {
	if len(renderer.Sensitive) == 0 {
		return
	}
	s.Claims, s.Fields = s.Claims.WithFields(renderer.MaskSet), s.Fields.each(renderer.MaskSet)
	s.Values, s.Kinds = renderer.MaskIDs(s.Values), renderer.MaskIDs(s.Kinds)
	s.Candidates = renderer.MaskIDs(s.Candidates)
}

// If a manager applies stringData of a Secret, the server stores it as data, but records a claim on stringData, which
// has no value. We send data. Claims on stringData come from other clients, and from the resource that a moved state
// comes from.

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
		data.Insert(append(paths.FieldPath(manifest.SecretData), path...))
	})
	return data
}

// AsData returns fields of an object, with the data of a Secret instead of its stringData.
func AsData(id manifest.Identity, fields *paths.Set) *paths.Set {
	if !id.IsSecret() {
		return fields
	}
	stringData := paths.NewSet(paths.FieldPath(manifest.SecretStringData))
	return fields.RecursiveDifference(stringData).Union(DataOf(fields))
}

// ClaimsAsData returns claims with AsData applied to their fields. claims is not mutated.
func ClaimsAsData(id manifest.Identity, claims ownership.Claims) ownership.Claims {
	return claims.WithFields(func(fields *paths.Set) *paths.Set { return AsData(id, fields) })
}
