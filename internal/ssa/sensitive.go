package ssa

import (
	"encoding/json"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
)

// WriteOnly is the part of an intent's manifest that is stored nowhere. The zero value is empty.
type WriteOnly struct {
	// Version tells an edit of its values: they are compared with nothing, because they may be other ones
	// in each run.
	Version string
	// Fields are the texts of its fields, sorted.
	Fields []string
	// Stored is the manifest without it; empty without one.
	Stored manifest.Manifest
}

// MergeWriteOnly returns the intent with the fields of part in its manifest, which are stored nowhere. Every failure is
// a *manifest.Error.
func (i Intent) MergeWriteOnly(part manifest.Partial, version string) (Intent, error) {
	merged, fields, err := i.Manifest.Overlay(part)
	if err != nil {
		return i, err
	}
	i.WriteOnly = WriteOnly{Version: version, Stored: i.Manifest}
	for _, names := range fields {
		path := make(paths.Path, len(names))
		for n, name := range names {
			path[n] = paths.Field(name)
		}
		i.WriteOnly.Fields = append(i.WriteOnly.Fields, paths.Format(path))
	}
	sortUnique(&i.WriteOnly.Fields)
	i.Manifest = merged
	return i, nil
}

// WithUnknownWriteOnly returns the intent with a write-only part that is not known yet, and has the fields of the last
// apply. It can be compared with the prior state, and not be applied.
func (i Intent) WithUnknownWriteOnly(version string, prior Prior) Intent {
	i.WriteOnly = WriteOnly{Version: version, Fields: prior.Snapshot.WriteOnly, Stored: i.Manifest}
	return i
}

// stored returns the manifest as the state holds it.
func (i Intent) stored() manifest.Manifest {
	if i.WriteOnly.Stored.Object == nil {
		return i.Manifest
	}
	return i.WriteOnly.Stored
}

// renderer shows values as the intent wants them shown. Without a key, which an object gets when it is
// first read, secret values are redacted.
func (i Intent) renderer(id manifest.Identity, key []byte) projection.Renderer {
	return rendererOf(id, texts(i.Sensitive), i.WriteOnly.Fields, key)
}

// renderer shows values as they were shown when the snapshot was made.
func (s Snapshot) renderer() projection.Renderer {
	return rendererOf(s.Object, s.Sensitive, s.WriteOnly, s.DigestKey)
}

func rendererOf(id manifest.Identity, sensitive, writeOnly []string, key []byte) projection.Renderer {
	return projection.Renderer{
		Secret:    id.IsSecret(),
		Sensitive: slices.Concat(patternsOf(sensitive), patternsOf(writeOnly)).AnyPosition(),
		DigestKey: key,
	}
}

// patternsOf parses texts that were parsed before: by validation, or when they were written.
func patternsOf(texts []string) paths.Patterns {
	patterns := make(paths.Patterns, 0, len(texts))
	for _, text := range texts {
		if pattern, err := paths.Parse(text); err == nil {
			patterns = append(patterns, pattern)
		}
	}
	return patterns
}

// leftTexts returns what the intent leaves to managers that it ignores, without secret values.
func (i Intent) leftTexts() []string {
	all := texts(i.ignoredByManager)
	if len(all) == 0 || len(i.Sensitive)+len(i.WriteOnly.Fields) == 0 {
		return all
	}
	secrets := i.Secrets()
	for n, text := range all {
		all[n] = secrets.Scrub(text)
	}
	return all
}

// Secrets returns the values of the intent that no message may quote.
func (i Intent) Secrets() projection.Secrets {
	return i.renderer(i.Manifest.Identity, nil).Secrets(i.Manifest.String(), i.Manifest.Object, i.stored().Object)
}

// unmasked returns prior with the list items of the intent's manifest instead of their digests, so that
// its snapshot can be compared with what the server says of the manifest. Items that are digests still are
// not in the manifest.
func (p Prior) unmasked(intent Intent) (Prior, error) {
	renderer := p.Snapshot.renderer()
	if len(renderer.Sensitive) == 0 {
		return p, nil
	}
	object := intent.Manifest.Object
	managers, err := withFields(p.Snapshot.Managers, func(fields *paths.Set) *paths.Set {
		return renderer.UnmaskSet(fields, object)
	})
	if err != nil {
		return p, unreadable(p.Object, err)
	}
	fields, err := p.Snapshot.fields()
	if err != nil {
		return p, unreadable(p.Object, err)
	}
	if err := p.Snapshot.setFields(fields.each(func(set *paths.Set) *paths.Set { return renderer.UnmaskSet(set, object) })); err != nil {
		return p, unreadable(p.Object, err)
	}
	p.Snapshot.Managers, p.Snapshot.Values = managers, renderer.UnmaskIDs(p.Snapshot.Values, object)
	p.Snapshot.Kinds = renderer.UnmaskIDs(p.Snapshot.Kinds, object)
	return p, nil
}

// remember sets the fields of the snapshot, and replaces all secret values by digests in what it says of
// fields.
func (s *Snapshot) remember(fields knownFields, renderer projection.Renderer) error {
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

// unknownValues returns the keys of state whose value is known after the apply only, sorted: secret values for
// which there is no key yet, and write-only ones, which Terraform's second plan may give other values.
func unknownValues(state map[string]string, applied *paths.Set, intent Intent, names projection.Formatter) []string {
	var fields []string
	for field, value := range state {
		if value == projection.Redacted {
			fields = append(fields, field)
		}
	}
	writeOnly := patternsOf(intent.WriteOnly.Fields)
	paths.Walk(applied, func(path paths.Path, _ bool) {
		field := names.Format(path)
		if _, shown := state[field]; shown && writeOnly.Match(path) {
			fields = append(fields, field)
		}
	})
	sortUnique(&fields)
	return fields
}

// unknownOwners returns the fields that others hold and whose value is write-only, sorted: who owns them after the
// apply depends on the value.
func unknownOwners(claims ownership.Claims, intent Intent, names projection.Formatter) []string {
	var fields []string
	writeOnly := patternsOf(intent.WriteOnly.Fields)
	paths.Walk(claims.Others(intent.FieldManager).Fields(), func(path paths.Path, _ bool) {
		if writeOnly.Match(path) {
			fields = append(fields, names.Format(path))
		}
	})
	sortUnique(&fields)
	return fields
}
