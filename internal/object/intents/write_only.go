package intents

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// WriteOnly is the part of an intent's manifest that is stored nowhere. The zero value is empty.
type WriteOnly struct {
	// Version shows an edit of the values, which are compared with nothing, because they may differ in each run.
	Version string
	// Fields are the texts of its fields, sorted.
	Fields []string
	// Stored is the manifest without the write-only part; empty if there is no such part.
	Stored manifest.Manifest
}

// MergeWriteOnly returns the intent with the fields of part in its manifest, which are stored nowhere. Every failure is
// a *manifest.Error or a *manifest.OtherObjectError.
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
// apply. It can be compared with the prior state, and cannot be applied.
func (i Intent) WithUnknownWriteOnly(version string, prior record.Prior) Intent {
	i.WriteOnly = WriteOnly{Version: version, Fields: prior.Snapshot.WriteOnly, Stored: i.Manifest}
	return i
}

// stored returns the manifest as the state holds it.
func (i Intent) stored() manifest.Manifest {
	switch {
	case i.WriteOnly.Stored.Object != nil:
		return i.WriteOnly.Stored
	case i.asWritten.Object != nil:
		return i.asWritten
	}
	return i.Manifest
}
