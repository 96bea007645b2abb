package arguments

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// WriteOnly is the part of a manifest that is stored nowhere. The zero value is empty.
type WriteOnly struct {
	// Version shows an edit of the values, which are compared with nothing, because they may differ in each run.
	Version string
	// Fields are the paths of its fields, as sorted strings.
	Fields []string
	// Stored is the manifest without the write-only part; empty if there is no write-only part.
	Stored manifest.Manifest
}

// Patterns covers the fields of the part.
func (w WriteOnly) Patterns() paths.Patterns { return paths.PatternsOf(w.Fields) }

// MergeWriteOnly returns the arguments with the fields of part in Manifest. Every failure is a *manifest.Error or a
// *manifest.OtherObjectError.
func (a Arguments) MergeWriteOnly(part manifest.Partial) (Arguments, error) {
	merged, fields, err := a.Manifest.Overlay(part)
	if err != nil {
		return a, err
	}
	var names []string
	for _, field := range fields {
		path := make(paths.Path, len(field))
		for n, name := range field {
			path[n] = paths.Field(name)
		}
		names = append(names, paths.Format(path))
	}
	slices.Sort(names)
	a = a.WithUnknownWriteOnly(slices.Compact(names))
	a.Manifest = merged
	return a, nil
}

// WithUnknownWriteOnly returns the arguments with write-only fields whose values are not known yet. They can be
// compared with other arguments, and cannot be applied.
func (a Arguments) WithUnknownWriteOnly(fields []string) Arguments {
	a.WriteOnly.Fields, a.WriteOnly.Stored = fields, a.Manifest
	return a
}

// Stored returns the manifest as the state holds it: without its write-only part.
func (a Arguments) Stored() manifest.Manifest {
	if a.WriteOnly.Stored.Object != nil {
		return a.WriteOnly.Stored
	}
	return a.Manifest
}

// HasManifestOf reports whether other has the same manifest, apart from its form, and the same version of the
// write-only part.
func (a Arguments) HasManifestOf(other Arguments) bool {
	return manifest.Equal(a.Stored(), other.Stored()) && a.WriteOnly.Version == other.WriteOnly.Version
}
