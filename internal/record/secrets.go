package record

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/rendering"
)

// RendererOf returns the renderer of an object with these patterns of sensitive and of write-only fields.
func RendererOf(id manifest.Identity, sensitive, writeOnly []string, key []byte) rendering.Renderer {
	return rendering.Renderer{
		Secret:    id.IsSecret(),
		Sensitive: slices.Concat(PatternsOf(sensitive), PatternsOf(writeOnly)).AnyPosition(),
		DigestKey: key,
	}
}

// PatternsOf parses texts that were parsed before: by validation, or when they were written.
func PatternsOf(texts []string) paths.Patterns {
	patterns := make(paths.Patterns, 0, len(texts))
	for _, text := range texts {
		if pattern, err := paths.Parse(text); err == nil {
			patterns = append(patterns, pattern)
		}
	}
	return patterns
}

// Renderer returns the renderer that shows values as they were shown when the snapshot was made.
func (s Snapshot) Renderer() rendering.Renderer {
	return RendererOf(s.Object, s.Sensitive, s.WriteOnly, s.DigestKey)
}

// Unmasked returns prior with the list items of a manifest instead of their digests, so that its snapshot
// can be compared with what the server says of the manifest. Items that remain digests are not in the manifest.
func (p Prior) Unmasked(object map[string]any) Prior {
	renderer := p.Snapshot.Renderer()
	if len(renderer.Sensitive) == 0 {
		return p
	}
	unmask := func(fields *paths.Set) *paths.Set { return renderer.UnmaskSet(fields, object) }
	p.Snapshot.Claims, p.Snapshot.Fields = withFields(p.Snapshot.Claims, unmask), p.Snapshot.Fields.each(unmask)
	p.Snapshot.Values, p.Snapshot.Kinds = renderer.UnmaskIDs(p.Snapshot.Values, object), renderer.UnmaskIDs(p.Snapshot.Kinds, object)
	return p
}

// mask replaces all secret values by digests in what the snapshot says of fields.
func (s *Snapshot) mask(renderer rendering.Renderer) {
	if len(renderer.Sensitive) == 0 {
		return
	}
	s.Claims, s.Fields = withFields(s.Claims, renderer.MaskSet), s.Fields.each(renderer.MaskSet)
	s.Values, s.Kinds = renderer.MaskIDs(s.Values), renderer.MaskIDs(s.Kinds)
}

// withFields returns claims with change applied to their fields. claims is not mutated.
func withFields(claims ownership.Claims, change func(*paths.Set) *paths.Set) ownership.Claims {
	changed := slices.Clone(claims)
	for i := range changed {
		changed[i].Fields = change(changed[i].Fields)
	}
	return changed
}

// Texts returns patterns as they were written.
func Texts(patterns paths.Patterns) []string {
	all := make([]string, len(patterns))
	for i, pattern := range patterns {
		all[i] = pattern.String()
	}
	return all
}
