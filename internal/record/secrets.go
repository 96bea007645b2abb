package record

import (
	"encoding/json"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
)

func RendererOf(id manifest.Identity, sensitive, writeOnly []string, key []byte) projection.Renderer {
	return projection.Renderer{
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

// Renderer shows values as they were shown when the snapshot was made.
func (s Snapshot) Renderer() projection.Renderer {
	return RendererOf(s.Object, s.Sensitive, s.WriteOnly, s.DigestKey)
}

// Unmasked returns prior with the list items of a manifest instead of their digests, so that
// its snapshot can be compared with what the server says of the manifest. Items that are digests still are
// not in the manifest.
func (p Prior) Unmasked(object map[string]any) (Prior, error) {
	renderer := p.Snapshot.Renderer()
	if len(renderer.Sensitive) == 0 {
		return p, nil
	}
	managers, err := withFields(p.Snapshot.Managers, func(fields *paths.Set) *paths.Set {
		return renderer.UnmaskSet(fields, object)
	})
	if err != nil {
		return p, Unreadable(p.Object, err)
	}
	fields, err := p.Snapshot.Fields()
	if err != nil {
		return p, Unreadable(p.Object, err)
	}
	if err := p.Snapshot.setFields(fields.each(func(set *paths.Set) *paths.Set { return renderer.UnmaskSet(set, object) })); err != nil {
		return p, Unreadable(p.Object, err)
	}
	p.Snapshot.Managers, p.Snapshot.Values = managers, renderer.UnmaskIDs(p.Snapshot.Values, object)
	p.Snapshot.Kinds = renderer.UnmaskIDs(p.Snapshot.Kinds, object)
	return p, nil
}

// remember sets the fields of the snapshot, and replaces all secret values by digests in what it says of
// fields.
func (s *Snapshot) remember(fields KnownFields, renderer projection.Renderer) error {
	if len(renderer.Sensitive) == 0 {
		return s.setFields(fields)
	}
	managers, err := withFields(s.Managers, renderer.MaskSet)
	if err != nil {
		return err
	}
	if err := s.setFields(fields.each(renderer.MaskSet)); err != nil {
		return err
	}
	s.Managers, s.Values, s.Kinds = managers, renderer.MaskIDs(s.Values), renderer.MaskIDs(s.Kinds)
	return nil
}

// withFields returns entries with other fields. entries is not mutated.
func withFields(entries []metav1.ManagedFieldsEntry, change func(*paths.Set) *paths.Set) ([]metav1.ManagedFieldsEntry, error) {
	changed := slices.Clone(entries)
	for i, entry := range entries {
		fields, err := paths.ParseSet(entry.FieldsV1.GetRawBytes())
		if err != nil {
			return nil, fmt.Errorf("managedFields entry of %q: %w", entry.Manager, err)
		}
		raw, err := paths.MarshalSet(change(fields))
		if err != nil {
			return nil, err
		}
		changed[i].FieldsV1 = metav1.NewFieldsV1(string(json.RawMessage(raw)))
	}
	return changed, nil
}

// Texts returns patterns as they were written.
func Texts(patterns paths.Patterns) []string {
	all := make([]string, len(patterns))
	for i, pattern := range patterns {
		all[i] = pattern.String()
	}
	return all
}
