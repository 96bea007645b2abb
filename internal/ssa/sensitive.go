package ssa

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
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
	cluster.SortUnique(&i.WriteOnly.Fields)
	i.Manifest = merged
	return i, nil
}

// WithUnknownWriteOnly returns the intent with a write-only part that is not known yet, and has the fields of the last
// apply. It can be compared with the prior state, and not be applied.
func (i Intent) WithUnknownWriteOnly(version string, prior record.Prior) Intent {
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
	return record.RendererOf(id, record.Texts(i.Sensitive), i.WriteOnly.Fields, key)
}

// leftTexts returns what the intent leaves to managers that it ignores, without secret values.
func (i Intent) leftTexts() []string {
	all := record.Texts(i.ignoredByManager)
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

// unknownValues returns the keys of state whose value is known after the apply only, sorted: secret values for
// which there is no key yet, and write-only ones, which Terraform's second plan may give other values.
func unknownValues(state map[string]string, applied *paths.Set, intent Intent, names projection.Formatter) []string {
	var fields []string
	for field, value := range state {
		if value == projection.Redacted {
			fields = append(fields, field)
		}
	}
	writeOnly := record.PatternsOf(intent.WriteOnly.Fields)
	paths.Walk(applied, func(path paths.Path, _ bool) {
		field := names.Format(path)
		if _, shown := state[field]; shown && writeOnly.Match(path) {
			fields = append(fields, field)
		}
	})
	cluster.SortUnique(&fields)
	return fields
}

// unknownOwners returns the fields that others hold and whose value is write-only, sorted: who owns them after the
// apply depends on the value.
func unknownOwners(claims ownership.Claims, intent Intent, names projection.Formatter) []string {
	var fields []string
	writeOnly := record.PatternsOf(intent.WriteOnly.Fields)
	paths.Walk(claims.Others(intent.FieldManager).Fields(), func(path paths.Path, _ bool) {
		if writeOnly.Match(path) {
			fields = append(fields, names.Format(path))
		}
	})
	cluster.SortUnique(&fields)
	return fields
}
